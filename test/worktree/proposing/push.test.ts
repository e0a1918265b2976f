// What a repository names for a remote runs neither when crewmux looks at the remote nor when it pushes.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { branchesThere, pushBranch } from '../../../src/worktree/proposing/push.ts';
import { makeSandbox, type Sandbox } from '../../support/sandbox.ts';

let box: Sandbox;
let repo: string;
let bare: string;
const asking = () => ({
  place: { path: repo, env: box.env },
  remote: 'origin',
  signal: new AbortController().signal,
});
const ran = () => existsSync(join(box.root, 'ran'));

beforeAll(() => {
  box = makeSandbox();
  repo = box.repo('app');
  bare = join(box.root, 'bare.git');
  box.git(box.root, 'init', '-q', '--bare', bare);
  box.git(repo, 'remote', 'add', 'origin', bare);
  const trap = join(box.root, 'trap');
  writeFileSync(trap, `#!/bin/sh\ntouch ${join(box.root, 'ran')}\nexit 1\n`, { mode: 0o755 });
  // Git takes the first, whatever is said later.
  for (const key of ['uploadpack', 'receivepack'])
    for (const value of [trap, `${trap} again`]) box.git(repo, 'config', '--add', `remote.origin.${key}`, value);
});
afterAll(() => box.dispose());

it('a program that a repository plants for the other end of a remote never runs, however often it is named', async () => {
  const branch = box.git(repo, 'branch', '--show-current');
  expect(await pushBranch({ ...asking(), branch, hooks: '/dev/null', isLfs: false })).toEqual({ as: 'pushed' });
  expect(await branchesThere(asking(), [branch])).toEqual(new Map([[branch, box.git(repo, 'rev-parse', 'HEAD')]]));
  expect(ran()).toBe(false);
});

it('the trap is real: git alone runs it', () => {
  expect(() => box.git(repo, 'ls-remote', 'origin')).toThrow();
  expect(ran()).toBe(true);
});

it('the one that the user names for it runs', async () => {
  const own = join(box.root, 'own');
  writeFileSync(own, `#!/bin/sh\ntouch ${own}-ran\nexec git-upload-pack "$@"\n`, { mode: 0o755 });
  const GIT_CONFIG_GLOBAL = join(box.root, 'users');
  writeFileSync(GIT_CONFIG_GLOBAL, `[remote "origin"]\n\tuploadpack = ${own}\n`);
  rmSync(join(box.root, 'ran'), { force: true });
  await branchesThere({ ...asking(), place: { path: repo, env: { ...box.env, GIT_CONFIG_GLOBAL } } }, ['main']);
  expect([existsSync(`${own}-ran`), ran()]).toEqual([true, false]);
});
