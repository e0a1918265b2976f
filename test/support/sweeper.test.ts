import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually, makeSandbox, runs, type Sandbox } from './sandbox.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = makeSandbox();
});
afterEach(() => sandbox.dispose());

it('what a run has left goes when its main process does, and a folder of any other name stays', async () => {
  sandbox.tmux('new-session', '-d', 'sleep 3600');
  const stray = spawn('sleep', ['3600'], { env: sandbox.env, stdio: 'ignore' });
  const list = join(sandbox.root, 'list');
  const other = makeSandbox();
  writeFileSync(list, `${other.dir('crewmux')}\n${sandbox.root}\n`);
  const sweeper = spawn(process.execPath, [join(import.meta.dirname, 'sweeper.mjs'), list], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: sandbox.env.PATH },
  });
  expect(runs(stray.pid ?? 0)).toBe(true);
  sweeper.stdin?.end();
  await eventually('the sweeper has ended', () => sweeper.exitCode !== null);
  expect([existsSync(sandbox.root), runs(stray.pid ?? 0), existsSync(join(other.root, 'crewmux'))]).toEqual([
    false,
    false,
    true,
  ]);
  other.dispose();
});
