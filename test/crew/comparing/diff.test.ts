import { closeSync, ftruncateSync, openSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { checkConflicts } from '../../../src/tools/check-conflicts.ts';
import { diffWorker } from '../../../src/tools/diff-worker.ts';
import { examineWorker } from '../../../src/tools/examine-worker.ts';
import { openRestingCrew, type Resting, type RestingCrew } from '../../support/resting-crew.ts';
import { unhurriedMs } from '../../support/unhurried.ts';

let crew: RestingCrew;
beforeAll(async () => {
  crew = await openRestingCrew();
});
afterAll(() => crew.dispose());

const diffed = z.looseObject({ files: z.array(z.looseObject({ path: z.string() })), note: z.string().optional() });
const diff = ({ id }: Resting) => crew.call(diffWorker, diffed, { session_id: id });
const paths = ({ files }: z.infer<typeof diffed>) => files.map(({ path }) => path).sort();

async function worker(name: string): Promise<Resting> {
  const author = await crew.author(`${name}.txt`, `${name}\n`, { record: { name } });
  writeFileSync(join(author.worktreePath, 'loose.txt'), `${name}\n`);
  return author;
}

it(
  'the work of a worker is shown whatever became of its worktree, and what is missing is said',
  async () => {
    const [ada, ben, cleo, dan] = [await worker('ada'), await worker('ben'), await worker('cleo'), await worker('dan')];
    const huge = openSync(join(ada.worktreePath, 'huge.bin'), 'w');
    ftruncateSync(huge, 200 * 1024 * 1024);
    closeSync(huge);
    const seen = await diff(ada);
    expect(paths(seen)).toEqual(['ada.txt', 'loose.txt']);
    expect(seen).toMatchObject({ too_large: ['huge.bin'], uncommitted_files: 2 });

    crew.git(crew.repo, 'update-ref', '-d', `refs/heads/${ben.branch}`);
    expect(paths(await diff(ben))).toEqual(['ben.txt', 'loose.txt']);

    rmSync(join(cleo.worktreePath, '.git'));
    const unknown = await diff(cleo);
    expect(unknown).toMatchObject({ note: expect.stringContaining('leads to no git folder') });
    expect(paths(unknown)).toEqual(['cleo.txt']);

    rmSync(dan.worktreePath, { recursive: true });
    const gone = await diff(dan);
    expect(gone).toMatchObject({ note: expect.stringContaining('is gone') });
    expect(paths(gone)).toEqual(['dan.txt']);

    rmSync(join(ada.worktreePath, 'README.md'));
    symlinkSync('/nowhere', join(ada.worktreePath, 'README.md'));
    crew.git(ada.worktreePath, 'checkout', '-q', '--detach');
    expect(paths(await diff(ada))).toEqual(['README.md', 'ada.txt', 'loose.txt']);

    const clashes = z.object({
      pairs_checked: z.number(),
      pairs: z.array(z.looseObject({ a: z.string(), b: z.string(), conflicts: z.array(z.string()) })),
      unreadable: z.array(z.looseObject({})).optional(),
    });
    const session_ids = [ada, ben, cleo, dan].map(({ id }) => id);
    const { pairs, pairs_checked, unreadable } = await crew.call(checkConflicts, clashes, { session_ids });
    expect(unreadable).toBeUndefined();
    expect(pairs_checked).toBe(6);
    expect(pairs.map(({ a, b, conflicts }) => [a, b, ...conflicts])).toEqual([['ada', 'ben', 'loose.txt']]);
  },
  unhurriedMs,
);

it('a worker in a repository without a commit has nothing to show, and is told why', async () => {
  const fresh = crew.sandbox.dir('fresh');
  crew.git(fresh, 'init', '-q', '-b', 'main');
  writeFileSync(join(fresh, 'file'), '');
  const eve = await crew.worker();
  const nowhere = { worktreePath: null, branch: null, base: null, ownsWorktree: false };
  await crew.note(eve, { ...nowhere, projectPath: fresh, mainRepoPath: fresh });
  await expect(diff(eve)).rejects.toThrow('no commit yet');
});

it(
  'who changed nothing since its base, or other files than a base that moved, conflicts with nobody and is only behind',
  async () => {
    const begin = (name: string) => crew.author(`${name}.txt`, `${name}\n`, { record: { name } });
    const [eva, finn] = [await begin('eva'), await begin('finn')];
    writeFileSync(join(eva.worktreePath, 'moved.txt'), 'eva\n');
    crew.git(finn.worktreePath, 'reset', '-q', '--hard', finn.base?.sha ?? '');
    crew.commit(crew.repo, 'moved.txt', 'main\n');
    const gina = await crew.author('gina.txt', 'gina\n', { record: { name: 'gina' } });
    const hal = await begin('hal');
    crew.git(hal.worktreePath, 'reset', '-q', '--hard', hal.base?.sha ?? '');

    const clash = z.looseObject({ conflicts: z.array(z.string()), both_edited: z.array(z.string()) });
    const told = z.object({
      pairs: z.array(clash.extend({ a: z.string(), b: z.string() })),
      against_base: z.array(clash.extend({ name: z.string() })),
    });
    const session_ids = [eva, finn, gina, hal].map(({ id }) => id);
    const { pairs, against_base } = await crew.call(checkConflicts, told, { session_ids });
    expect(pairs).toEqual([]);
    expect(against_base).toMatchObject([{ name: 'eva', conflicts: ['moved.txt'], both_edited: ['moved.txt'] }]);
    const examined = z.looseObject({ git: z.looseObject({ behind: z.number() }) });
    const behind = async ({ id }: Resting) => (await crew.call(examineWorker, examined, { session_id: id })).git.behind;
    expect(await Promise.all([eva, finn, gina, hal].map(behind))).toEqual([1, 1, 0, 0]);
  },
  unhurriedMs,
);
