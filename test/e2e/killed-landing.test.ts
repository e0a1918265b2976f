import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type MergeStrategy, mergeStrategies } from '../../src/model/train.ts';
import { mergeWorker } from '../../src/tools/merge-worker.ts';
import { eventually } from '../support/sandbox.ts';
import { openStand, type Server, type Stand, type Worker } from './crew.ts';
import { makeTrap, remainsOf, type Trap } from './killed.ts';

let stand: Stand;
let trap: Trap;
let worker: Worker;
let server: Server;
beforeAll(async () => {
  stand = openStand();
  trap = makeTrap(stand.sandbox);
  server = await stand.serve(trap.env);
  worker = await server.one({ prompt: 'SAY here' });
  await server.wait([worker]);
});
afterAll(() => stand.dispose());

const git = (...args: string[]) => stand.sandbox.git(stand.repo, ...args);
const inWorktree = (...args: string[]) => stand.sandbox.git(worker.worktree_path ?? '', ...args);
const landing = z.looseObject({ outcome: z.string() });
const land = (strategy: MergeStrategy, { by, of } = { by: server, of: worker }) =>
  by.call(mergeWorker.name, landing, {
    session_id: of.name,
    strategy,
    test_command: 'setsid sleep 600 & test -f README.md',
  });

interface Round {
  readonly file: string;
  readonly before: string;
  readonly head: string;
  readonly status: string;
}

/** Something uncommitted in the worktree, and a target that has moved on. */
function prepare(round: string): Round {
  writeFileSync(join(stand.repo, `${round}.main`), `${round}\n`);
  git('add', '.');
  git('commit', '-q', '-m', `Main ${round}`);
  return { ...prepareIn(worker, round), before: git('rev-parse', 'main') };
}

function prepareIn(of: Worker, round: string): Omit<Round, 'before'> {
  const file = `${round}.txt`;
  writeFileSync(join(of.worktree_path ?? '', file), `${round}\n`);
  return { file, head: inWorktree('rev-parse', 'HEAD'), status: inWorktree('status', '--porcelain') };
}

const isIn = ({ file }: Pick<Round, 'file'>) => git('ls-tree', '--name-only', 'main').split('\n').includes(file);

async function expectWhole(round: Round): Promise<void> {
  const { file, head, status } = round;
  const remains = () => remainsOf(stand.sandbox, stand.repo);
  await eventually('nothing is left of the landing', () => remains().length === 0).catch((thrown) =>
    expect([thrown, ...remains()]).toEqual([]),
  );
  expect(git('status', '--porcelain')).toBe('');
  expect(existsSync(join(stand.repo, file))).toBe(isIn(round));
  expect(readFileSync(join(worker.worktree_path ?? '', file), 'utf8')).toBe(`${file.replace('.txt', '')}\n`);
  const isCommitted = inWorktree('rev-parse', 'HEAD') !== head;
  expect(inWorktree('status', '--porcelain')).toBe(isCommitted ? '' : status);
  expect(git('for-each-ref', '--format=%(refname)', 'refs/crewmux', 'refs/rewritten')).toBe('');
}

interface Kill {
  readonly call: number;
  readonly strategy: MergeStrategy;
  readonly gitGoesOn: boolean;
}

/** True when the landing came to its end before the call it was to be killed at. */
async function killedAt({ call, strategy, gitGoesOn }: Kill): Promise<boolean> {
  trap.arm({ call, server: server.connection.pid, gitGoesOn });
  const hasEnded = await land(strategy).then(
    () => true,
    () => false,
  );
  if (hasEnded) return true;
  server = await stand.serve(trap.env);
  await server.look(worker.session_id);
  return false;
}

// With 1 it is every call, which takes minutes.
const stride = Number(process.env.CREWMUX_KILL_STRIDE ?? 10);

it('a server killed at a call of git leaves a target that is old or new, and its successor leaves nothing', async () => {
  let hasEnded = false;
  for (let round = 0; !hasEnded; round += 1) {
    const before = prepare(`step-${round}`);
    // Of every two calls one is the server's last deed, and one is never made.
    hasEnded = await killedAt({ call: 1 + round * stride, strategy: 'ff-only', gitGoesOn: round % 2 === 0 });
    await expectWhole(before);
    expect(git('rev-parse', 'main') !== before.before).toBe(isIn(before));
  }
  trap.disarm();
  expect(await land('squash')).toMatchObject({ outcome: 'nothing' });
}, 600_000);

it('whenever a server is killed, what another server lands at the same moment lands', async () => {
  const other = await stand.serve();
  const second = await other.one({ prompt: 'SAY here' });
  await other.wait([second]);
  const kill = fc.record<Kill>({
    call: fc.integer({ min: 1, max: 45 }),
    strategy: fc.constantFrom(...mergeStrategies),
    gitGoesOn: fc.boolean(),
  });
  let rounds = 0;
  await fc.assert(
    fc.asyncProperty(kill, async (at) => {
      rounds += 1;
      const [first, theirs] = [prepare(`two-${rounds}`), { ...prepareIn(second, `theirs-${rounds}`), before: '' }];
      const [hasEnded, told] = await Promise.all([killedAt(at), land('squash', { by: other, of: second })]);
      expect(told).toMatchObject({ outcome: 'landed' });
      await expectWhole(first);
      expect([hasEnded && !isIn(first), isIn(theirs)]).toEqual([false, true]);
    }),
    { numRuns: 3, endOnFailure: true },
  );
}, 120_000);
