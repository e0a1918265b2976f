import { closeSync, ftruncateSync, openSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { list } from '../../src/tools/shapes.ts';
import { openStand, type Server, type Stand } from './crew.ts';

let stand: Stand;
let server: Server;
beforeAll(async () => {
  stand = openStand();
  server = await stand.serve();
});
afterAll(() => stand.dispose());

const diffed = z.looseObject({ files: list(z.looseObject({ path: z.string() })), note: z.string().optional() });
const diff = async (of: string) => server.call('diff_worker', diffed, { session_id: of });
const clashes = z.object({
  pairs: list(z.looseObject({ a: z.string(), b: z.string(), conflicts: list(z.string()) })),
  unreadable: list(z.looseObject({})).optional(),
});

async function worker(name: string): Promise<string> {
  const { worktree_path } = await server.one({ name });
  if (worktree_path === undefined) throw new Error('no worktree');
  writeFileSync(join(worktree_path, `${name}.txt`), `${name}\n`);
  stand.sandbox.git(worktree_path, 'add', '.');
  stand.sandbox.git(worktree_path, 'commit', '-q', '-m', `Work of ${name}`);
  writeFileSync(join(worktree_path, 'loose.txt'), `${name}\n`);
  return worktree_path;
}
const paths = ({ files }: z.infer<typeof diffed>) => files.map(({ path }) => path).sort();

it('the work of a worker is shown whatever became of its worktree, and what is missing is said', async () => {
  const { sandbox, repo } = stand;
  const [ada, ben, cleo, dan] = [await worker('ada'), await worker('ben'), await worker('cleo'), await worker('dan')];
  const huge = openSync(join(ada, 'huge.bin'), 'w');
  ftruncateSync(huge, 200 * 1024 * 1024);
  closeSync(huge);
  expect(paths(await diff('ada'))).toEqual(['ada.txt', 'loose.txt']);
  expect(await diff('ada')).toMatchObject({ too_large: ['huge.bin'], uncommitted_files: 2 });

  sandbox.git(repo, 'update-ref', '-d', `refs/heads/${sandbox.git(ben, 'symbolic-ref', '--short', 'HEAD')}`);
  expect(paths(await diff('ben'))).toEqual(['ben.txt', 'loose.txt']);

  rmSync(join(cleo, '.git'));
  expect(await diff('cleo')).toMatchObject({ note: expect.stringContaining('is no worktree that git knows') });
  expect(paths(await diff('cleo'))).toEqual(['cleo.txt']);

  rmSync(dan, { recursive: true });
  expect(await diff('dan')).toMatchObject({ note: expect.stringContaining('is gone') });
  expect(paths(await diff('dan'))).toEqual(['dan.txt']);

  rmSync(join(ada, 'README.md'));
  symlinkSync('/nowhere', join(ada, 'README.md'));
  sandbox.git(ada, 'checkout', '-q', '--detach');
  expect(paths(await diff('ada'))).toEqual(['README.md', 'ada.txt', 'loose.txt']);

  const { pairs, unreadable } = await server.call('check_conflicts', clashes, {});
  expect(unreadable).toBeUndefined();
  expect(pairs.map(({ a, b, conflicts }) => [a, b, ...conflicts])).toEqual([
    ['ada', 'ben', 'loose.txt'],
    ['ada', 'cleo'],
    ['ada', 'dan'],
    ['ben', 'cleo'],
    ['ben', 'dan'],
    ['cleo', 'dan'],
  ]);
});

it('a worker in a repository without a commit has nothing to show, and is told why', async () => {
  const fresh = stand.sandbox.dir('fresh');
  stand.sandbox.git(fresh, 'init', '-q', '-b', 'main');
  writeFileSync(join(fresh, 'file'), '');
  await server.one({ name: 'eve', project_path: fresh, use_worktree: false });
  await expect(diff('eve')).rejects.toThrow('no commit yet');
});
