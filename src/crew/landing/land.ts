// merge_worker: lands the branch of a worker or a plan. Checks, takes the steps alone in the repository, logs, answers.
import { advise, call } from '../../model/advice.ts';
import { defined, unlessEmpty } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { newNonce } from '../../model/ids.ts';
import { exists } from '../../system/disk.ts';
import { withLock } from '../../system/lock.ts';
import { repeat } from '../../system/pace.ts';
import type { LandingResult } from '../../wire/landing.ts';
import { isAncestor } from '../../worktree/landing/stage.ts';
import { landingTarget } from '../../worktree/making/parent-branch.ts';
import type { Run } from '../orders.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { finishLanding } from './finish-landing.ts';
import {
  type BranchLanding,
  dropJournal,
  LandingNotes,
  type LandOrder,
  landingDir,
  landingLock,
  markedGit,
  readJournal,
} from './landing.ts';
import { type LandedBefore, landedBefore, logLanded } from './landing-log.ts';
import { type Landed, takeSteps } from './landing-steps.ts';
import { rememberTests } from './landing-tests.ts';
import { conflictPrompt, conflictSides } from './landing-words.ts';
import { idleBranch, type Owner, planBranchFacts, subjectOf } from './own-branch.ts';
import { repairAlone } from './sync-journal.ts';

const queueTimeoutMs = 30 * 60_000;

export interface LandOutcome extends LandingResult {
  /** The tests fail on the target without it too: how they ended there. */
  readonly redTarget?: { readonly output: string; readonly path?: string };
}

export async function landWorker(context: CrewContext, order: LandOrder, run: Run): Promise<LandOutcome> {
  const own = await idleBranch({ context, order, run }, 'landed');
  const { owner, repo, branch } = own;
  const { branch: target } = await landingTarget(repo, { asked: order.target, recorded: owner.base });
  if (target === branch) throw ownTarget(owner, target);
  const { worktreePath } = owner;
  const planned: Planned = {
    ...own,
    target,
    worktree: worktreePath !== undefined && (await exists(worktreePath)) ? worktreePath : undefined,
    strategy: order.strategy ?? context.settingsFor(repo.mainRepoPath).settings.merge.strategy,
    dir: landingDir(context, repo),
  };
  return answer(planned, await inTurn(planned, () => land(planned)));
}

type Planned = Omit<BranchLanding, 'notes' | 'landed'>;

const tellEveryMs = 2_000;

/** One server lands in a repository at a time. While this one waits, the caller hears which one it waits for. */
async function inTurn<T>({ context, dir, run, owner }: Planned, act: () => Promise<T>): Promise<T> {
  run.tell(`waiting for the turn of ${owner.name} to land`);
  const pace = { clock: context.clock, delayMs: tellEveryMs, onTrouble: () => undefined };
  const stop = repeat(pace, async () => {
    const other = await readJournal(dir, () => undefined);
    if (other === undefined) return;
    const name = context.log.records().get(other.workerId)?.name ?? other.lane?.name ?? 'another worker';
    run.tell(`waiting: ${name} is landing on ${other.target}`);
  });
  const begin = () => {
    stop();
    return act();
  };
  return withLock(landingLock(context, dir), begin, { me: context.me, timeoutMs: queueTimeoutMs }).finally(stop);
}

async function land(planned: Planned): Promise<Landed> {
  const { context, repo, dir, owner, target, strategy } = planned;
  await finishLanding(context, dir);
  await repairAlone(context, owner);
  const before = await landedBefore(context, owner, target);
  const mark = newNonce();
  const lane = owner.lane && { name: owner.lane.name, crew: owner.lane.crew };
  const entry = { mark, workerId: owner.id, ...defined({ lane }), repo: repo.mainRepoPath, target, strategy };
  const notes = await LandingNotes.begin(dir, entry);
  const marked = { ...repo, env: { ...repo.env, ...markedGit(mark) } };
  try {
    const landed = await takeSteps({ ...planned, repo: marked, notes, landed: before });
    await logLanding(planned, landed);
    const { as, to: commit, tests } = landed;
    if (as === 'landed' && tests.command !== null) await rememberTests(planned, { commit, tests });
    await dropJournal(dir);
    return await asToldBefore(planned, landed, before);
  } catch (thrown) {
    await finishLanding(context, dir);
    throw thrown;
  }
}

const mostFiles = 100;

const ownTarget = ({ name }: Owner, target: string) =>
  new CrewError(
    'invalid_argument',
    `${name} works on ${target} itself, so there is nothing to land it on.`,
    advise`Pass ${call('into', '--into')} with another branch.`,
  );

async function answer(landing: Planned, landed: Landed): Promise<LandOutcome> {
  const { context, order, target, branch } = landing;
  const { problems } = context.settingsFor(landing.repo.mainRepoPath);
  const clash = { target: landed.from, source: landed.source, files: landed.conflicts };
  const conflicts = await conflictSides(context, landing.repo, clash);
  const hasWorker = landing.owner.lane === undefined;
  const prompt = hasWorker && conflicts.length > 0 ? conflictPrompt(target, branch, conflicts) : undefined;
  const { isUnrun, ...tests } = landed.tests;
  const isIn = landed.as === 'landed' || landed.as === 'nothing';
  return {
    success: isIn || landed.as === 'dry_run',
    session_id: subjectOf(order.worker),
    outcome: landed.as,
    target,
    branch,
    from_commit: landed.from,
    to_commit: landed.to,
    strategy: landing.strategy,
    leftovers_committed: order.dryRun ? 0 : landed.leftovers,
    tests,
    conflicts,
    files: landed.files.slice(0, mostFiles),
    file_count: landed.files.length,
    checkout: landed.checkout,
    // Whole: whoever accepts it accepts each file.
    ...defined({ outside: unlessEmpty(landed.outside) }),
    ...defined({ reason: landed.reason, redTarget: landed.redTarget, prompt, warnings: unlessEmpty(problems) }),
  };
}

async function logLanding({ context, owner, order, target, strategy }: Planned, landed: Landed): Promise<void> {
  const { from, to, as, tests, conflicts, outside, checkout, source } = landed;
  // Nobody is sent back for tests that the target fails itself.
  if (order.dryRun || as === 'nothing' || (as === 'checks_failed' && landed.redTarget !== undefined)) return;
  if (as === 'landed') {
    await logLanded(context, owner, { target, from, source, to, strategy, tests: tests.status, checkout });
    return;
  }
  const files = [...conflicts, ...outside].slice(0, 20);
  const data = { target, reason: as, files, tests: tests.status, ...(owner.lane && planBranchFacts(owner.lane)) };
  await context.log.append([{ type: 'bounced', workerId: owner.id, data }]);
}

/**
 * Whoever lands a plan or a task again, because a kill kept the first answer from it, is told of that landing. Anybody
 * else who lands a worker again learns that there was nothing more.
 */
async function asToldBefore(
  { owner, order, repo, branch }: Planned,
  landed: Landed,
  before: LandedBefore | undefined,
): Promise<Landed> {
  const isAgain = (owner.lane !== undefined || order.isAgain === true) && !order.dryRun && landed.as === 'nothing';
  if (!isAgain || before?.source !== landed.source) return landed;
  const { from = before.to, to } = before;
  if (!(await isAncestor(repo, to, landed.to).catch(() => false))) return landed;
  return { ...landed, as: 'landed', from, to, reason: `${branch} had landed already, as ${to.slice(0, 12)}.` };
}
