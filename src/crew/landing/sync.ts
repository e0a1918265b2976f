// sync_worker: what a worker's base has gained, brought into its branch while the worker rests.
import { isoTime } from '../../model/clock.ts';
import { CrewError } from '../../model/errors.ts';
import { planSync, type SyncStrategy } from '../../model/train.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { exists } from '../../system/disk.ts';
import { withLock } from '../../system/lock.ts';
import type { SyncResult } from '../../wire/landing.ts';
import { topOf } from '../../worktree/draft-index.ts';
import { type FolderFacts, inspectFolder } from '../../worktree/inspect.ts';
import { submodulesLeft } from '../../worktree/landing/carry.ts';
import { changesBetween, inTheWay } from '../../worktree/landing/in-the-way.ts';
import { clearScratch, scratchPath } from '../../worktree/landing/scratch.ts';
import { keepTip, type Synced, syncedCommit, syncFacts } from '../../worktree/landing/sync.ts';
import { type Parent, parentBranch } from '../../worktree/parent-branch.ts';
import { workState } from '../../worktree/work-state.ts';
import { sendLock } from '../messages/send-journal.ts';
import type { Run, SyncOrder } from '../orders.ts';
import type { CrewContext } from '../workers/roster.ts';
import { conflictSides } from './conflict-sides.ts';
import { finishLanding } from './finish-landing.ts';
import { landingDir, landingLock } from './landing-journal.ts';
import { conflictPrompt, mergeMessage } from './landing-words.ts';
import { type OwnBranch, ownBranch, refuseCancelled, unready } from './own-branch.ts';
import { carryNoted, mendSync } from './sync-journal.ts';

const lockTimeoutMs = 60_000;

interface Syncing extends OwnBranch {
  readonly context: CrewContext;
  readonly record: WorkerRecord;
  readonly order: SyncOrder;
  readonly run: Run;
  readonly worktree: string;
  /** The repository's own folder for landings. */
  readonly dir: string;
}

export async function syncWorker(context: CrewContext, order: SyncOrder, run: Run): Promise<SyncResult> {
  const record = context.roster.resolve(order.worker);
  const own = await ownBranch(context, record, 'synced');
  const worktree = await worktreeOf(record, own);
  const dir = landingDir(context, own.repo);
  const syncing: Syncing = { context, record, order, run, worktree, dir, ...own };
  const options = { me: context.me, timeoutMs: lockTimeoutMs };
  await refuseUnlessIdle(context, syncing);
  run.tell(`waiting for the turn of ${record.name} to sync`);
  // Whoever sends to the worker holds the inner lock, so no turn of ours begins meanwhile.
  return withLock(
    landingLock(context, dir),
    () => withLock(sendLock(context, record.id), () => sync(syncing), options),
    options,
  );
}

async function worktreeOf(record: WorkerRecord, { repo }: OwnBranch): Promise<string> {
  const { worktreePath: path, name } = record;
  const isOwn = path !== undefined && path !== repo.mainRepoPath;
  if (isOwn && (await exists(path))) return path;
  throw new CrewError(
    'not_a_repository',
    isOwn ? `The worktree of ${name} is gone from ${path}.` : `${name} has no worktree of its own.`,
    isOwn ? 'restart_workers brings it back; or merge_worker lands the branch as it is.' : 'Sync that folder by hand.',
  );
}

/** Everybody who works there rests, by what is known of them now. */
async function refuseUnlessIdle({ roster }: CrewContext, { worktree, record }: Syncing): Promise<void> {
  const there = roster.records().filter((one) => isLive(one) && (one.id === record.id || isIn(worktree, one)));
  for (const one of there) {
    await roster.following(one.id)?.drain();
    const turn = roster.turn(one.id);
    if (turn?.is === 'idle' || turn?.is === 'gone') continue;
    const what = turn === undefined ? 'not followed here' : `${turn.is} (${turn.evidence.detail})`;
    throw new CrewError(
      'worker_busy',
      `${one.name} is ${what}, so its files must not change under it.`,
      'Wait for it with wait_idle_workers, or interrupt_workers first; then run again.',
    );
  }
}

