// A worker writes objects of the repository under ids that are not theirs.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { restartWorkers } from '../../../src/tools/restart-workers.ts';
import { spawnWorkers } from '../../../src/tools/spawn-workers.ts';
import type { Tool } from '../../../src/tools/tool.ts';
import { findBubblewrap } from '../../../src/worktree/landing/sandbox-probe.ts';
import { forge, loosePath } from '../../support/forged.ts';
import type { Fields } from '../../support/mcp.ts';
import { workerRecord } from '../../support/records.ts';
import { openRestingCrew, type RestingCrew } from '../../support/resting-crew.ts';
import { land } from './landed.ts';

let crew: RestingCrew;
beforeEach(async () => {
  crew = await openRestingCrew({ CREWMUX_COMMAND: process.execPath });
});
afterEach(() => crew.dispose());

const git = (...args: string[]) => crew.git(crew.repo, ...args);
const tip = (ref = 'main') => git('rev-parse', ref);
const gitDir = () => join(crew.repo, '.git');
const evil = { type: 'blob' as const, content: 'evil\n' };
/** What its start says of a worker in a sandbox. */
const sandboxed = () => {
  const { launch } = workerRecord();
  const dir = `${crew.sandbox.env.CREWMUX_HOME}/workers/none`;
  return { record: { launch: { ...launch, dir, command: [process.execPath], sandbox: 'on' as const } } };
};
const contentOf = (type: string, id: string) =>
  execFileSync('git', ['cat-file', type, id], { cwd: crew.repo, env: crew.sandbox.env });

const starting = z.looseObject({
  failed: z.array(z.object({ step: z.string(), error: z.string(), hint: z.string() })),
});
const failed = async (tool: Tool, args: Fields) => (await crew.call(tool, starting, args)).failed;
const refusal = (id: string, path: string) => ({
  step: 'worktree',
  error: expect.stringMatching(new RegExp(`^worktree_failed: The object ${id} \\(${path}\\) .* is forged or damaged`)),
  hint: expect.stringContaining(loosePath(gitDir(), id)),
});

it('a forged hook of the base stops the next start in a sandbox, and nothing is made', async () => {
  if (!('program' in (await findBubblewrap(crew.sandbox.env)))) return;
  crew.commit(crew.repo, 'pre-push', 'true\n');
  const id = tip('main:pre-push');
  forge(gitDir(), id, evil);
  const worktrees = git('worktree', 'list');
  const wish = { project_path: crew.repo, agent_type: 'claude', sandbox: true };
  expect(await failed(spawnWorkers, { workers: [wish] })).toMatchObject([refusal(id, 'pre-push')]);
  expect(git('worktree', 'list')).toBe(worktrees);
  expect(git('branch', '--format=%(refname:short)')).toBe('main');
});

it('once a repository is watched, one stops the start of a worker without a sandbox, and each restart', async () => {
  const resting = await crew.author('first.txt', 'first\n', sandboxed());
  await land(crew, resting, { test_command: '' });
  crew.commit(crew.repo, 'later.txt', 'later\n');
  const id = tip('main:later.txt');
  forge(gitDir(), id, evil);
  const wish = { project_path: crew.repo, sandbox: false };
  expect(await failed(spawnWorkers, { workers: [wish] })).toMatchObject([refusal(id, 'later.txt')]);
  expect(await failed(restartWorkers, { session_ids: [resting.id] })).toMatchObject([refusal(id, 'later.txt')]);
});

it.each([
  { what: 'commit', of: (branch: string) => `${branch}~1`, from: 'Write one.txt', to: 'Write two.txt' },
  { what: 'tree', of: (branch: string) => `${branch}^{tree}`, from: 'one.txt', to: 'two.txt' },
  { what: 'blob', of: (branch: string) => `${branch}:one.txt`, from: 'one', to: 'two' },
])('a landing refuses a forged $what between base and tip, and moves nothing', async ({ what, of, from, to }) => {
  const worker = await crew.author('one.txt', 'one\n', sandboxed());
  crew.commit(worker.worktreePath, 'more.txt', 'more\n');
  const id = tip(of(worker.branch));
  const before = tip();
  const content = contentOf(what, id).toString('latin1').replace(from, to);
  forge(gitDir(), id, {
    type: z.enum(['blob', 'tree', 'commit']).parse(what),
    content: Buffer.from(content, 'latin1'),
  });
  await expect(land(crew, worker, { test_command: '' })).rejects.toMatchObject({
    code: 'worktree_failed',
    message: expect.stringContaining(`The object ${id}`),
    hint: expect.stringMatching(/^Nothing was done\./),
  });
  expect(tip()).toBe(before);
  expect(existsSync(join(crew.repo, 'one.txt'))).toBe(false);
});

it('a landing refuses what a worker put in the place of the merge before git made it', async () => {
  mkdirSync(join(crew.repo, 'sub'));
  crew.commit(crew.repo, 'sub/old.txt', 'old\n');
  const worker = await crew.author('sub/ours.txt', 'ours\n', sandboxed());
  crew.commit(crew.repo, 'sub/theirs.txt', 'theirs\n');
  const merged = git('merge-tree', '--write-tree', 'main', worker.branch);
  const tree = tip(`${merged}:sub`);
  forge(gitDir(), tree, { type: 'tree', content: contentOf('tree', tip('main:sub')) });
  const before = tip();
  await expect(land(crew, worker, { test_command: '', strategy: 'merge' })).rejects.toMatchObject({
    code: 'worktree_failed',
    message: expect.stringContaining(`The object ${tree}`),
  });
  expect(tip()).toBe(before);
});

it('what lands comes from a pack, so that a later forgery changes no checkout', async () => {
  const worker = await crew.author('one.txt', 'one\n', sandboxed());
  await land(crew, worker, { test_command: '' });
  for (const ref of ['main:one.txt', `${worker.branch}:one.txt`]) forge(gitDir(), tip(ref), evil);
  forge(gitDir(), tip('main^{tree}'), { type: 'tree', content: '' });
  writeFileSync(join(crew.repo, 'one.txt'), 'changed\n');
  git('checkout', '-q', '-f', 'main');
  expect(readFileSync(join(crew.repo, 'one.txt'), 'utf8')).toBe('one\n');
  expect(git('show', 'main:one.txt')).toBe('one');
});

it('a repository in which no worker has a sandbox is left as it is, and nothing is looked at', async () => {
  const worker = await crew.author('one.txt', 'one\n');
  rmSync(loosePath(gitDir(), tip('main:README.md')));
  const path = join(gitDir(), 'objects/pack');
  await land(crew, worker, { test_command: '', strategy: 'ff-only' });
  expect(existsSync(path) ? readdirSync(path) : []).toEqual([]);
});
