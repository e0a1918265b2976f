import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { LandOrder, PlanBranch, Run } from '../../../src/crew/api.ts';
import { newWorkerId } from '../../../src/model/ids.ts';
import { type Caller, openRestingCrew, type Resting, type RestingCrew } from '../../support/resting-crew.ts';
import { eventually } from '../../support/sandbox.ts';
import { unhurriedMs } from '../../support/unhurried.ts';
import { land } from './landed.ts';

let crew: RestingCrew;
beforeAll(async () => {
  crew = await openRestingCrew();
  // What the tests write tells how far they are, and from a sandbox nothing would.
  const config = join(crew.sandbox.dir('home/.config/crewmux'), 'config.json');
  writeFileSync(config, JSON.stringify({ merge: { sandbox: 'off' } }));
});
afterAll(() => crew.dispose());
beforeEach(() => void git('checkout', '-q', '-f', 'main'));

const git = (...args: string[]) => crew.git(crew.repo, ...args);
const tip = (ref = 'main') => git('rev-parse', ref);
const below = (name: string) => join(crew.sandbox.dir('told'), name);
const calm = (): Run => ({ signal: new AbortController().signal, tell: () => undefined });

const open = (name: string): Promise<PlanBranch> =>
  crew.verbs.openPlanBranch({ id: newWorkerId(), name, project: crew.repo, base: 'main' });
const landOf = (worker: string | PlanBranch, more: Partial<LandOrder> = {}, by: Caller = crew) =>
  by.verbs.land({ worker, dryRun: false, testCommand: '', ...more }, calm());

/** A plan whose branch has a commit that a worker of it has landed there. */
async function planned(name: string, file: string): Promise<{ lane: PlanBranch; job: Resting }> {
  const lane = await open(name);
  const job = await crew.author(file, `${name}\n`, { base: lane.branch });
  expect(await land(crew, job, { test_command: '' })).toMatchObject({ outcome: 'landed', target: lane.branch });
  return { lane, job };
}

it(
  'a job lands on the branch of its plan, and that branch on its base with the tests and the checkout there',
  async () => {
    const before = tip();
    const { lane, job } = await planned('cart', 'cart.txt');
    expect([tip(), job.base?.ref]).toEqual([before, lane.branch]);
    const failed = await landOf(lane, { testCommand: 'false' });
    expect(failed).toMatchObject({ success: false, outcome: 'checks_failed', session_id: lane.id });
    expect(tip()).toBe(before);
    expect(await landOf(lane, { testCommand: 'test -e cart.txt' })).toMatchObject({
      ...{ success: true, outcome: 'landed', session_id: lane.id, branch: lane.branch, target: 'main' },
      ...{ from_commit: before, to_commit: tip(), tests: { status: 'passed' }, checkout: 'updated' },
      files: ['cart.txt'],
    });
    expect(readFileSync(join(crew.repo, 'cart.txt'), 'utf8')).toBe('cart\n');
    const of = { crew: lane.crew, plan_id: lane.id };
    expect(await crew.events(lane)).toMatchObject([
      { type: 'bounced', data: { ...of, reason: 'checks_failed' } },
      { type: 'landed', data: { ...of, from: before, to: tip(), source: tip(lane.branch) } },
    ]);
  },
  unhurriedMs,
);

it('a plan that has landed says so again under the same commit, and what its branch gains since then lands anew', async () => {
  const { lane } = await planned('twice', 'twice.txt');
  const first = await landOf(lane);
  const inBetween = crew.commit(crew.repo, 'twice.txt', 'by hand\n');
  expect(await landOf(lane, { dryRun: true })).toMatchObject({ success: true, outcome: 'nothing' });
  for (const by of [crew, await crew.open()])
    expect(await landOf(lane, {}, by)).toMatchObject({
      ...{ success: true, outcome: 'landed', from_commit: first.from_commit, to_commit: first.to_commit },
      reason: expect.stringContaining('had landed already'),
    });
  expect(tip()).toBe(inBetween);
  expect((await crew.events(lane)).map(({ type }) => type)).toEqual(['landed']);
  const job = await crew.author('more.txt', 'more\n', { base: lane.branch });
  await land(crew, job, { test_command: '' });
  expect(await landOf(lane)).toMatchObject({ outcome: 'landed', from_commit: inBetween, files: ['more.txt'] });
});

