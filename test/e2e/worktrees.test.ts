import { rmSync, writeFileSync } from 'node:fs';
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

const listed = z.object({ worktrees: list(z.looseObject({ name: z.string() })), total: z.number() });
const examined = z.looseObject({ git: z.looseObject({}).nullable(), git_unreadable: z.string().optional() });
const examine = (of: string) => server.call('examine_worker', examined, { session_id: of });

it('worktrees say whose they are, who is in them, and what state each is in', async () => {
  const { sandbox, repo } = stand;
  const [ada, ben] = [await server.one({ name: 'ada' }), await server.one({ name: 'ben' })];
  const [at, benAt] = [ada.worktree_path ?? '', ben.worktree_path ?? ''];
  await server.message(ben, 'WRITE left.txt by ben\nSAY done');
  await server.wait([ben]);
  await server.close(ben);
  sandbox.git(repo, 'worktree', 'lock', '--reason', 'kept for ben', benAt);
  sandbox.git(repo, 'worktree', 'add', '-q', '--detach', join(sandbox.root, 'users own'));
  sandbox.git(at, 'bisect', 'start');
  const { worktrees, total } = await server.call('list_worktrees', listed, { repo_path: repo });
  expect(total).toBe(3);
  const named = (path: string) => worktrees.find((one) => one.path === path);
  expect(named(at)).toMatchObject({
    worker: `ada (${ada.session_id})`,
    in_use_by: [`ada (${ada.session_id})`],
    foreign: false,
    operation: 'bisect',
    base: 'main',
    locked: false,
  });
  expect(named(benAt)).toMatchObject({ foreign: false, dirty: true, locked: true, lock_reason: 'kept for ben' });
  expect(named(benAt)).not.toHaveProperty('in_use_by');
  expect(named(join(sandbox.root, 'users own'))).toMatchObject({ foreign: true, detached: true, branch: null });
});

it('a worker’s own git state is told with what was not finished, and what cannot be told says why', async () => {
  const cleo = await server.one({ name: 'cleo' });
  const at = cleo.worktree_path ?? '';
  writeFileSync(join(at, 'new'), '');
  stand.sandbox.git(at, 'checkout', '-q', '--detach');
  stand.sandbox.git(at, 'commit', '-q', '--allow-empty', '-m', 'Adrift');
  expect((await examine('cleo')).git).toMatchObject({
    branch: null,
    base: 'main',
    ahead: 1,
    commits: ['Adrift'],
    dirty_files: 1,
    untracked_files: 1,
    detached: true,
    unreachable: true,
    merged: false,
  });
  rmSync(at, { recursive: true });
  expect(await examine('cleo')).toMatchObject({ git: null, git_unreadable: expect.stringContaining(at) });
});
