// sync_worker: brings the new commits of a worker's base into its branch while the worker is idle.

import { isoTime } from '../../model/clock.ts';
import { defined, unlessEmpty } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { counted } from '../../model/plural.ts';
import { planSync, type SyncStrategy } from '../../model/train.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { exists } from '../../system/disk.ts';
import { withLock } from '../../system/lock.ts';
import type { SyncResult } from '../../wire/landing.ts';
import { plainBranch } from '../../worktree/git/branch.ts';
import { topOf } from '../../worktree/git/draft-index.ts';
import { type FolderFacts, inspectFolder } from '../../worktree/git/inspect.ts';
import { changesBetween } from '../../worktree/git/path-changes.ts';
import { submodulesLeft } from '../../worktree/landing/carry.ts';
import { inTheWay } from '../../worktree/landing/in-the-way.ts';
import { clearScratch, scratchPath } from '../../worktree/landing/scratch.ts';
import { keepTip, type Synced, syncedCommit, syncFacts } from '../../worktree/landing/sync.ts';
import { parentBranch } from '../../worktree/making/parent-branch.ts';
import { workState } from '../../worktree/state/work-state.ts';
import { sendLock } from '../messages/send-journal.ts';
import type { Run } from '../orders.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { workersAt } from '../workers/trees.ts';
import { finishLanding } from './finish-landing.ts';
import { landingDir, landingLock } from './landing.ts';
import { conflictPrompt, conflictSides, mergeMessage } from './landing-words.ts';
import { busyHint, type OwnBranch, ownBranch, refuseCancelled, unready } from './own-branch.ts';
import { carryNoted, repairSync } from './sync-journal.ts';

export interface SyncOrder {
  readonly worker: string;
  readonly strategy?: SyncStrategy;
  readonly from?: string;
}

const lockTimeoutMs = 60_000;

interface Syncing extends OwnBranch<SyncOrder> {
  readonly worktree: string;
  /** The folder for the landings of this repository. */
  readonly dir: string;
}

export async function syncWorker(context: CrewContext, order: SyncOrder, run: Run): Promise<SyncResult> {
  const own = await ownBranch({ context, order, run }, 'synced');
  const { record, repo } = own;
  const dir = landingDir(context, repo);
  const syncing: Syncing = { ...own, worktree: await worktreeOf(own), dir };
  const options = { me: context.me, timeoutMs: lockTimeoutMs };
  await refuseUnlessIdle(syncing);
  run.tell(`waiting for the turn of ${record.name} to sync`);
  // Every sender of ours holds the inner lock, so none of them begins a turn meanwhile.
  return withLock(
    landingLock(context, dir),
    () => withLock(sendLock(context, record.id), () => sync(syncing), options),
    options,
  );
}

async function worktreeOf({ record, repo }: OwnBranch<SyncOrder>): Promise<string> {
  const { worktreePath: path, name } = record;
  const isOwn = path !== undefined && path !== repo.mainRepoPath;
  if (isOwn && (await exists(path))) return path;
  throw new CrewError(
    'not_a_repository',
    isOwn ? `The worktree of ${name} is gone from ${path}.` : `${name} has no worktree of its own.`,
    isOwn ? 'restart_workers brings it back; or merge_worker lands the branch as it is.' : 'Sync that folder by hand.',
  );
}

/** Throws `worker_busy` unless every worker in the worktree is idle. */
async function refuseUnlessIdle({ context, worktree }: Syncing): Promise<void> {
  for (const one of workersAt(context, worktree)) {
    await context.roster.following(one.id)?.drain();
    const turn = context.roster.turn(one.id);
    if (turn?.is === 'idle' || turn?.is === 'gone') continue;
    const what = turn === undefined ? 'not followed here' : `${turn.is} (${turn.evidence.detail})`;
    throw new CrewError(
      'worker_busy',
      `${one.name} is ${what}, so its files must not change under it.`,
      busyHint(one.id, turn),
    );
  }
}