it('a job whose answer was lost is told of its own landing, and one with the change of another of none', async () => {
  const { lane } = await planned('lost', 'lost.txt');
  const [own, same] = [
    await crew.author('own.txt', 'own\n', { base: lane.branch }),
    await crew.author('own.txt', 'own\n', { base: lane.branch }),
  ];
  const first = await landOf(own.id, { isAgain: true });
  expect(first).toMatchObject({ outcome: 'landed', to_commit: tip(lane.branch) });
  expect(await landOf(same.id, { isAgain: true })).toMatchObject({ outcome: 'nothing' });
  await land(crew, await crew.author('later.txt', 'later\n', { base: lane.branch }), { test_command: '' });
  expect(await landOf(own.id, { isAgain: true })).toMatchObject({ outcome: 'landed', to_commit: first.to_commit });
  expect(await landOf(own.id)).toMatchObject({ outcome: 'nothing' });
});

it('an answer that only its caller remembers counts too, where the log has forgotten it', async () => {
  const { lane } = await planned('known', 'known.txt');
  const to = git('commit-tree', `${lane.branch}^{tree}`, '-p', 'main', '-m', 'Landed');
  git('merge', '-q', '--ff-only', to);
  expect(await landOf(lane)).toMatchObject({ success: true, outcome: 'nothing' });
  const landed = { target: 'main', source: tip(lane.branch), to };
  expect(await landOf({ ...lane, landed })).toMatchObject({ success: true, outcome: 'landed', to_commit: to });
});

/** What a server leaves on disk that dies in the landing of a plan. */
function leaveJournal(lane: PlanBranch, move: { from: string; to: string }): string {
  const folder = createHash('sha256').update(join(crew.repo, '.git')).digest('hex').slice(0, 16);
  const path = join(crew.sandbox.dir(`crewmux/landings/${folder}`), 'landing.json');
  const of = { workerId: lane.id, lane: { name: lane.name, crew: lane.crew }, repo: crew.repo, target: 'main' };
  const moves = { ...move, source: tip(lane.branch), checkouts: [crew.repo], tests: 'none' };
  writeFileSync(path, JSON.stringify({ v: 1, mark: 'm1', ...of, strategy: 'squash', move: moves }));
  return path;
}

it('a plan whose branch had moved when its server died is told by the next, and landing again says that it landed', async () => {
  const { lane } = await planned('killed', 'killed.txt');
  const from = tip();
  const to = git('commit-tree', `${lane.branch}^{tree}`, '-p', 'main', '-m', 'Landed and killed');
  const path = leaveJournal(lane, { from, to });
  git('update-ref', 'refs/heads/main', to);
  await crew.open();
  await eventually('the journal is done with', () => !existsSync(path));
  const told = { from, to, after: 'the server that began it was killed', crew: lane.crew, plan_id: lane.id };
  expect(await crew.events(lane)).toMatchObject([{ type: 'landed', data: told }]);
  expect(git('status', '--porcelain')).toBe('');
  expect(await landOf(lane)).toMatchObject({ outcome: 'landed', from_commit: from, to_commit: to });
  expect(tip()).toBe(to);
});

it('a landing that finishes one of its own plan, cut short by a kill, says that it landed', async () => {
  const { lane } = await planned('resumed', 'resumed.txt');
  const from = tip();
  // The very commit that its job has landed on the branch of the plan.
  const to = tip(lane.branch);
  leaveJournal(lane, { from, to });
  git('update-ref', 'refs/heads/main', to);
  expect(await landOf(lane)).toMatchObject({ outcome: 'landed', from_commit: from, to_commit: to });
  expect((await crew.events(lane)).map(({ type }) => type)).toEqual(['landed']);
});

