import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FolderFacts, inspectFolder } from '../../../src/worktree/git/inspect.ts';
import {
  chooseRemote,
  hostedRepo,
  nameThere,
  proposedTo,
  remoteConfig,
  repoOf,
  slugOf,
} from '../../../src/worktree/proposing/remotes.ts';
import { makeSandbox, type Sandbox } from '../../support/sandbox.ts';

it.each([
  ['https://github.com/acme/app.git', 'acme/app'],
  ['https://github.com/acme/app', 'acme/app'],
  ['https://www.github.com/acme/app/', 'acme/app'],
  ['https://me:secret@github.com/acme/app.git', 'acme/app'],
  ['git@github.com:acme/app.git', 'acme/app'],
  ['github.com:acme/app', 'acme/app'],
  ['ssh://git@github.com/acme/app.git', 'acme/app'],
  ['ssh://git@ssh.github.com:443/acme/app.git', 'acme/app'],
  ['git@GITHUB.com:acme/a.b_c-d.git', 'acme/a.b_c-d'],
  ['https://git.acme.example:8443/acme/app.git', 'git.acme.example/acme/app'],
  ['https://gitlab.example/group/sub/app.git', undefined],
  ['/srv/git/app.git', undefined],
  ['../app.git', undefined],
  ['file:///srv/acme/app.git', undefined],
  ['https://github.com/acme', undefined],
  ['-oProxyCommand=x:acme/app', undefined],
  ['', undefined],
])('%s is the repository %s', (url, slug) => {
  const found = hostedRepo(url);
  expect(found === undefined ? undefined : slugOf(found)).toBe(slug);
});

describe('in a repository', () => {
  let box: Sandbox;
  let repo: FolderFacts;
  beforeEach(async () => {
    box = makeSandbox();
    const found = await inspectFolder({ path: box.repo('app'), env: box.env });
    if (found === undefined) throw new Error('no repository');
    repo = found;
  });
  afterEach(() => box.dispose());

  const config = (key: string, value: string) => box.git(repo.mainRepoPath, 'config', key, value);
  const remotes = (...names: string[]) =>
    names.forEach(
      (name) => void box.git(repo.mainRepoPath, 'remote', 'add', name, `https://github.com/${name}/app.git`),
    );
  const chosen = async (asked?: string) => chooseRemote(repo, await remoteConfig(repo), { asked, branch: 'ada' });

  it('the remote is the one asked for, the one to push to, origin, or the only one', async () => {
    expect(await chosen()).toBeUndefined();
    remotes('fork');
    expect(await chosen()).toBe('fork');
    remotes('other', 'origin');
    expect(await chosen()).toBe('origin');
    config('branch.ada.remote', 'other');
    expect(await chosen()).toBe('other');
    config('remote.pushDefault', 'fork');
    expect(await chosen()).toBe('fork');
    config('branch.ada.pushRemote', 'origin');
    expect(await chosen()).toBe('origin');
    expect(await chosen('other')).toBe('other');
    await expect(chosen('--upload-pack=x')).rejects.toMatchObject({
      hint: 'Pass one of its remotes: fork, origin, other.',
    });
  });

  it('a base that follows a branch of another name is called as the remote calls it', async () => {
    remotes('origin', 'other');
    config('branch.main.remote', 'origin');
    config('branch.main.merge', 'refs/heads/trunk');
    const known = await remoteConfig(repo);
    expect(nameThere(known, { remote: 'origin', branch: 'main' })).toBe('trunk');
    expect(nameThere(known, { remote: 'other', branch: 'main' })).toBe('main');
  });

  it('an address that is rewritten is read as git uses it, else as it is written', async () => {
    remotes('origin');
    config('url./srv/mirror/.insteadOf', 'https://github.com/origin/');
    expect(await repoOf(repo, await remoteConfig(repo), 'origin')).toMatchObject({ owner: 'origin', name: 'app' });
    config('remote.origin.url', 'gh:acme/app');
    config('url.git@github.com:.insteadOf', 'gh:');
    expect(await repoOf(repo, await remoteConfig(repo), 'origin')).toEqual({
      host: 'github.com',
      owner: 'acme',
      name: 'app',
    });
  });

  it('a word of the ssh configuration stands for its host, and is asked of ssh without connecting', async () => {
    const bin = box.dir('bin');
    writeFileSync(join(bin, 'ssh'), '#!/bin/sh\n[ "$*" = "-G work" ] && echo "hostname ssh.github.com"\n', {
      mode: 0o755,
    });
    box.git(repo.mainRepoPath, 'remote', 'add', 'origin', 'git@work:acme/app.git');
    const asked = { ...repo, env: { ...box.env, PATH: `${bin}:${box.env.PATH}` } };
    expect(await repoOf(asked, await remoteConfig(repo), 'origin')).toEqual({
      host: 'github.com',
      owner: 'acme',
      name: 'app',
    });
    const none = { ...repo, env: { ...box.env, PATH: bin } };
    rmSync(join(bin, 'ssh'));
    symlinkSync(execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim(), join(bin, 'git'));
    expect(await repoOf(none, await remoteConfig(repo), 'origin')).toMatchObject({ host: 'work' });
  });

  it('pull requests go where gh was told that they go', async () => {
    remotes('fork', 'up');
    const from = { host: 'github.com', owner: 'fork', name: 'app' };
    expect(proposedTo(await remoteConfig(repo), from)).toEqual(from);
    config('remote.up.gh-resolved', 'base');
    expect(proposedTo(await remoteConfig(repo), from)).toMatchObject({ owner: 'up' });
    config('remote.up.gh-resolved', 'acme/main-app');
    expect(proposedTo(await remoteConfig(repo), from)).toMatchObject({ owner: 'acme', name: 'main-app' });
  });
});
