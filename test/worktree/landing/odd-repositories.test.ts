import { existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repoPlace } from '../../../src/worktree/git/branch.ts';
import { inspectFolder } from '../../../src/worktree/git/inspect.ts';
import { changesBetween } from '../../../src/worktree/git/path-changes.ts';
import { carry } from '../../../src/worktree/landing/carry.ts';
import { bringAlong, checkoutAt } from '../../../src/worktree/landing/checkouts.ts';
import { commitLeftovers, draftFor, findLeftovers } from '../../../src/worktree/landing/leftovers.ts';
import { unpublishedPointers } from '../../../src/worktree/landing/submodules.ts';
import { removeWorktree } from '../../../src/worktree/removal/remove.ts';
import { failingHook, together, withoutLfs, withSubmodule } from '../../support/odd-repositories.ts';
import { type Ground, spawnIn, workThrough, write } from '../../support/odd-way.ts';
import { makeSandbox, type Sandbox } from '../../support/sandbox.ts';

let box: Sandbox;
beforeAll(() => {
  box = makeSandbox();
});
afterAll(() => box.dispose());

// Each by itself is a drill.
describe('worked in, looked at, landed from and cleaned as any other is', () => {
  it.each(together)('$title', async ({ title, build, ...way }) => {
    await workThrough(box, build(box, title.replaceAll(' ', '-')), way);
  });
});

/** The worktree, its index and the branch, byte for byte. */
const stateOf = ({ added }: Ground) => [
  box.git(added.path, 'status', '--porcelain'),
  box.git(added.path, 'rev-parse', 'HEAD'),
  box.git(added.path, 'ls-files', '--stage'),
];

describe('refused in words of its own, with nothing changed, is', () => {
  it('a commit that a hook forbids', async () => {
    const ground = await spawnIn(box, box.repo('hooked'));
    write(ground.added.path, 'new.txt', 'new\n');
    const before = stateOf(ground);
    for (const name of ['pre-commit', 'prepare-commit-msg', 'commit-msg']) {
      const takeAway = failingHook(ground.path, name);
      const found = await findLeftovers({ ...ground.added, repo: ground.repo });
      await expect(
        commitLeftovers(found, draftFor(found), { message: 'Left\n', hooks: join(found.folder.gitCommonDir, 'hooks') }),
      ).rejects.toMatchObject({
        code: 'checks_failed',
        message: expect.stringContaining(`${name} says no`),
      });
      takeAway();
      expect(stateOf(ground)).toEqual(before);
      expect(
        readdirSync(found.folder.gitDir).filter((file) => file.startsWith('crewmux-') && /index/.test(file)),
      ).toEqual([]);
    }
  });

  it('a worktree because of a filter that is not installed', async () => {
    const { path } = withoutLfs(box, 'without-lfs');
    await expect(spawnIn(box, path)).rejects.toMatchObject({ message: expect.stringContaining('no-such-git-lfs') });
    expect(box.git(path, 'worktree', 'list').split('\n')).toHaveLength(1);
    expect(box.git(path, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
    expect(readdirSync(join(path, '.worktrees'))).toEqual([]);
  });

  it('what is uncommitted in a submodule, and a pointer that nobody else could follow', async () => {
    const ground = await spawnIn(box, withSubmodule(box, 'pointing').path);
    const { added, repo } = ground;
    const inside = (...args: string[]) => box.git(join(added.path, 'lib'), ...args);
    box.git(added.path, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init');
    write(added.path, 'lib/new.txt', 'new\n');
    await expect(findLeftovers({ ...added, repo })).rejects.toMatchObject({
      code: 'would_lose_work',
      message: expect.stringContaining('lib'),
    });
    inside('add', '.');
    inside('commit', '-q', '-m', 'Inside');
    const found = await findLeftovers({ ...added, repo });
    await commitLeftovers(found, draftFor(found), {
      message: 'Point\n',
      hooks: join(found.folder.gitCommonDir, 'hooks'),
    });
    const range = { from: added.base.sha, to: box.git(added.path, 'rev-parse', 'HEAD') };
    const landing = { worktree: added.path, changes: await changesBetween(repoPlace(repo), range) };
    const alone = [{ path: 'lib', commit: inside('rev-parse', 'HEAD') }];
    expect(await unpublishedPointers(repo, landing)).toEqual(alone);
    inside('push', '-q', 'origin', 'HEAD:refs/heads/new');
    expect(await unpublishedPointers(repo, landing)).toEqual([]);
    await expect(removeWorktree({ repo, path: added.path, force: true, workerId: 'w' })).rejects.toMatchObject({
      code: 'would_lose_work',
    });
  });

  it('a repository whose path git would print as two', async () => {
    const path = box.repo('two\nlines');
    box.repo('two');
    await expect(spawnIn(box, path)).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(existsSync(join(box.root, 'two', '.worktrees'))).toBe(false);
  });
});

// Git asks the filter what a file is where its time does not tell, and again to write: each can be what fails first.
it.each([
  { missing: 'clean', there: 'smudge', told: "clean filter 'no-clean' failed" },
  { missing: 'smudge', there: 'clean', told: 'smudge filter no-smudge failed' },
])(
  'a checkout whose $missing filter is missing is left whole when its branch moves',
  async ({ missing, there, told }) => {
    const path = box.repo(`without-${missing}`);
    const git = (...args: string[]) => box.git(path, ...args);
    write(path, '.gitattributes', `*.bin filter=no-${missing} -text\n`);
    const files = ['a.txt', 'm.bin', 'z.txt'];
    const commits = ['1\n', '2\n'].map((text) => {
      for (const file of files) write(path, file, text);
      git('add', '.');
      git('commit', '-q', '-m', text);
      return git('rev-parse', 'HEAD');
    });
    const [from = '', to = ''] = commits;
    git('reset', '-q', '--hard', from);
    git('config', '--global', `filter.no-${missing}.${missing}`, 'no-such-filter');
    git('config', '--global', `filter.no-${missing}.${there}`, 'cat');
    git('config', '--global', `filter.no-${missing}.required`, 'true');
    // An index that is no younger than its files: git reads what lies there again.
    utimesSync(join(path, '.git/index'), 1, 1);
    const repo = await inspectFolder({ path, env: box.env });
    if (repo === undefined) throw new Error('no repository');
    const checkout = await checkoutAt(repo, path);
    const isWhole = () =>
      expect(files.map((file) => readFileSync(join(path, file), 'utf8'))).toEqual(['1\n', '1\n', '1\n']);
    expect(await bringAlong(checkout, { from, to })).toContain(told);
    isWhole();
    const branch = git('branch', '--show-current');
    await expect(carry(checkout, { branch, from, to })).rejects.toThrow(told);
    isWhole();
  },
);
