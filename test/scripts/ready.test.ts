import { execFileSync, spawnSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
let bin: string;
beforeEach(() => {
  sandbox = makeSandbox();
  bin = sandbox.dir('bin');
});
afterEach(() => sandbox.dispose());

const ready = () => {
  const script = resolve(import.meta.dirname, '../../scripts/ready.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], {
    env: { PATH: bin },
    cwd: '/',
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};
const program = (name: string, says: string) =>
  writeFileSync(join(bin, name), `#!/bin/sh\necho '${says}'\n`, { mode: 0o755 });
const linkGit = () =>
  symlinkSync(execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim(), join(bin, 'git'));

it('without tmux one sentence says how to get it', () => {
  linkGit();
  expect(ready()).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^crewmux needs tmux 3.0 or newer, not installed here; get it with: .+ install .*tmux\n$/,
    ),
  });
});

it('a tmux before 3.0 is refused with its version', () => {
  linkGit();
  program('tmux', 'tmux 2.9a');
  expect(ready()).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('tmux 3.0 or newer, and this is tmux 2.9a'),
  });
});

it('a git before 2.39 is refused with its version, also where its number has fewer digits', () => {
  program('tmux', 'tmux 3.3a');
  program('git', 'git version 2.9.1');
  expect(ready()).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('crewmux needs git 2.39 or newer, and this is git version 2.9.1'),
  });
});

it('without git one sentence says how to get it', () => {
  program('tmux', 'tmux next-3.7');
  expect(ready()).toMatchObject({ status: 1, stderr: expect.stringContaining('crewmux needs git') });
});