/** The caller holds both locks. */
async function sync(syncing: Syncing): Promise<SyncResult> {
  const { context, repo, dir, order, record, branch } = syncing;
  await finishLanding(context, dir);
  await clearScratch(repo, dir);
  const folder = await readyWorktree(syncing);
  const wanted = { asked: order.from, recorded: record.base };
  const parent = await parentBranch(repo, { ...wanted, reach: 'any', parameter: 'from' });
  if (parent.remote === undefined && parent.branch === branch) throw ownBase(syncing);
  const tips = { own: folder.head.sha ?? '', base: parent.sha };
  const facts = await syncFacts(repo, tips);
  const plan = planSync({ ...facts, asked: order.strategy });
  const strategy: SyncStrategy = plan.do === 'merge' ? 'merge' : (order.strategy ?? 'rebase');
  const from = parent.remote === undefined ? parent.branch : `${parent.remote}/${parent.branch}`;
  const at: At = { ...syncing, folder, from, base: parent.sha, strategy, before: tips.own };
  if (plan.do === 'nothing') return answer(at, { outcome: 'nothing' });
  syncing.run.tell(`${plan.do} of ${branch} on ${from}`);
  const message = mergeMessage(from, branch);
  const synced = await syncedCommit({ repo, ...tips, plan: plan.do, message, scratchPath: scratchPath(dir) });
  if (synced.commit === undefined) return stopped(at, synced);
  const replayed = plan.do === 'rebase' ? facts.ahead : 0;
  return apply(at, { to: synced.commit, replayed, rewrites: replayed > 0 && facts.isPublished });
}

interface At extends Syncing {
  readonly folder: FolderFacts;
  /** The name and the commit of the base. */
  readonly from: string;
  readonly base: string;
  readonly strategy: SyncStrategy;
  readonly before: string;
}

const ownBase = ({ record, branch }: Syncing) =>
  new CrewError(
    'invalid_argument',
    `${record.name} was begun on ${branch} itself, so it has no base to take anything from.`,
    'Pass from with another branch.',
  );

/** On its branch, with no uncommitted change. It first repairs what a killed sync left. */
async function readyWorktree({ context, record, worktree, branch }: Syncing): Promise<FolderFacts> {
  const look = () => inspectFolder({ path: worktree, env: context.environment.git });
  const found = await look();
  const isTop = found?.worktreeRoot !== undefined && found.subfolder === '';
  if (!isTop) throw notReady(record, `git knows no worktree at ${worktree}`);
  await plainBranch(found, branch);
  const repaired = await repairSync(context, record, found);
  const state = await workState({ worktreePath: worktree, env: context.environment.git, base: 'none' });
  const problem =
    unready(state, branch) ??
    (state.dirtyFiles > 0
      ? `${counted(state.dirtyFiles, 'tracked file')} ${state.dirtyFiles === 1 ? 'has' : 'have'} changes that are not committed`
      : undefined);
  if (problem !== undefined) throw notReady(record, problem);
  return repaired === undefined ? found : ((await look()) ?? found);
}

const notReady = ({ name }: WorkerRecord, why: string) =>
  new CrewError(
    'would_lose_work',
    `The worktree of ${name} cannot be synced as it stands: ${why}.`,
    'Nothing was changed. Have the worker put it right, or commit; then run again.',
  );

async function stopped(at: At, { conflicts: files, reason }: Synced): Promise<SyncResult> {
  const { context, repo, record, branch, from } = at;
  const conflicts = await conflictSides(context, repo, { target: at.base, source: at.before, files });
  if (conflicts.length === 0) return refused(at, `${reason ?? 'git would not'}.`, 'Pass strategy: "merge".');
  const data = { from, outcome: 'conflict', files: files.slice(0, 20) };
  await context.log.append([{ type: 'synced', workerId: record.id, data }]);
  return answer(at, {
    outcome: 'conflict',
    conflicts,
    reason: `${branch} and ${from} do not agree on ${counted(files.length, 'file')}; the worktree is as it was.`,
    hint: 'Send the prompt with message_workers: the worker merges and solves it.',
    prompt: conflictPrompt(from, branch, conflicts),
  });
}

