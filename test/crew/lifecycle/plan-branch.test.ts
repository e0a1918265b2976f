import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PlanBranchOrder } from '../../../src/crew/lifecycle/plan-branch.ts';
import { newWorkerId } from '../../../src/model/ids.ts';
import { openRestingCrew, type RestingCrew } from '../../support/resting-crew.ts';

let crew: RestingCrew;
beforeAll(async () => {
  crew = await openRestingCrew();
});
afterAll(() => crew.dispose());

const git = (...args: string[]) => crew.git(crew.repo, ...args);
const open = (order: Partial<PlanBranchOrder> = {}) =>
  crew.verbs.openPlanBranch({ id: newWorkerId(), name: 'cart', project: 'auto', ...order });

it('a plan starts from the current branch, on a branch with its name and id, and nothing is checked out', async () => {
  git('checkout', '-q', '-b', 'develop');
  const before = [git('status', '--porcelain', '--branch'), git('worktree', 'list')];
  const lane = await open({ id: 'abcd0123', name: 'The cart: now!' });
  const sha = git('rev-parse', 'develop');
  expect(lane).toEqual({
    ...{ id: 'abcd0123', name: 'The cart: now!', branch: 'crewmux/The-cart-now-abcd0123' },
    ...{ repoPath: crew.repo, crew: expect.stringMatching(/project-[0-9a-f]{6}$/), base: { ref: 'develop', sha } },
  });
  expect(git('rev-parse', lane.branch)).toBe(sha);
  expect([git('status', '--porcelain', '--branch'), git('worktree', 'list')]).toEqual(before);
  git('checkout', '-q', 'main');
});

it('under the same id it is the same branch, as it has become, though its base has moved on', async () => {
  const id = newWorkerId();
  const lane = await open({ id, base: 'main' });
  const ada = await crew.author('one.txt', 'one\n', { base: lane.branch });
  git('update-ref', `refs/heads/${lane.branch}`, ada.branch);
  crew.commit(crew.repo, 'two.txt', 'two\n');
  expect(await open({ id, base: 'main' })).toEqual(lane);
  expect(git('rev-parse', lane.branch)).toBe(git('rev-parse', ada.branch));
});

it('two servers that open it at the same moment make one branch', async () => {
  const [other, id] = [await crew.open(), newWorkerId()];
  const order = { id, name: 'both', project: crew.repo };
  const [a, b] = await Promise.all([crew.verbs.openPlanBranch(order), other.verbs.openPlanBranch(order)]);
  expect(a).toEqual(b);
});

it.each([
  ['v1', 'is a tag'],
  ['HEAD~0', 'is a commit'],
  ['mian', 'is no local branch'],
])('the base %s is refused, since it %s', async (base, words) => {
  git('tag', '-f', 'v1');
  const refused = { code: 'base_not_found', message: expect.stringContaining(words) };
  await expect(open({ base })).rejects.toMatchObject({ ...refused, hint: expect.stringContaining('main') });
});

it('where HEAD is on no branch, a base must be given', async () => {
  git('checkout', '-q', '--detach');
  await expect(open()).rejects.toMatchObject({ code: 'base_not_found', hint: expect.stringContaining('pass base') });
  expect((await open({ base: 'main' })).base.ref).toBe('main');
  git('checkout', '-q', 'main');
});

it('outside of a repository, and before the first commit, it says what would help', async () => {
  const path = crew.sandbox.dir('plain');
  const mended = 'git add -A && git commit -m "First commit"';
  await expect(open({ project: path })).rejects.toMatchObject({
    code: 'not_a_repository',
    hint: expect.stringContaining(`cd ${path} && git init && ${mended}`),
  });
  execFileSync('git', ['init', '-q', path], { env: crew.sandbox.env });
  for (const base of [{}, { base: 'main' }])
    await expect(open({ project: path, ...base })).rejects.toMatchObject({
      code: 'not_a_repository',
      message: expect.stringContaining('no commit yet'),
      hint: expect.stringContaining(`cd ${path} && ${mended}`),
    });
});

it('a branch that stands in the way is named, and nothing is made', async () => {
  const path = crew.sandbox.repo('blocked');
  crew.git(path, 'branch', 'crewmux');
  await expect(open({ project: path })).rejects.toMatchObject({ code: 'branch_exists' });
  expect(crew.git(path, 'for-each-ref', '--format=%(refname:short)', 'refs/heads')).toBe('crewmux\nmain');
});
