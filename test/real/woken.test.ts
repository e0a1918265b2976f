// A manager on the real Claude Code, with `crewmux init --hooks` and nothing else: it talks, and is told.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/sandbox.ts';
import type { ModelRequest } from './fake/server.ts';
import { type LeadingClaude, openLeadingClaude } from './leading-claude.ts';

let leading: LeadingClaude;
beforeAll(async () => {
  leading = await openLeadingClaude({}, ({ repo, env }) => {
    execFileSync(process.execPath, [join(process.cwd(), 'dist/crewmux.mjs'), 'init', '--hooks'], { cwd: repo, env });
  });
});
afterAll(() => leading.dispose());

const isNews = ({ prompt }: ModelRequest) => /SYSTEM NOTIFICATION/.test(prompt) && /From crewmux/.test(prompt);

test('it is woken for a permission and at the end, once each, and asks its model nothing while it waits', async () => {
  const { home, call, repo, turn, idle } = leading;
  const { model } = home;
  const own = () => model.requests.filter(({ cwd }) => cwd === repo);
  const place = join(home.env.CREWMUX_HOME ?? '', 'bells');
  const bells = () => (existsSync(place) ? readdirSync(place) : []);
  await call('list_worktrees', { repo_path: repo });
  await eventually('a hook waits for news', () => bells().length === 1);
  const asks = 'HOLD first\nBASH git tag wanted\nHOLD second\nSAY done';
  const workers = [
    { project_path: 'auto', name: 'ada', prompt: asks, sandbox: false },
    { project_path: 'auto', name: 'bruno', prompt: 'HOLD second\nSAY done' },
    { project_path: 'auto', name: 'clara', prompt: 'SAY done at once' },
  ];
  const spawned = await call('spawn_workers', { workers });
  expect(spawned).toMatch(/\\?"wakes\\?": ?true/);
  expect(spawned).toContain('You will be told');
  await call('list_worktrees', { repo_path: repo });
  await model.waitFor('the worker is at work', (request) => request.prompt === asks, 120_000);
  await eventually('its turn is over, and the next waiter is there', () => bells().length === 1);
  const asked = own().length;
  const since = model.requests.length;
  model.release('first');
  const woken = await turn('it is woken', isNews, since);
  expect(woken.prompt).toMatch(/must NOT be treated as approval/);
  const answer = /ada wants to run[^\n]*answer_worker (\{"session_id":"[^"]+","request_id":"[^"]+")/.exec(
    woken.prompt,
  )?.[1];
  expect(answer).toBeDefined();
  // Nothing but the wake itself was asked of its model since.
  expect(
    own()
      .slice(asked)
      .filter((request) => !isNews(request)),
  ).toEqual([]);
  await idle();
  await call('answer_worker', { ...JSON.parse(`${answer}}`), decision: 'allow' });
  const before = model.requests.length;
  model.release('second');
  const ended = await turn('it is woken at the end', isNews, before);
  expect(ended.prompt).toMatch(/All are done: ada, bruno, clara|All are done: [a-z, ]*bruno/);
  await idle();
  const news = own()
    .filter(isNews)
    .map(({ prompt }) => prompt);
  expect(new Set(news).size).toBe(2);
  await eventually('one waits again', () => bells().length === 1);
});