/** The only part that changes the worktree, so it checks the facts once more. */
async function apply(
  at: At,
  { to, replayed, rewrites }: { to: string; replayed: number; rewrites: boolean },
): Promise<SyncResult> {
  const { context, record, repo, branch, worktree, folder, from, before, strategy } = at;
  refuseCancelled(at.run, 'sync');
  await refuseUnlessIdle(at);
  const state = await workState({ worktreePath: worktree, env: context.environment.git, base: 'none' });
  if (state.headSha !== before || state.dirtyFiles > 0) throw notReady(record, 'it has changed meanwhile');
  const obstacle = await obstacleTo(at, to);
  if (obstacle !== undefined) return obstacle;
  const time = isoTime(context.clock.now());
  const backup = await keepTip(repo, { workerId: record.id, sha: before, time });
  const move = { branch, from: before, to };
  await carryNoted(context, record, { folder, move });
  const data = { from, outcome: 'synced', strategy, before, after: to, backup };
  await context.log.append([{ type: 'synced', workerId: record.id, data }]);
  const hint = unlessEmpty(await hintsAfter(at, { rewrites }))?.join(' ');
  return answer(at, {
    outcome: 'synced',
    after: to,
    commits_replayed: replayed,
    backup_ref: backup,
    ...defined({ hint }),
  });
}

const mostPaths = 10;

async function obstacleTo(at: At, to: string): Promise<SyncResult | undefined> {
  const { folder, before, from } = at;
  const changes = await changesBetween(topOf(folder), { from: before, to });
  const [blocked, left] = await Promise.all([inTheWay(topOf(folder), changes), submodulesLeft(folder, changes)]);
  const named = (paths: readonly string[]) => paths.slice(0, mostPaths).join(', ');
  if (blocked.length > 0)
    return refused(
      at,
      `${counted(blocked.length, 'file')} that git does not track ${blocked.length === 1 ? 'lies' : 'lie'} where ${from} has its own: ${named(blocked)}.`,
      'Have the worker move or commit them, then run again.',
    );
  // Submodules at their old commits would look like work, and the worker would commit them.
  if (left.length > 0)
    return refused(
      at,
      `${from} has other commits of submodules that are checked out there: ${named(left)}.`,
      `Have the worker take ${from} in itself, and run git submodule update.`,
    );
  return undefined;
}

/** Hints for the next caller. */
async function hintsAfter({ context, record }: At, { rewrites }: { rewrites: boolean }): Promise<readonly string[]> {
  const { id, name, phase } = record;
  await context.roster.following(id)?.drain();
  const turn = context.roster.turn(id);
  const hints: string[] = [];
  // No lock stops a person who types.
  if (phase === 'live' && turn?.is !== 'idle')
    hints.push(`${name} is ${turn?.is ?? 'not followed'} by now: somebody has begun a turn while its files changed.`);
  if (rewrites) hints.push('Its commits were pushed before and are rewritten now, so a plain push will be rejected.');
  return hints;
}

const refused = (at: At, reason: string, hint: string): SyncResult =>
  answer(at, { outcome: 'refused', reason, hint: `Nothing was changed. ${hint}` });

const answer = (at: At, more: Pick<SyncResult, 'outcome'> & Partial<SyncResult>): SyncResult => ({
  success: more.outcome === 'synced' || more.outcome === 'nothing',
  session_id: at.order.worker,
  strategy: at.strategy,
  branch: at.branch,
  from: at.from,
  from_commit: at.base,
  before: at.before,
  after: at.before,
  commits_replayed: 0,
  conflicts: [],
  backup_ref: null,
  ...more,
});
