import { closeSync, ftruncateSync, openSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { checkConflicts } from '../../../src/tools/check-conflicts.ts';
import { diffWorker } from '../../../src/tools/diff-worker.ts';
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
