import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';
import { z } from 'zod';
import { type MergeStrategy, mergeStrategies } from '../../src/model/train.ts';
import { mergeWorker } from '../../src/tools/merge-worker.ts';
import { openStand, type Server, type Stand } from '../e2e/crew.ts';
import { makeTrap, nothingLeft, remainsOf, type Trap } from '../e2e/killed.ts';
import { isAlive } from '../support/mcp.ts';
import { type Resting, type RestingCrew, restingCrewIn } from '../support/resting-crew.ts';
import { eventually } from '../support/sandbox.ts';
import { drill, type Luck } from './drill.ts';

let stand: Stand;
let trap: Trap;
let crew: RestingCrew;
beforeAll(async () => {
  stand = openStand();
  trap = makeTrap(stand.sandbox);
  crew = await restingCrewIn(stand.sandbox, stand.repo);
});
afterAll(async () => {
  await crew.dispose();
  await stand.dispose();
});

const ceilingMs = 120_000;
const git = (...args: string[]) => stand.sandbox.git(stand.repo, ...args);
const landing = z.looseObject({
  outcome: z.string(),
  from_commit: z.string(),
  to_commit: z.string(),
  conflicts: z.array(z.object({ file: z.string() }).loose()),
});
const land = (by: Server, of: Resting, more = {}) => by.call(mergeWorker.name, landing, { session_id: of.id, ...more });
/** Whoever made it has ended, so that any server may act for it. */
const nobodys = () => crew.worker({ record: { manager: { pid: 2 ** 30, processStart: '1' } } });

interface Round {
  readonly of: Resting;
  readonly file: string;
  readonly head: string;
  readonly status: string;
}

/** Something uncommitted in a worktree, and where its branch stood. */
async function prepare(file: string): Promise<Round> {
  const of = await nobodys();
  writeFileSync(join(of.worktreePath, file), `${file}\n`);
  return { of, file, ...standing(of) };
}

const standing = ({ worktreePath }: Resting) => ({
  head: crew.git(worktreePath, 'rev-parse', 'HEAD'),
  status: crew.git(worktreePath, 'status', '--porcelain'),
});
const isIn = ({ file }: Round) => git('ls-tree', '--name-only', 'main').split('\n').includes(file);

async function expectWhole(round: Round): Promise<void> {
  const { of, file, head, status } = round;
  await nothingLeft(() => remainsOf(stand.sandbox, stand.repo), ceilingMs);
  expect(git('status', '--porcelain')).toBe('');
  expect(existsSync(join(stand.repo, file))).toBe(isIn(round));
  expect(readFileSync(join(of.worktreePath, file), 'utf8')).toBe(`${file}\n`);
  const now = standing(of);
  expect(now.status).toBe(now.head === head ? status : '');
  expect(git('for-each-ref', '--format=%(refname)', 'refs/crewmux', 'refs/rewritten')).toBe('');
}

interface Kill {
  readonly call: number;
  readonly strategy: MergeStrategy;
  readonly gitGoesOn: boolean;
}

/** Calls of git in a landing that runs tests, and some more. */
const calls = 67;

/** Seeds that follow each other are far apart, and every call comes with every strategy, done and undone. */
const killOf = ({ seed }: Luck): Kill => ({
  call: 1 + ((seed * 26) % calls),
  strategy: mergeStrategies[seed % mergeStrategies.length] ?? 'squash',
  gitGoesOn: seed % 2 === 0,
});

/** False when the landing came to its end before the call it was to be killed at; else the killed server has a successor. */
async function isKilled(round: Round, { call, strategy, gitGoesOn }: Kill): Promise<boolean> {
  const server = await stand.serve(trap.env);
  const { pid } = server.connection;
  trap.arm({ call, server: pid, gitGoesOn });
  const asked = land(server, round.of, { strategy, test_command: 'setsid sleep 600 & test -f README.md' });
  const thrown = await asked.then(
    () => undefined,
    (error: unknown) => error,
  );
  trap.disarm();
  if (thrown === undefined) {
    await server.connection.close();
    return false;
  }
  await eventually(`the server is killed, and does not say ${thrown}`, () => !isAlive(pid), ceilingMs);
  successor = await stand.serve();
  return true;
}

let successor: Server | undefined;
async function endSuccessor(): Promise<void> {
  await successor?.connection.close();
  successor = undefined;
}

let rounds = 0;

drill(
  'a server killed at a call of git leaves a target that is old or new, and its successor leaves nothing',
  async (luck) => {
    rounds += 1;
    const round = await prepare(`step-${rounds}`);
    crew.commit(stand.repo, `main-${rounds}`, 'moved on\n');
    const before = git('rev-parse', 'main');
    const wasKilled = await isKilled(round, killOf(luck));
    await expectWhole(round);
    expect(git('rev-parse', 'main') !== before).toBe(isIn(round));
    expect(wasKilled || isIn(round)).toBe(true);
    expect(await land(await stand.serve(), round.of, { test_command: '' })).toMatchObject({
      outcome: isIn(round) ? expect.any(String) : 'landed',
    });
  },
);

drill('whenever a server is killed, what another server lands at the same moment lands', async (luck) => {
  rounds += 1;
  const [mine, theirs] = await Promise.all([prepare(`mine-${rounds}`), prepare(`theirs-${rounds}`)]);
  const other = await stand.serve();
  const kill = { ...killOf(luck), strategy: luck.draw(fc.constantFrom(...mergeStrategies)) };
  const [wasKilled, told] = await Promise.all([isKilled(mine, kill), land(other, theirs.of, { test_command: '' })]);
  expect(told).toMatchObject({ outcome: 'landed' });
  await expectWhole(mine);
  await expectWhole(theirs);
  expect([wasKilled || isIn(mine), isIn(theirs)]).toEqual([true, true]);
  await Promise.all([other.connection.close(), endSuccessor()]);
});

drill('of ten landings from three servers each lands or says why, and none lands over another', async () => {
  rounds += 1;
  const [clashing, ...others] = Array.from({ length: 9 }, (_, at) => `ten-${rounds}-${at}`);
  const wanted = await Promise.all([clashing, clashing, ...others].map((name) => prepare(name ?? '')));
  for (const [at, { of, file }] of wanted.entries()) writeFileSync(join(of.worktreePath, file), `by ${at}\n`);
  const servers = await Promise.all([1, 2, 3].map(() => stand.serve()));
  const before = git('rev-parse', 'main');
  const told = await Promise.all(
    wanted.map(({ of }, at) => {
      const by = servers[at % servers.length];
      if (by === undefined) throw new Error('no server');
      return land(by, of, { test_command: '' });
    }),
  );
  const landed = told.filter(({ outcome }) => outcome === 'landed');
  const bounced = told.filter(({ outcome }) => outcome !== 'landed');
  expect([
    landed.length,
    bounced.map(({ outcome, conflicts }) => [outcome, conflicts.map(({ file }) => file)]),
  ]).toEqual([9, [['conflict', [clashing]]]]);
  const next = new Map(landed.map(({ from_commit, to_commit }) => [from_commit, to_commit]));
  let at = before;
  for (let step = 0; step < landed.length; step += 1) at = next.get(at) ?? 'nothing landed on it';
  expect(at).toBe(git('rev-parse', 'main'));
  expect(git('status', '--porcelain')).toBe('');
  for (const { file } of wanted) expect(existsSync(join(stand.repo, file))).toBe(true);
  expect(remainsOf(stand.sandbox, stand.repo)).toEqual([]);
  await Promise.all(servers.map(({ connection }) => connection.close()));
});
