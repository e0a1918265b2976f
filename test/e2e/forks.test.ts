// A fork goes on where the forked worker stands: in its conversation and at its commit.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { Fields } from '../support/mcp.ts';
import { openStand, type Server, type Stand, type Worker } from './crew.ts';
import { commit } from './job-stand.ts';

let stand: Stand;
let server: Server;
beforeAll(async () => {
  stand = openStand();
  server = await stand.serve();
});
afterAll(() => stand.dispose());

const git = (at: string, ...args: string[]) => stand.sandbox.git(at, ...args);
const headOf = ({ project_path }: Worker) => git(project_path, 'rev-parse', 'HEAD');

/** A worker with one commit of its own. */
async function author(file: string): Promise<Worker> {
  const ada = await server.one({ prompt: commit(file, 'one') });
  await server.wait([ada]);
  return server.look(ada.session_id);
}

async function forkOf(ada: Worker, more: Fields = {}) {
  const asked = { skip_permissions: true, resume: ada.name, fork: true, prompt: 'SAY forked' };
  const { sessions, warnings, failed } = await server.spawn({ ...asked, ...more });
  const [bea] = sessions;
  if (bea === undefined) throw new Error(JSON.stringify(failed));
  await server.wait([bea]);
  return { bea, warnings: warnings.join('\n') };
}

const landed = z.looseObject({ success: z.boolean(), target: z.string(), files: z.array(z.string()) });
const examined = z.looseObject({
  git: z.looseObject({ base: z.string(), ahead: z.number() }),
  usage: z.looseObject({ input_tokens: z.number() }),
});

it('a fork begins at the commit of the forked worker, says what is left behind, and lands all of it on the base', async () => {
  const ada = await author('a.txt');
  const main = git(stand.repo, 'rev-parse', 'main');
  writeFileSync(join(ada.project_path, 'a.txt'), 'changed\n');
  writeFileSync(join(ada.project_path, 'new.txt'), 'new\n');
  const { bea, warnings } = await forkOf(ada);
  expect(headOf(bea)).toBe(headOf(ada));
  expect(headOf(bea)).not.toBe(main);
  expect(bea.base).toEqual({ ref: ada.branch, sha: headOf(ada) });
  expect(readFileSync(join(bea.project_path, 'a.txt'), 'utf8')).toBe('one\n');
  expect(warnings).toContain(`landing ${bea.name} lands that too`);
  expect(warnings).toContain(`${ada.name} has 2 files that are in no commit`);
  // Of its one answer; those before the fork are ada's.
  const { usage } = await server.call('examine_worker', examined, { session_id: bea.session_id });
  expect(usage.input_tokens).toBe(3_000);
  // Ada goes on, and nothing of that reaches the fork.
  await server.message(ada, commit('later.txt', 'later'), { wait_mode: 'all' });
  await server.message(bea, commit('b.txt', 'two'), { wait_mode: 'all' });
  expect((await server.call('examine_worker', examined, { session_id: bea.session_id })).git).toMatchObject({
    ...{ base: 'main', ahead: 2 },
  });
  const result = await server.call('merge_worker', landed, { session_id: bea.session_id });
  expect(result).toMatchObject({ success: true, target: 'main', files: ['a.txt', 'b.txt'] });
  expect(git(stand.repo, 'show', 'main:a.txt')).toBe('one');
});

it('a fork of a fork begins where that stands, and an agent session id of ours names the worker too', async () => {
  const ada = await author('c.txt');
  const { bea } = await forkOf(ada, { prompt: commit('d.txt', 'two') });
  const { bea: cora } = await forkOf(await server.look(bea.session_id), {
    resume: (await server.look(bea.session_id)).agent_session_id,
  });
  expect(headOf(cora)).toBe(headOf(bea));
  expect(await server.call('merge_worker', landed, { session_id: cora.session_id })).toMatchObject({
    ...{ success: true, target: 'main', files: ['c.txt', 'd.txt'] },
  });
});

it('a base or a branch that the call names counts more than the commit of the forked worker', async () => {
  const ada = await author('e.txt');
  const main = git(stand.repo, 'rev-parse', 'main');
  const { bea, warnings } = await forkOf(ada, { worktree: { base: 'main' } });
  expect([headOf(bea), bea.base, warnings]).toEqual([main, { ref: 'main', sha: main }, '']);
  git(stand.repo, 'branch', 'there', 'main');
  const { bea: cora } = await forkOf(ada, { worktree: { branch: 'there' } });
  expect([headOf(cora), cora.base]).toEqual([main, { ref: 'there', sha: main }]);
  const { bea: dora } = await forkOf(ada, { worktree: { branch: 'fresh' } });
  expect([headOf(dora), dora.branch]).toEqual([headOf(ada), 'fresh']);
});

it('a fork of a closed worker begins at its branch, and at HEAD where that is gone', async () => {
  const ada = await author('f.txt');
  const tip = headOf(ada);
  await server.close(ada);
  const { bea } = await forkOf(ada);
  expect(headOf(bea)).toBe(tip);
  git(stand.repo, 'branch', '-q', '-D', ada.branch ?? '');
  const { bea: cora, warnings } = await forkOf(ada);
  expect(headOf(cora)).toBe(git(stand.repo, 'rev-parse', 'HEAD'));
  expect(warnings).toContain(`the branch ${ada.branch} of ${ada.name} is gone`);
});

it('a fork brings along what the forked worker has not committed, or is refused before anything is made', async () => {
  const ada = await author('g.txt');
  writeFileSync(join(ada.project_path, 'g.txt'), 'changed\n');
  writeFileSync(join(ada.project_path, 'new.txt'), 'new\n');
  const { bea, warnings } = await forkOf(ada, { fork_changes: true });
  const status = ({ project_path }: Worker) => git(project_path, 'status', '--porcelain');
  expect([status(bea), headOf(bea)]).toEqual([status(ada), headOf(ada)]);
  expect(readFileSync(join(bea.project_path, 'g.txt'), 'utf8')).toBe('changed\n');
  expect(warnings).not.toContain('in no commit');
  stand.sandbox.git(stand.repo, 'init', '-q', join(ada.project_path, 'inner'));
  writeFileSync(join(ada.project_path, 'inner', 'file'), 'x');
  const trees = () => git(stand.repo, 'worktree', 'list');
  const before = trees();
  const asked = { resume: ada.name, fork: true, fork_changes: true };
  const { failed } = await server.spawn(asked);
  expect(failed[0]?.error).toMatch(/^worktree_failed: .*repositories of their own/);
  expect(trees()).toBe(before);
});
