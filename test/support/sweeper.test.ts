import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually, makeSandbox, runs, type Sandbox } from './sandbox.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = makeSandbox();
});
afterEach(() => sandbox.dispose());

/** Resolves once a sweeper whose run has ended at once has ended too. */
async function sweep(folder: string): Promise<void> {
  const sweeper = spawn(process.execPath, [join(import.meta.dirname, 'sweeper.mjs'), folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: sandbox.env.PATH },
  });
  sweeper.stdin?.end();
  await eventually('the sweeper has ended', () => sweeper.exitCode !== null);
}

it('what a run has left goes when its main process does, and a folder of any other name stays', async () => {
  const left = mkdtempSync(join(sandbox.root, 'cm-'));
  const tmux = join(left, 't-one', 'tmux');
  mkdirSync(tmux, { recursive: true });
  const tmuxOf = (...args: string[]) =>
    execFileSync('tmux', ['-L', 'left', ...args], { env: { ...sandbox.env, TMUX_TMPDIR: tmux }, encoding: 'utf8' });
  tmuxOf('new-session', '-d', 'sleep 3600');
  const server = Number(tmuxOf('display-message', '-p', '#{pid}'));
  const stray = spawn('sleep', ['3600'], { env: { ...sandbox.env, TMPDIR: left }, stdio: 'ignore' });
  const other = sandbox.dir('cm-other-one');
  expect([server, stray.pid ?? 0].map(runs)).toEqual([true, true]);
  await sweep(other);
  await sweep(left);
  expect([server, stray.pid ?? 0].map(runs)).toEqual([false, false]);
  expect([left, other].map(existsSync)).toEqual([false, true]);
});
