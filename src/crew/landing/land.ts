// merge_worker: lands a worker's branch. Checks first, takes the steps alone in the repository, then logs and answers.
import { defined, unlessEmpty } from '../../model/defined.ts';
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
import { finishLanding } from './finish-landing.ts';
import { dropJournal, type Landing, LandingNotes, landingDir, landingLock, markedGit, readJournal } from './landing.ts';
import { type Landed, takeSteps } from './landing-steps.ts';
import { conflictPrompt, conflictSides } from './landing-words.ts';
import { idleBranch } from './own-branch.ts';
import { repairAlone } from './sync-journal.ts';

const queueTimeoutMs = 30 * 60_000;

export async function landWorker(context: CrewContext, order: LandOrder, run: Run): Promise<LandingResult> {
  const own = await idleBranch({ context, order, run }, 'landed');
  const { record, repo, branch } = own;
  const { branch: target } = await landingTarget(repo, { asked: order.target, recorded: record.base });
  if (target === branch) throw ownTarget(record, target);
  const { worktreePath } = record;
  const planned: Planned = {
    ...own,
    target,
    worktree: worktreePath !== undefined && (await exists(worktreePath)) ? worktreePath : undefined,
    strategy: order.strategy ?? context.settingsFor(repo.mainRepoPath).settings.merge.strategy,
    dir: landingDir(context, repo),
  };
  return answer(planned, await inTurn(planned, () => land(planned)));
}

type Planned = Omit<Landing, 'notes'>;

const tellEveryMs = 2_000;

/** One server lands in a repository at a time. While this one waits, the caller hears which worker it waits for. */
async function inTurn<T>({ context, dir, run, record }: Planned, act: () => Promise<T>): Promise<T> {
  run.tell(`waiting for the turn of ${record.name} to land`);
  const pace = { clock: context.clock, delayMs: tellEveryMs, onTrouble: () => undefined };
  const stop = repeat(pace, async () => {
    const other = await readJournal(dir, () => undefined);
    if (other === undefined) return;
    const name = context.log.records().get(other.workerId)?.name ?? 'another worker';
    run.tell(`waiting: ${name} is landing on ${other.target}`);
  });
  const begin = () => {
    stop();
    return act();
  };
  return withLock(landingLock(context, dir), begin, { me: context.me, timeoutMs: queueTimeoutMs }).finally(stop);
}

async function land(planned: Planned): Promise<Landed> {
  const { context, repo, dir, record, target, strategy } = planned;
  await finishLanding(context, dir);
  await repairAlone(context, record);
  const mark = newNonce();
  const entry = { mark, workerId: record.id, repo: repo.mainRepoPath, target, strategy };
  const notes = await LandingNotes.begin(dir, entry);
  const marked = { ...repo, env: { ...repo.env, ...markedGit(mark) } };
  try {
    const landed = await takeSteps({ ...planned, repo: marked, notes });
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
  const clash = { target: landed.from, source: landed.source, files: landed.conflicts };
  const conflicts = await conflictSides(context, landing.repo, clash);
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
    ...defined({ reason: landed.reason, prompt, warnings: unlessEmpty(problems) }),
  };
}

async function logLanding({ context, record, order, target, strategy }: Planned, landed: Landed): Promise<void> {
  const { from, to, as, tests, conflicts, checkout, source } = landed;
  if (order.dryRun || as === 'nothing') return;
  const workerId = record.id;
  if (as === 'landed') {
    const data = { target, from, to, strategy, tests: tests.status, checkout };
    await context.log.append([{ type: 'landed', workerId, data, set: { landed: { target, source, to } } }]);
  } else {
    const data = { target, reason: as, files: conflicts.slice(0, 20), tests: tests.status };
    await context.log.append([{ type: 'bounced', workerId, data }]);
  }
}