const isLive = ({ phase }: WorkerRecord): boolean => phase === 'live' || phase === 'spawning';
const isIn = (folder: string, { projectPath }: WorkerRecord): boolean =>
  projectPath === folder || projectPath.startsWith(`${folder}/`);

/** Under both locks. */
async function sync(syncing: Syncing): Promise<SyncResult> {
  const { context, repo, dir, order, record, branch } = syncing;
  await finishLanding(context, dir);
  await clearScratch(repo, dir);
  const folder = await readyWorktree(syncing);
  const parent = await parentBranch(repo, {
    asked: order.from,
    recorded: record.base,
    reach: 'any',
    parameter: 'from',
  });
  if (parent.remote === undefined && parent.branch === branch) throw ownBase(syncing);
  const tips = { own: folder.head.sha ?? '', base: parent.sha };
  const facts = await syncFacts(repo, tips);
  const plan = planSync({ ...facts, asked: order.strategy });
  const strategy: SyncStrategy = plan.do === 'merge' ? 'merge' : (order.strategy ?? 'rebase');
  const at: At = { syncing, folder, parent, strategy, before: tips.own };
  if (plan.do === 'nothing') return answer(at, { outcome: 'nothing' });
  syncing.run.tell(`${plan.do} of ${branch} on ${nameOf(parent)}`);
  const synced = await syncedCommit({
    repo,
    ...tips,
    plan: plan.do,
    message: mergeMessage(nameOf(parent), branch),
    scratchPath: scratchPath(dir),
  });
  if (synced.commit === undefined) return stopped(at, synced);
  const replayed = plan.do === 'rebase' ? facts.ahead : 0;
  const rewrites = plan.do === 'rebase' && facts.isPublished;
  return apply(at, { to: synced.commit, replayed, rewrites });
}

interface At {
  readonly syncing: Syncing;
  readonly folder: FolderFacts;
  readonly parent: Parent;
  readonly strategy: SyncStrategy;
  readonly before: string;
}

const nameOf = ({ remote, branch }: Parent): string => (remote === undefined ? branch : `${remote}/${branch}`);

const ownBase = ({ record, branch }: Syncing) =>
  new CrewError(
    'invalid_argument',
    `${record.name} was begun on ${branch} itself, so it has no base to take anything from.`,
    'Pass from with another branch.',
  );

/** On its branch, with nothing uncommitted; what a killed sync left is mended first. */
async function readyWorktree({ context, record, worktree, branch }: Syncing): Promise<FolderFacts> {
  const look = () => inspectFolder({ path: worktree, env: context.env });
  const found = await look();
  const isTop = found?.worktreeRoot !== undefined && found.subfolder === '';
  if (!isTop) throw notReady(record, `git knows no worktree at ${worktree}`);
  const mended = await mendSync(context, record, found);
  const state = await workState({ worktreePath: worktree, env: context.env, base: 'none' });
  const { dirtyFiles } = state;
  const problem =
    unready(state, branch) ??
    (dirtyFiles > 0 ? `${dirtyFiles} tracked files have changes that are not committed` : undefined);
  if (problem !== undefined) throw notReady(record, problem);
  return mended === undefined ? found : ((await look()) ?? found);
}

const notReady = ({ name }: WorkerRecord, why: string) =>
  new CrewError(
    'would_lose_work',
    `The worktree of ${name} cannot be synced as it stands: ${why}.`,
    'Nothing was changed. Have the worker put it right, or commit; then run again.',
  );

async function stopped(at: At, { conflicts: files, reason }: Synced): Promise<SyncResult> {
  const { context, repo, record, branch } = at.syncing;
  const clash = { target: at.parent.sha, source: at.before, files };
  const conflicts = await conflictSides(context, repo, clash);
  if (conflicts.length === 0) {
    const hint = 'Nothing was changed. Pass strategy: "merge".';
    return answer(at, { outcome: 'refused', reason: `${reason ?? 'git would not'}.`, hint });
  }
  const data = { from: nameOf(at.parent), outcome: 'conflict', files: files.slice(0, 20) };
  await context.log.append([{ type: 'synced', workerId: record.id, data }]);
  return answer(at, {
    outcome: 'conflict',
    conflicts,
    reason: `${branch} and ${nameOf(at.parent)} do not agree on ${files.length} files; the worktree is as it was.`,
    hint: 'Send the prompt with message_workers: the worker merges and solves it.',
    prompt: conflictPrompt(nameOf(at.parent), branch, conflicts),
  });
}

