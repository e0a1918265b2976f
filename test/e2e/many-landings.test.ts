import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { mergeWorker } from '../../src/tools/merge-worker.ts';
import { eventually } from '../support/sandbox.ts';
import { openStand, type Server, type Stand, type Worker } from './crew.ts';
import { remainsOf } from './killed.ts';

let stand: Stand;
beforeAll(() => {
  stand = openStand();
});
afterAll(() => stand.dispose());

const git = (...args: string[]) => stand.sandbox.git(stand.repo, ...args);
const landing = z.looseObject({
  outcome: z.string(),
  from_commit: z.string(),
  to_commit: z.string(),
  checkout: z.string(),
  reason: z.string().optional(),
  conflicts: z.array(z.object({ file: z.string() }).loose()),
  tests: z.looseObject({ status: z.string(), output: z.string() }),
  closed: z.looseObject({ worktree: z.string(), warning: z.string().optional() }).optional(),
});
const land = (by: Server, of: Worker, more = {}) =>
  by.call(mergeWorker.name, landing, { session_id: of.name, ...more });

async function writers(by: Server, files: readonly string[]): Promise<readonly Worker[]> {
  const wanted = files.map((file, at) => ({
    prompt: `WRITE ${file} by ${by.connection.pid} ${at}\nSAY done`,
    skip_permissions: true,
  }));
  const { sessions } = await by.spawn(...wanted);
  await by.wait(sessions);
  return sessions;
}

it('ten landings from three servers: each lands or says why, and none lands over another', async () => {
  const servers = await Promise.all([1, 2, 3].map(() => stand.serve()));
  const files = [
    ['a1', 'a2', 'README.md', 'a4'],
    ['b1', 'b2', 'README.md'],
    ['c1', 'c2', 'c3'],
  ];
  const crews = await Promise.all(servers.map((server, at) => writers(server, files[at] ?? [])));
  const before = git('rev-parse', 'main');
  const told = await Promise.all(
    servers.flatMap((server, at) => (crews[at] ?? []).map((worker) => land(server, worker))),
  );
  const landed = told.filter(({ outcome }) => outcome === 'landed');
  const bounced = told.filter(({ outcome }) => outcome !== 'landed');
  expect([
    landed.length,
    bounced.map(({ outcome, conflicts }) => [outcome, conflicts.map(({ file }) => file)]),
  ]).toEqual([9, [['conflict', ['README.md']]]]);
  const next = new Map(landed.map(({ from_commit, to_commit }) => [from_commit, to_commit]));
  let at = before;
  for (let step = 0; step < landed.length; step += 1) at = next.get(at) ?? 'nothing landed on it';
  expect(at).toBe(git('rev-parse', 'main'));
  expect(git('status', '--porcelain')).toBe('');
  for (const name of files.flat()) expect(existsSync(join(stand.repo, name))).toBe(true);
  expect(remainsOf(stand.sandbox, stand.repo)).toEqual([]);
}, 60_000);

it('whoever waits is told for whom, and what a suite leaves behind it has ended, deaf and detached as it is', async () => {
  const config = { merge: { test_timeout_minutes: 0.1 } };
  writeFileSync(join(stand.sandbox.dir('hasty/crewmux'), 'config.json'), JSON.stringify(config));
  const server = await stand.serve({ XDG_CONFIG_HOME: stand.sandbox.dir('hasty') });
  const [slow, other] = await writers(server, ['slow.txt', 'other.txt']);
  if (slow === undefined || other === undefined) throw new Error('not spawned');
  const pids = join(stand.sandbox.root, 'pids');
  const deaf = `trap "" TERM; echo $$ >>${pids}; while :; do sleep 0.1; done`;
  const suite = `sh -c '${deaf}' & setsid sh -c '${deaf}' & echo begun; wait`;
  const first = land(server, slow, { test_command: suite });
  await eventually('both children run', () => existsSync(pids) && readFileSync(pids, 'utf8').split('\n').length === 3);
  const said: string[] = [];
  const second = server.connection.call(
    mergeWorker.name,
    { session_id: other.name, test_command: '' },
    { onProgress: (message) => said.push(message) },
  );
  expect(await first).toMatchObject({ outcome: 'checks_failed', tests: { status: 'timed_out', output: 'begun\n' } });
  expect(await second).toMatchObject({ outcome: 'landed' });
  expect(said.join('\n')).toContain(`waiting: ${slow.name} is landing on main`);
  const running = readFileSync(pids, 'utf8').trim().split('\n');
  expect(running.filter((pid) => existsSync(`/proc/${pid}/environ`) && stateOf(pid) !== 'Z')).toEqual([]);
}, 60_000);

