import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inspectFolder } from '../../../src/worktree/git/inspect.ts';
import {
  findParent,
  type KnownBranches,
  type ParentRequest,
  parentBranch,
  whyBranchless,
} from '../../../src/worktree/making/parent-branch.ts';
import { resolveBase } from '../../../src/worktree/making/start.ts';
import { makeSandbox, type Sandbox } from '../../support/sandbox.ts';

const known: KnownBranches = {
  refs: new Map([
    ['refs/heads/main', 'm'],
    ['refs/heads/feat/x', 'x'],
    ['refs/heads/origin/odd', 'o'],
    ['refs/remotes/origin/main', 'om'],
    ['refs/remotes/origin/dev', 'od'],
    ['refs/remotes/origin/odd', 'oo'],
    ['refs/remotes/origin/HEAD', 'om'],
    ['refs/remotes/team/fork/main', 'fm'],
  ]),
  symbolic: new Map([['refs/remotes/origin/HEAD', 'refs/remotes/origin/main']]),
  remotes: ['origin', 'team', 'team/fork'],
};

describe('a name and the branch it means', () => {
  it.each([
    ['main', 'any', { branch: 'main', sha: 'm' }],
    ['feat/x', 'local', { branch: 'feat/x', sha: 'x' }],
    ['refs/heads/main', 'local', { branch: 'main', sha: 'm' }],
    ['origin/main', 'any', { remote: 'origin', branch: 'main', sha: 'om' }],
    ['origin/main', 'same-name-here', { branch: 'main', sha: 'm' }],
    ['origin/main', 'local', undefined],
    ['refs/remotes/origin/main', 'any', { remote: 'origin', branch: 'main', sha: 'om' }],
    ['origin/HEAD', 'any', { remote: 'origin', branch: 'main', sha: 'om' }],
    ['origin/HEAD', 'same-name-here', { branch: 'main', sha: 'm' }],
    ['origin/dev', 'same-name-here', undefined],
    ['origin/odd', 'any', { branch: 'origin/odd', sha: 'o' }],
    ['refs/remotes/origin/odd', 'any', { remote: 'origin', branch: 'odd', sha: 'oo' }],
    ['team/fork/main', 'any', { remote: 'team/fork', branch: 'main', sha: 'fm' }],
    ['dev', 'any', undefined],
    ['gone', 'any', undefined],
    ['main~1', 'any', undefined],
  ] as const)('%s, %s', (name, reach, parent) => {
    expect(findParent(known, name, reach)).toEqual(parent);
  });
});

describe('in a repository', () => {
  let box: Sandbox;
  let repo: string;
  let start: string;
  beforeEach(() => {
    box = makeSandbox();
    repo = box.repo('app');
    start = box.git(repo, 'rev-parse', 'HEAD');
    box.git(repo, 'tag', 'v1');
    box.git(repo, 'branch', 'alpha');
    box.git(repo, 'branch', 'next');
    box.git(repo, 'update-ref', 'refs/remotes/origin/dev', start);
    box.git(repo, 'config', 'remote.origin.url', 'https://example.invalid/app.git');
    box.git(repo, 'commit', '-q', '--allow-empty', '-m', 'Ahead');
  });
  afterEach(() => box.dispose());

  async function look() {
    const folder = await inspectFolder({ path: repo, env: box.env });
    if (folder === undefined) throw new Error('no repository');
    return folder;
  }
  const parent = async (request: Partial<ParentRequest>) =>
    parentBranch(await look(), { reach: 'any', parameter: 'from', ...request });
  /** As it was begun; `start` stands for its commit. */
  const begunFrom = (ref: string) => ({ recorded: { ref: ref === 'start' ? start : ref, sha: start } });

  it('a base that has moved on is meant as it stands now', async () => {
    expect(await parent(begunFrom('main'))).toEqual({ branch: 'main', sha: box.git(repo, 'rev-parse', 'HEAD') });
  });

  it('work with no recorded base belongs to the current branch of the main checkout', async () => {
    expect(await parent({})).toMatchObject({ branch: 'main' });
  });

  it.each([
    ['a tag', 'v1', /"v1" is a tag and no branch/],
    ['a commit', 'start', /is a commit and no branch/],
    ['an expression', 'main~1', /"main~1" is a commit/],
    ['a branch that is gone', 'nest', /"nest" is no branch of .*app/],
  ])(
    'work begun from %s: what it is, and the default branch before others that hold its start',
    async (_, ref, message) => {
      await expect(parent(begunFrom(ref))).rejects.toMatchObject({
        code: 'base_not_found',
        message: expect.stringMatching(message),
        hint: 'The work was begun from it. Pass from with a branch, such as main, alpha, next, origin/dev.',
      });
    },
  );

  it.each([
    [undefined, undefined],
    ['HEAD', undefined],
    ['next', undefined],
    ['refs/heads/next', undefined],
    ['origin/dev', undefined],
    ['v1', '"v1" is a tag and no branch'],
    ['main~1', '"main~1" is a commit and no branch'],
  ])('a worker that begins at %s is told %s', async (asked, words) => {
    const folder = await look();
    expect(await whyBranchless(folder, await resolveBase(folder, asked))).toBe(words);
  });

  it('a worker that begins at a detached HEAD is told so', async () => {
    box.git(repo, 'checkout', '-q', 'v1');
    const folder = await look();
    const words = `HEAD of ${repo} is detached at ${start.slice(0, 12)}`;
    expect(await whyBranchless(folder, await resolveBase(folder, undefined))).toBe(words);
  });

  it.each([
    ['a branch of a remote where one here is meant', 'origin/dev', /is a branch of a remote and not one here/],
    ['a name that looks like an option', '--all', /"--all" is no local branch/],
    ['a name with a slip', 'nxt', /"nxt" is no local branch/],
  ])('%s is refused with the branches that are near', async (_, asked, message) => {
    await expect(parent({ asked, reach: 'local' })).rejects.toMatchObject({
      message: expect.stringMatching(message),
      hint: expect.stringMatching(/^Pass from with a branch, such as main, .*\bnext\b/),
    });
  });
});