/** The one part that touches the worktree, so the facts are looked at once more. */
async function apply(
  at: At,
  { to, replayed, rewrites }: { to: string; replayed: number; rewrites: boolean },
): Promise<SyncResult> {
  const { syncing, folder, parent, before, strategy } = at;
  const { context, record, repo, branch, worktree } = syncing;
  refuseCancelled(syncing.run, 'sync');
  await refuseUnlessIdle(context, syncing);
  const state = await workState({ worktreePath: worktree, env: context.env, base: 'none' });
  if (state.headSha !== before || state.dirtyFiles > 0) throw notReady(record, 'it has changed meanwhile');
  const changes = await changesBetween(topOf(folder), { from: before, to });
  const [blocked, left] = await Promise.all([inTheWay(topOf(folder), changes), submodulesLeft(folder, changes)]);
  if (blocked.length > 0) return answer(at, inItsWay(nameOf(parent), blocked));
  if (left.length > 0) return answer(at, withSubmodules(nameOf(parent), left));
  const time = isoTime(context.clock.now());
  const backup = await keepTip(repo, { workerId: record.id, sha: before, time });
  const move = { branch, from: before, to };
  await carryNoted(context, record, { folder, move, why: `crewmux: ${strategy} of ${nameOf(parent)}` });
  const data = { from: nameOf(parent), outcome: 'synced', strategy, before, after: to, backup };
  await context.log.append([{ type: 'synced', workerId: record.id, data }]);
  const hints = await afterwards(at, { rewrites });
  return answer(at, {
    outcome: 'synced',
    after: to,
    commits_replayed: replayed,
    backup_ref: backup,
    ...(hints.length === 0 ? {} : { hint: hints.join(' ') }),
  });
}

/** What whoever goes on from here should know. */
async function afterwards({ syncing }: At, { rewrites }: { rewrites: boolean }): Promise<readonly string[]> {
  const { roster } = syncing.context;
  const { id, name, phase } = syncing.record;
  await roster.following(id)?.drain();
  const turn = roster.turn(id);
  const hints: string[] = [];
  // A person's keys are held by no lock.
  if (phase === 'live' && turn?.is !== 'idle')
    hints.push(`${name} is ${turn?.is ?? 'not followed'} by now: somebody has begun a turn while its files changed.`);
  if (rewrites) hints.push('Its commits were pushed before and are rewritten now, so a plain push will be rejected.');
  return hints;
}

const mostPaths = 10;

const inItsWay = (from: string, paths: readonly string[]) => ({
  outcome: 'refused' as const,
  reason: `${paths.length} files that git does not track lie where ${from} has its own: ${paths.slice(0, mostPaths).join(', ')}.`,
  hint: 'Nothing was changed. Have the worker move or commit them, then run again.',
});

/** Left at their old commits they would look like work, and be committed with it. */
const withSubmodules = (from: string, paths: readonly string[]) => ({
  outcome: 'refused' as const,
  reason: `${from} has other commits of submodules that are checked out there: ${paths.slice(0, mostPaths).join(', ')}.`,
  hint: `Nothing was changed. Have the worker take ${from} in itself, and run git submodule update.`,
});

function answer(
  { syncing, parent, strategy, before }: At,
  told: Pick<SyncResult, 'outcome'> & Partial<SyncResult>,
): SyncResult {
  return {
    success: told.outcome === 'synced' || told.outcome === 'nothing',
    session_id: syncing.order.worker,
    strategy,
    branch: syncing.branch,
    from: nameOf(parent),
    from_commit: parent.sha,
    before,
    after: before,
    commits_replayed: 0,
    conflicts: [],
    backup_ref: null,
    ...told,
  };
}