const stateOf = (pid: string) => /\) ([A-Z]) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];

it('a target in the worktree of another worker comes along, and that worker is named where a file is in the way', async () => {
  const server = await stand.serve();
  const lead = await server.one({ prompt: 'SAY here', worktree: { branch: 'lead' } });
  const helper = await server.one({ prompt: 'WRITE help.txt help\nSAY done', worktree: { base: 'lead' } });
  await server.wait([lead, helper]);
  const inLead = (name: string) => join(lead.worktree_path ?? '', name);
  writeFileSync(inLead('README.md'), 'half a thought\n');
  expect(await land(server, helper, { into: 'lead' })).toMatchObject({ outcome: 'landed', checkout: 'updated' });
  expect([readFileSync(inLead('help.txt'), 'utf8').trim(), readFileSync(inLead('README.md'), 'utf8')]).toEqual([
    'help',
    'half a thought\n',
  ]);
  writeFileSync(inLead('more.txt'), 'mine\n');
  await server.message(helper, 'WRITE more.txt more\nSAY done', { wait_mode: 'all' });
  await expect(land(server, helper, { into: 'lead' })).rejects.toMatchObject({
    code: 'checkout_in_the_way',
    message: expect.stringMatching(new RegExp(`\\(${lead.name} works there\\): more\\.txt`)),
  });
  expect(readFileSync(inLead('more.txt'), 'utf8')).toBe('mine\n');
}, 60_000);

it('close: true takes the worktree of what has landed, and keeps one that has something else by then', async () => {
  const server = await stand.serve();
  const [done, busy] = await writers(server, ['done.txt', 'busy.txt']);
  if (done === undefined || busy === undefined) throw new Error('not spawned');
  expect(await land(server, done, { close: true })).toMatchObject({
    outcome: 'landed',
    closed: { worktree: 'removed' },
  });
  expect(git('rev-parse', '--verify', done.branch ?? '')).not.toBe('');
  const late = join(busy.worktree_path ?? '', 'late.txt');
  const told = await land(server, busy, { close: true, test_command: `echo late >'${late}'` });
  expect(told).toMatchObject({ outcome: 'landed', closed: { worktree: 'kept' } });
  expect(readFileSync(late, 'utf8')).toBe('late\n');
}, 60_000);

it('what is sent back is what the worker reads', async () => {
  const server = await stand.serve();
  const [one, two] = await writers(server, ['same.txt', 'same.txt']);
  if (one === undefined || two === undefined) throw new Error('not spawned');
  await land(server, one);
  const told = z.looseObject({ prompt: z.string() }).parse(await land(server, two, { send_back: true }));
  const logs = z.looseObject({ messages: z.array(z.looseObject({ role: z.string(), content: z.string() })) });
  await eventually('the worker has the prompt', async () => {
    const { messages } = await server.call('read_worker_logs', logs, { session_id: two.name });
    return messages.some(({ role, content }) => role === 'user' && content === told.prompt.trimEnd());
  });
});

it('a landing that is given up in its tests leaves the target, and nothing else', async () => {
  const server = await stand.serve();
  const [worker] = await writers(server, ['given-up.txt']);
  const before = git('rev-parse', 'main');
  const started = join(stand.sandbox.root, 'given-up');
  const giveUp = new AbortController();
  const lost = server.connection
    .call(
      mergeWorker.name,
      { session_id: worker?.name, test_command: `setsid sleep 600 & touch ${started}; sleep 600` },
      { signal: giveUp.signal },
    )
    .catch(() => 'given up');
  await eventually('its tests run', () => existsSync(started));
  giveUp.abort();
  expect(await lost).toBe('given up');
  await eventually('nothing is left of it', () => remainsOf(stand.sandbox, stand.repo).length === 0);
  expect(git('rev-parse', 'main')).toBe(before);
}, 60_000);
