import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { countGitStarts, type GitStarts } from '../../support/git-starts.ts';
import { type RestingCrew, restingCrewIn } from '../../support/resting-crew.ts';
import { makeSandbox } from '../../support/sandbox.ts';

let crew: RestingCrew;
let starts: GitStarts;
beforeAll(async () => {
  const sandbox = makeSandbox();
  starts = countGitStarts(sandbox);
  crew = await restingCrewIn(sandbox, sandbox.repo('project'), { PATH: starts.path });
});
afterAll(() => crew.dispose());

const short = (at: string, ref = 'HEAD') => crew.git(at, 'rev-parse', '--short=12', ref);

it('it tells the commits that the base lacks, newest first, what the base has gained, and what is not committed', async () => {
  // Of a server that is gone, so that nobody looks after the main checkout at the same time.
  const ada = await crew.author('one.txt', 'one\n', {
    record: { manager: { pid: process.pid, processStart: 'before' } },
  });
  const at = ada.worktreePath;
  const one = short(at);
  crew.commit(at, 'two.txt', 'two\n', 'Write two: "quoted"');
  crew.commit(crew.repo, 'else.txt', 'else\n');
  writeFileSync(join(at, 'one.txt'), 'changed\n');
  writeFileSync(join(at, 'new.txt'), 'new\n');
  writeFileSync(join(at, '.gitignore'), '*.log\n');
  writeFileSync(join(at, 'ignored.log'), 'x\n');
  starts.taken();
  const commits = [`${short(at)} Write two: "quoted"`, `${one} Write one.txt`];
  const facts = await crew.verbs.branchOf({ worker: ada.id });
  expect(facts).toEqual({ branch: ada.branch, commits, behind: 1, dirtyFiles: 3 });
  expect(starts.taken().slice(6)).toEqual([]);
  rmSync(at, { recursive: true });
  expect(await crew.verbs.branchOf({ worker: ada.name })).toEqual({ ...facts, dirtyFiles: 0 });
});

it('of many commits it tells the newest fifty', async () => {
  const ada = await crew.worker();
  for (let n = 1; n <= 51; n += 1) crew.git(ada.worktreePath, 'commit', '-q', '--allow-empty', '-m', `No ${n}`);
  const { commits } = await crew.verbs.branchOf({ worker: ada.id });
  expect([commits.length, commits[0]]).toEqual([50, `${short(ada.worktreePath)} No 51`]);
});

it('where the base is gone it is compared with the commit it began from, and a branch that is gone has nothing', async () => {
  crew.git(crew.repo, 'branch', 'topic');
  const ada = await crew.author('topic.txt', 'x\n', { base: 'topic' });
  crew.git(crew.repo, 'branch', '-q', '-D', 'topic');
  const { commits } = await crew.verbs.branchOf({ worker: ada.id });
  expect(commits).toEqual([`${short(ada.worktreePath)} Write topic.txt`]);
  crew.git(ada.worktreePath, 'checkout', '-q', '--detach');
  crew.git(crew.repo, 'branch', '-q', '-D', ada.branch);
  expect(await crew.verbs.branchOf({ worker: ada.id })).toMatchObject({ commits: [], behind: 0 });
});

it('a worker without a branch of its own has none', async () => {
  const ada = await crew.worker();
  await crew.note(ada, { branch: null });
  expect(await crew.verbs.branchOf({ worker: ada.id })).toEqual({ commits: [], behind: 0, dirtyFiles: 0 });
});

it('beside another base it tells what that lacks, and what it has merged from there is not its own', async () => {
  const [ada, lane] = [await crew.author('own.txt', 'x\n'), await crew.author('others.txt', 'x\n')];
  crew.git(ada.worktreePath, 'merge', '-q', '--no-ff', '-m', 'Merge the lane', lane.branch);
  const { commits } = await crew.verbs.branchOf({ worker: ada.id, base: lane.branch });
  expect(commits.map((line) => line.slice(13)).toSorted()).toEqual(['Merge the lane', 'Write own.txt']);
  expect((await crew.verbs.branchOf({ worker: ada.id })).commits).toHaveLength(3);
  expect((await crew.verbs.branchOf({ worker: ada.id, base: 'gone' })).commits).toHaveLength(3);
});
