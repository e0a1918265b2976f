// Each setting that names a program, tried by one: git alone runs it, and git through our door does not.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tryGit } from '../../../src/worktree/git/repo.ts';
import { makeSandbox, type Sandbox } from '../../support/sandbox.ts';

let box: Sandbox;
let repo: string;
let ran: string;
let trap: string;
beforeAll(() => {
  box = makeSandbox();
  repo = box.repo('app');
  ran = join(box.root, 'ran');
  trap = join(box.root, 'trap');
  writeFileSync(trap, `#!/bin/sh\ntouch ${ran}\nexit 1\n`, { mode: 0o755 });
  writeFileSync(join(repo, '.gitattributes'), 'x.txt filter=x diff=x merge=x\n');
  writeFileSync(join(repo, 'x.txt'), 'one\n');
  box.git(repo, 'add', '-A');
  box.git(repo, 'commit', '-q', '-m', 'One');
  box.git(repo, 'branch', 'base');
  for (const branch of ['side', 'main']) {
    box.git(repo, 'switch', '-q', ...(branch === 'main' ? ['main'] : ['-c', branch]));
    writeFileSync(join(repo, 'x.txt'), `${branch}\n`);
    box.git(repo, 'commit', '-q', '-am', branch);
  }
  // A signature that git would have a program look at.
  const signed = box
    .git(repo, 'cat-file', 'commit', 'HEAD')
    .replace('\n\n', '\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n');
  writeFileSync(join(box.root, 'signed'), `${signed}\n`);
  const id = box.git(repo, 'hash-object', '-t', 'commit', '-w', join(box.root, 'signed'));
  box.git(repo, 'branch', 'signed', id);
});
afterAll(() => box.dispose());

const commit = ['commit', '--allow-empty', '-m', 'x'];
const reach = (url: string) => ['ls-remote', url];

it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
  ['core.fsmonitor', {}, ['status']],
  ['core.sshCommand', {}, reach('ssh://nowhere.invalid/x')],
  ['core.gitProxy', {}, reach('git://nowhere.invalid/x')],
  ['core.askPass', { 'credential.helper': '' }, ['credential', 'fill']],
  ['credential.helper', {}, ['credential', 'fill']],
  ['core.editor', {}, ['commit', '--allow-empty', '--amend']],
  ['gpg.program', { 'commit.gpgSign': 'true' }, commit],
  ['gpg.program', { 'tag.gpgSign': 'true' }, ['tag', '-m', 'x', '-f', 'x']],
  ['gpg.program', { 'log.showSignature': 'true' }, ['log', '-1', 'signed']],
  ['gpg.program', { 'merge.verifySignatures': 'true' }, ['merge', '--ff-only', 'signed']],
  ['filter.x.clean', {}, ['hash-object', '--path', 'x.txt', 'x.txt']],
  ['filter.x.process', {}, ['hash-object', '--path', 'x.txt', 'x.txt']],
  ['filter.x.smudge', {}, ['cat-file', '--filters', 'HEAD:x.txt']],
  ['merge.x.driver', {}, ['merge-tree', '--write-tree', 'main', 'side']],
  ['diff.x.textconv', {}, ['diff', 'base', 'main']],
  ['diff.x.command', {}, ['diff', 'base', 'main']],
  ['diff.external', {}, ['diff', 'base', 'main', '--', '.']],
])('%s with %j runs nothing', async (key, more, args) => {
  const settings = { 'user.name': 'x', 'user.email': 'x@x', ...more, [key]: trap };
  for (const [name, value] of Object.entries(settings)) box.git(repo, 'config', '--add', name, value);
  const input = 'protocol=https\nhost=nowhere.invalid\n\n';
  await tryGit({ path: repo, env: box.env }, args, { input });
  const through = existsSync(ran);
  // The control: without our door the same command runs it.
  const { GIT_TERMINAL_PROMPT: _, ...env } = box.env;
  spawnSync('git', [...args], { cwd: repo, env, input });
  const alone = existsSync(ran);
  rmSync(ran, { force: true });
  for (const name of Object.keys(settings)) box.git(repo, 'config', '--unset-all', name);
  expect({ through, alone }).toEqual({ through: false, alone: true });
});
