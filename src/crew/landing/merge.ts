// merge_worker: what must hold before a landing, and what is told and done after it.
import { CrewError } from '../../model/errors.ts';
import { newNonce } from '../../model/ids.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { exists } from '../../system/disk.ts';
import { withLock } from '../../system/lock.ts';
import { landingTarget } from '../../worktree/parent-branch.ts';
import type { CallContext, LandingResult, MergeRequest } from '../api.ts';
import type { House } from '../house.ts';
import { sendMessage } from '../sending/deliver.ts';
import { closeWorkers } from '../starting/close.ts';
import { every } from '../watching/every.ts';
import { conflictSides } from './conflict-sides.ts';
import { finishLanding } from './finish-landing.ts';
import { type Landed, type Landing, runTrain } from './land.ts';
import { dropJournal, LandingNotes, landingDir, landingLock, readJournal } from './landing-journal.ts';
import { landingMark, marksEnv } from './landing-marks.ts';
import { conflictPrompt } from './landing-words.ts';
import { ownBranch, refuseMidTurn } from './own-branch.ts';
import { mendSyncOf } from './sync-journal.ts';

const queueTimeoutMs = 30 * 60_000;

export async function mergeWorker(house: House, request: MergeRequest, call: CallContext): Promise<LandingResult> {
  const record = house.roster.resolve(request.session_id);
  await house.roster.following(record.id)?.drain();
  const { repo, branch } = await ownBranch(house, record, 'landed');
  refuseMidTurn(house, record);
  const { branch: target } = await landingTarget(repo, { asked: request.into, recorded: record.base });
  if (target === branch) throw ownTarget(record, target);
  const dir = landingDir(house, repo);
  const strategy = request.strategy ?? house.settingsFor(repo.mainRepoPath).settings.merge.strategy;
  const worktree =
    record.worktreePath !== undefined && (await exists(record.worktreePath)) ? record.worktreePath : undefined;
  const planned: Planned = { house, record, branch, repo, target, worktree, strategy, request, call, dir };
  const landed = await inTurn(planned, () => land(planned));
  return answer(planned, landed);
}

const tellEveryMs = 2_000;

/** One landing of a repository at a time, whichever server it is asked of; whoever waits is told for whom. */
async function inTurn<T>({ house, dir, call, record }: Planned, act: () => Promise<T>): Promise<T> {
  call.progress(`waiting for the turn of ${record.name} to land`);
  const pace = { clock: house.clock, delayMs: tellEveryMs, onTrouble: () => undefined };
  const stop = every(pace, async () => {
    const other = await readJournal(dir, () => undefined);
    const name = other === undefined ? undefined : house.log.records().get(other.workerId)?.name;
    if (other !== undefined) call.progress(`waiting: ${name ?? 'another worker'} is landing on ${other.target}`);
  });
  try {
    return await withLock(
      landingLock(house, dir),
      () => {
        stop();
        return act();
      },
      { me: house.me, timeoutMs: queueTimeoutMs },
    );
  } finally {
    stop();
  }
}

type Planned = Omit<Landing, 'notes'>;

async function land(planned: Planned): Promise<Landed> {
  const { house, repo, dir, record, target, strategy } = planned;
  await finishLanding(house, dir);
  await mendSyncOf(house, record);
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
    await finishLanding(house, dir);
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
  const { house, record, request, target, branch, call } = landing;
  const { problems } = house.settingsFor(landing.repo.mainRepoPath);
  const conflicts = await conflictSides(house, landing.repo, {
    target: landed.from,
    source: landed.source,
    files: landed.conflicts,
  });
  const prompt = conflicts.length === 0 ? undefined : conflictPrompt(target, branch, conflicts);
  const isIn = landed.as === 'landed' || landed.as === 'nothing';
  const sends = request.send_back && prompt !== undefined && record.phase === 'live';
  const sentBack = sends
    ? await sendMessage(house, record, { text: prompt, delivery: 'queue', asCommand: false })
    : undefined;
  const closes = request.close && isIn && !request.dry_run;
  const closed = closes
    ? (await closeWorkers(house, { session_ids: [record.id], force: false }, call)).results[record.id]
    : undefined;
  return {
    success: isIn || landed.as === 'dry_run',
    session_id: request.session_id,
    outcome: landed.as,
    target,
    branch,
    from_commit: landed.from,
    to_commit: landed.to,
    strategy: landing.strategy,
    leftovers_committed: request.dry_run ? 0 : landed.leftovers,
    tests: landed.tests,
    conflicts,
    files: landed.files.slice(0, mostFiles),
    file_count: landed.files.length,
    checkout: landed.checkout,
    ...(landed.reason === undefined ? {} : { reason: landed.reason }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(sentBack === undefined ? {} : { sent_back: sentBack }),
    ...(closed === undefined ? {} : { closed }),
    ...(problems.length === 0 ? {} : { warnings: problems }),
  };
}

async function logLanding({ house, record, request, target, strategy }: Planned, landed: Landed): Promise<void> {
  if (request.dry_run || landed.as === 'nothing') return;
  const { from, to, as, tests, conflicts, checkout } = landed;
  const isIn = as === 'landed';
  const data = isIn
    ? { target, from, to, strategy, tests: tests.status, checkout }
    : { target, reason: as, files: conflicts.slice(0, 20), tests: tests.status };
  const set = isIn ? { landed: { target, source: landed.source, to } } : undefined;
  const event = { type: isIn ? ('landed' as const) : ('bounced' as const), workerId: record.id, data };
  await house.log.append([{ ...event, ...(set === undefined ? {} : { set }) }]);
}
