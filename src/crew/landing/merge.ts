// Lands a worker's branch: what must hold before, and what the log and the caller are told after.
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { newNonce } from '../../model/ids.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { exists } from '../../system/disk.ts';
import { withLock } from '../../system/lock.ts';
import type { LandingResult } from '../../wire/landing.ts';
import { landingTarget } from '../../worktree/parent-branch.ts';
import type { LandOrder, Run } from '../orders.ts';
import type { CrewContext } from '../workers/roster.ts';
import { repeat } from '../workers/timing.ts';
import { conflictSides } from './conflict-sides.ts';
import { finishLanding } from './finish-landing.ts';
import { type Landed, runTrain } from './land.ts';
import type { Landing } from './landing.ts';
import { dropJournal, LandingNotes, landingDir, landingLock, readJournal } from './landing-journal.ts';
import { landingMark, marksEnv } from './landing-marks.ts';
import { conflictPrompt } from './landing-words.ts';
import { ownBranch, refuseMidTurn } from './own-branch.ts';
import { mendSyncOf } from './sync-journal.ts';

const queueTimeoutMs = 30 * 60_000;

export async function landWorker(context: CrewContext, order: LandOrder, run: Run): Promise<LandingResult> {
  const record = context.roster.resolve(order.worker);
  await context.roster.following(record.id)?.drain();
  const { repo, branch } = await ownBranch(context, record, 'landed');
  refuseMidTurn(context, record);
  const { branch: target } = await landingTarget(repo, { asked: order.target, recorded: record.base });
  if (target === branch) throw ownTarget(record, target);
  const dir = landingDir(context, repo);
  const strategy = order.strategy ?? context.settingsFor(repo.mainRepoPath).settings.merge.strategy;
  const worktree =
    record.worktreePath !== undefined && (await exists(record.worktreePath)) ? record.worktreePath : undefined;
  const planned: Planned = { context, record, branch, repo, target, worktree, strategy, order, run, dir };
  const landed = await inTurn(planned, () => land(planned));
  return answer(planned, landed);
}

const tellEveryMs = 2_000;

/** One landing of a repository at a time, whichever server it is asked of; whoever waits is told for whom. */
async function inTurn<T>({ context, dir, run, record }: Planned, act: () => Promise<T>): Promise<T> {
  run.tell(`waiting for the turn of ${record.name} to land`);
  const pace = { clock: context.clock, delayMs: tellEveryMs, onTrouble: () => undefined };
  const stop = repeat(pace, async () => {
    const other = await readJournal(dir, () => undefined);
    const name = other === undefined ? undefined : context.log.records().get(other.workerId)?.name;
    if (other !== undefined) run.tell(`waiting: ${name ?? 'another worker'} is landing on ${other.target}`);
  });
  try {
    return await withLock(
      landingLock(context, dir),
      () => {
        stop();
        return act();
      },
      { me: context.me, timeoutMs: queueTimeoutMs },
    );
  } finally {
    stop();
  }
}

type Planned = Omit<Landing, 'notes'>;

async function land(planned: Planned): Promise<Landed> {
  const { context, repo, dir, record, target, strategy } = planned;
  await finishLanding(context, dir);
  await mendSyncOf(context, record);
  const mark = newNonce();
  const entry = { mark, workerId: record.id, repo: repo.mainRepoPath, target, strategy };
  const notes = await LandingNotes.begin(dir, entry);
  const marked = { ...repo, env: { ...repo.env, ...marksEnv(landingMark(mark)) } };
  try {
    const landed = await runTrain({ ...planned, repo: marked, notes });
    await logLanding(planned, landed);
    await dropJournal(dir);
    return landed;
  } catch (thrown) {
    await finishLanding(context, dir);
    throw thrown;
  }
}

const mostFiles = 100;

const ownTarget = ({ name }: WorkerRecord, target: string) =>
  new CrewError(
    'invalid_argument',
    `${name} works on ${target} itself, so there is nothing to land it on.`,
    'Pass into with another branch.',
  );

async function answer(landing: Planned, landed: Landed): Promise<LandingResult> {
  const { context, order, target, branch } = landing;
  const { problems } = context.settingsFor(landing.repo.mainRepoPath);
  const conflicts = await conflictSides(context, landing.repo, {
    target: landed.from,
    source: landed.source,
    files: landed.conflicts,
  });
  const prompt = conflicts.length === 0 ? undefined : conflictPrompt(target, branch, conflicts);
  const isIn = landed.as === 'landed' || landed.as === 'nothing';
  return {
    success: isIn || landed.as === 'dry_run',
    session_id: order.worker,
    outcome: landed.as,
    target,
    branch,
    from_commit: landed.from,
    to_commit: landed.to,
    strategy: landing.strategy,
    leftovers_committed: order.dryRun ? 0 : landed.leftovers,
    tests: landed.tests,
    conflicts,
    files: landed.files.slice(0, mostFiles),
    file_count: landed.files.length,
    checkout: landed.checkout,
    ...defined({ reason: landed.reason, prompt, warnings: problems.length === 0 ? undefined : problems }),
  };
}

async function logLanding({ context, record, order, target, strategy }: Planned, landed: Landed): Promise<void> {
  if (order.dryRun || landed.as === 'nothing') return;
  const { from, to, as, tests, conflicts, checkout } = landed;
  const isIn = as === 'landed';
  const data = isIn
    ? { target, from, to, strategy, tests: tests.status, checkout }
    : { target, reason: as, files: conflicts.slice(0, 20), tests: tests.status };
  const set = isIn ? { landed: { target, source: landed.source, to } } : undefined;
  const event = { type: isIn ? ('landed' as const) : ('bounced' as const), workerId: record.id, data };
  await context.log.append([{ ...event, ...(set === undefined ? {} : { set }) }]);
}
