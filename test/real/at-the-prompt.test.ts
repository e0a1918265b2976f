// The hooks of `crewmux init --hooks` in a real Claude Code that is not woken.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/sandbox.ts';
import type { ModelRequest } from './fake/server.ts';
import { type LeadingClaude, openLeadingClaude } from './leading-claude.ts';

let leading: LeadingClaude;
beforeAll(async () => {
  leading = await openLeadingClaude({}, ({ repo, env }) => {
    // Else the wake tells it first, as `woken.test.ts` shows.
    env.CREWMUX_CONFIG = join(env.HOME ?? '', 'wake-off.json');
    writeFileSync(env.CREWMUX_CONFIG, JSON.stringify({ attention: { wake: 'off' } }));
    execFileSync(process.execPath, [join(process.cwd(), 'dist/crewmux.mjs'), 'init', '--hooks'], { cwd: repo, env });
  });
});
afterAll(() => leading.dispose());

const untold = 'From crewmux, not from your user';
const times = (request: ModelRequest | undefined, words: string) =>
  [...(request?.texts ?? []), ...(request?.told ?? [])].join('\n').split(words).length - 1;

test('what a worker needs while the manager does something else is told at its next prompt, and once', async () => {
  const { home, call } = leading;
  const prompt = 'HOLD until told\nBASH git tag wanted\nSAY done';
  const workers = [
    { project_path: 'auto', name: 'ada', prompt, sandbox: false },
    { project_path: 'auto', name: 'bruno', prompt: 'SAY hello' },
  ];
  await call('spawn_workers', { workers });
  await home.model.waitFor('the worker is at work', (request) => request.prompt === prompt, 120_000);
  const before = await leading.turn('a turn without news', ({ prompt }) => prompt.includes('spawn_workers'));
  expect(times(before, untold)).toBe(0);
  home.model.release('until told');
  const folder = join(home.env.CREWMUX_HOME ?? '', 'untold');
  await eventually('its server keeps the need', () => existsSync(folder) && readdirSync(folder).length > 0, 60_000);
  const since = home.model.requests.length;
  await call('list_workers', {});
  const told = await leading.turn('the turn of the prompt', ({ prompt }) => prompt.includes('list_workers'), since);
  const text = [...told.texts, ...told.told].join('\n');
  expect(text).toMatch(/- "ada wants to run: git tag wanted": answer_worker \{"session_id":"[^"]+","request_id":/);
  await call('list_worktrees', { repo_path: leading.repo });
  expect(
    times(
      home.model.requests.findLast(({ cwd }) => cwd === leading.repo),
      untold,
    ),
  ).toBe(1);
});

test('after a clear the card begins with the plan that waits, and its workers follow', async () => {
  const { call, screen, press, idle } = leading;
  const jobs = [{ name: 'a', prompt: 'SAY a' }];
  await call('create_plan', { name: 'shop', mode: 'copilot', jobs });
  press('/clear');
  await eventually('the command stands in the box', () => /› \/clear|❯ \/clear|> \/clear/.test(screen()));
  press('Enter');
  await eventually('it is clear', () => !screen().includes('create_plan'));
  await idle();
  const since = leading.home.model.requests.length;
  await call('list_tasks', {});
  const told = await leading.turn('the first turn after it', ({ prompt }) => prompt.includes('list_tasks'), since);
  const card = [...told.texts, ...told.told].join('\n');
  expect(card).toMatch(
    /- Plan "shop" has not begun, 0 of 1 job done: "[^"]+"\. approve_plan \{"plan_id":"[^"]+","checkpoint":"start","action":"continue"\}\n- ada is waiting/,
  );
});