it('the branch of a plan that does not merge with its base is bounced with the files, and no worker is asked', async () => {
  const { lane } = await planned('torn', 'torn.txt');
  crew.commit(crew.repo, 'torn.txt', 'otherwise\n');
  const before = tip();
  const bounced = await landOf(lane);
  expect(bounced).toMatchObject({ success: false, outcome: 'conflict', conflicts: [{ file: 'torn.txt' }] });
  expect(bounced).not.toHaveProperty('prompt');
  expect(tip()).toBe(before);
});

it('a landing of a plan that is given up leaves its base', async () => {
  const { lane } = await planned('given-up', 'given-up.txt');
  const before = tip();
  const run = { signal: AbortSignal.abort(), tell: () => undefined };
  await expect(crew.verbs.land({ worker: lane, dryRun: false }, run)).rejects.toMatchObject({
    message: expect.stringContaining('was cancelled'),
  });
  expect(tip()).toBe(before);
});

it('every file outside of its touch set is named, however many, so that all of them can be accepted', async () => {
  const lane = await open('wide');
  const job = await crew.author('file0.txt', 'x\n', { base: lane.branch });
  for (let at = 1; at < 120; at++) writeFileSync(join(job.worktreePath, `file${at}.txt`), 'x\n');
  const { outside = [], files } = await landOf(job.id, { touchSet: ['docs/'] });
  expect([outside.length, files.length]).toEqual([120, 100]);
  expect(await landOf(job.id, { touchSet: ['docs/', ...outside] })).toMatchObject({ outcome: 'landed' });
});

it('what changes a file outside of its touch set is committed, named, and neither tested nor landed', async () => {
  const lane = await open('narrow');
  const job = await crew.author('outside.txt', 'x\n', { base: lane.branch });
  writeFileSync(join(job.worktreePath, 'inside.txt'), 'x\n');
  const before = tip(lane.branch);
  const touched = below('tested');
  const order = { touchSet: ['inside.txt', 'docs/'], testCommand: `touch ${touched}` };
  const refused = await landOf(job.id, order);
  expect(refused).toMatchObject({
    ...{ success: false, outcome: 'outside', conflicts: [], outside: ['outside.txt'], leftovers_committed: 1 },
    ...{ file_count: 2, tests: { status: 'none' } },
    reason: `${job.branch} changes outside.txt, outside of its touch set (inside.txt, docs/); ${lane.branch} was not touched.`,
  });
  expect([tip(lane.branch), existsSync(touched)]).toEqual([before, false]);
  expect((await crew.events(job)).at(-1)).toMatchObject({
    type: 'bounced',
    data: { reason: 'outside', files: ['outside.txt'] },
  });
  const allowed = await landOf(job.id, { touchSet: ['*.txt'] });
  expect(allowed).toMatchObject({ outcome: 'landed', target: lane.branch });
  expect(allowed).not.toHaveProperty('outside');
});

it('while a plan lands, whoever waits hears its name', async () => {
  const [{ lane }, { lane: other }] = [await planned('slow', 'slow.txt'), await planned('next', 'next.txt')];
  const [begun, go] = [below('begun'), below('go')];
  const first = landOf(lane, { testCommand: `touch ${begun}; while [ ! -e ${go} ]; do sleep 0.05; done` });
  await eventually('its tests run', () => existsSync(begun));
  const told: string[] = [];
  const tell = (line: string) => void (line.startsWith('waiting: ') && told.push(line));
  const second = crew.verbs.land({ worker: other, dryRun: false, testCommand: '' }, { ...calm(), tell });
  expect(await eventually('it waits', () => told[0])).toBe('waiting: slow is landing on main');
  writeFileSync(go, '');
  expect(await Promise.all([first, second])).toMatchObject([{ outcome: 'landed' }, { outcome: 'landed' }]);
});
