// Set-up commands of a sandboxed worker: one that fails says in its last line how far it got.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { withSetup } from '../../../src/crew/lifecycle/setup-commands.ts';
import { spawnWorkers } from '../../../src/tools/spawn-workers.ts';
import { findBubblewrap } from '../../../src/worktree/landing/sandbox-probe.ts';
import { openRestingCrew, type Resting, type RestingCrew } from '../../support/resting-crew.ts';

let crew: RestingCrew;
let other: Resting;
let works: boolean;
beforeAll(async () => {
  const secrets = { ANTHROPIC_API_KEY: 'x', SSH_AUTH_SOCK: '/nowhere', CREWMUX_COMMAND: process.execPath };
  crew = await openRestingCrew(secrets);
  other = await crew.worker();
  writeFileSync(join(crew.sandbox.dir('home/.ssh'), 'id'), 'secret\n');
  crew.sandbox.dir('home/.npm/_npx');
  works = 'program' in (await findBubblewrap(crew.sandbox.env));
});
afterAll(() => crew.dispose());

const at = (path: string) => join(crew.sandbox.root, path);
const tries = () => ({
  worktree: 'echo >new',
  temp: 'case "$TMPDIR" in */crewmux-*) echo >"$TMPDIR/new";; *) false;; esac',
  cache: 'case "$npm_config_cache" in "$TMPDIR"/*) mkdir -p "$npm_config_cache";; *) false;; esac',
  port: 'test -n "$CREWMUX_PORT"',
  git: 'git status && git log -1',
  home: `echo >${at('home/escaped')}`,
  npx: `echo >${at('home/.npm/_npx/escaped')}`,
  other: `echo >${other.worktreePath}/escaped`,
  main: `echo >${crew.repo}/escaped`,
  branch: 'git update-ref refs/heads/escaped HEAD',
  setting: 'git config alias.x y',
  keys: `test -e ${at('home/.ssh/id')}`,
  state: `test -e ${at('crewmux/locks')}`,
  secret: 'test -n "$ANTHROPIC_API_KEY$SSH_AUTH_SOCK"',
});
const may = ['worktree', 'temp', 'cache', 'port', 'git'];

async function told(sandbox: boolean): Promise<string | undefined> {
  const line = Object.entries(tries()).map(
    ([name, command]) => `if (${command}) >/dev/null 2>&1; then printf ' ${name}'; else printf ' no-${name}'; fi`,
  );
  const order = { project_path: crew.repo, sandbox, worktree: {}, setup_commands: [`${line.join('; ')}; exit 1`] };
  const answer = z.looseObject({
    failed: z.array(z.object({ step: z.string(), error: z.string(), hint: z.string() })),
  });
  const { failed } = await crew.call(spawnWorkers, answer, { workers: [order] });
  expect(failed[0]?.step, failed[0]?.error).toBe('setup');
  expect(failed[0]?.hint).toContain(sandbox ? 'It ran in a sandbox' : 'Run it by hand');
  return /Its last words: (.*)$/.exec(failed[0]?.error ?? '')?.[1]?.trim();
}

it('run where they write its worktree and its temporary folder alone, and see no secret', async () => {
  if (!works) return;
  expect(await told(true)).toBe(
    Object.keys(tries())
      .map((name) => (may.includes(name) ? name : `no-${name}`))
      .join(' '),
  );
  expect(existsSync(at('home/escaped'))).toBe(false);
  const temps = readdirSync(crew.sandbox.env.TMPDIR ?? '').filter((name) => name.startsWith('crewmux-'));
  expect(temps, 'what a failed spawn left').toEqual([]);
});

it('run as they are where the worker has no sandbox', async () => {
  expect(await told(false)).toMatch(/^worktree .* home npx other main branch setting keys state secret$/);
});

it('are a hole by name where there is no bubblewrap, and refused where the sandbox must hold', async () => {
  const at = { env: { PATH: crew.sandbox.dir('empty') }, commands: ['npm ci'] };
  const words = 'its set-up commands run outside, since bwrap is not on the PATH';
  expect(await withSetup({ isOn: true, mustHold: false }, at)).toMatchObject({ holes: [{ words, isWished: false }] });
  await expect(withSetup({ isOn: true, mustHold: true }, at)).rejects.toThrow(words);
  const without = { isOn: false, mustHold: false };
  expect(await withSetup(without, at)).toBe(without);
});
