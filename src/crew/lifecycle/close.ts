// Ends workers: asks the agent to exit, then ends its processes, and keeps every file that nothing else has.

import { dirname } from 'node:path';
import { advise, call } from '../../model/advice.ts';
import { defined } from '../../model/defined.ts';
import { asCrewError, CrewError } from '../../model/errors.ts';
import { counted } from '../../model/plural.ts';
import { isSandboxed, type WorkerRecord } from '../../model/worker.ts';
import { exists } from '../../system/disk.ts';
import { endProcesses, processTree } from '../../system/process.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';
import { hasTurnToEnd } from '../../turn/running.ts';
import type { CloseOutcome } from '../../wire/starting.ts';
import { inspectFolder, type Repo } from '../../worktree/git/inspect.ts';
import { removeWorktree } from '../../worktree/removal/remove.ts';
import { takeRulesBack } from '../attention/rule-file.ts';
import { noteSalvage } from '../keeping/restore.ts';
import { dropKept } from '../messages/kept.ts';
import type { Run } from '../orders.ts';
import { readScreen } from '../screen/screen-look.ts';
import { type CrewContext, hasPane, paneRef } from '../workers/crew-context.ts';
import { cannotTell, lookAtPanes, panesOf, verdictOn } from '../workers/pane-facts.ts';
import { agentEnvironment } from '../workers/private-options.ts';
import { awaitFact } from '../workers/timing.ts';
import { holdingTree, workersAt } from '../workers/trees.ts';
import { endLeftSandbox } from './left-sandbox.ts';
import { forgetTemp } from './worker-temp.ts';

const exitCeilingMs = 3_000;
const graceMs = 1_500;

/** Resolves to an outcome for each, under the name the order has for it; that of a worker it could not close says why. */
export async function closeWorkers(
  context: CrewContext,
  order: { readonly workers: readonly string[]; readonly force: boolean },
  run: Run,
): Promise<Readonly<Record<string, CloseOutcome>>> {
  const asked = order.workers.map((id) => ({ id, record: context.roster.resolve(id) }));
  const outcomes = await Promise.all(
    asked.map(async ({ id, record }): Promise<[string, CloseOutcome]> => {
      const outcome = await closeOne(context, record, order.force).catch((thrown: unknown) =>
        failedClose(record, thrown),
      );
      run.tell(`${record.name}: ${outcome.success ? 'closed' : 'not closed'}`);
      return [id, outcome];
    }),
  );
  return Object.fromEntries(outcomes);
}

const failedClose = (record: WorkerRecord, thrown: unknown): CloseOutcome => {
  const { code, message, hint } = asCrewError(thrown);
  return {
    success: false,
    worktree: record.worktreePath === undefined ? 'none' : 'kept',
    branch: record.branch ?? null,
    warning: advise`${code}: ${message} ${hint}`,
  };
};

async function closeOne(context: CrewContext, record: WorkerRecord, force: boolean): Promise<CloseOutcome> {
  await context.roster.following(record.id)?.drain();
  const refusal = closeRefusal(record, context.roster.turn(record.id), context.roster.isOthers(record));
  if (refusal !== undefined && !force) throw refusal;
  context.roster.closing.add(record.id);
  try {
    const isOpen = record.phase === 'live';
    // Others see the end of its processes before they read that it is closed.
    if (isOpen)
      await context.log.append([{ type: 'worker_closing', workerId: record.id, data: {}, set: { closing: true } }]);
    return await endAndClear(context, record, force);
  } catch (error) {
    if (context.roster.record(record.id).closing === true)
      await context.log.append([
        { type: 'reconciled', workerId: record.id, data: { not_closed: true }, set: { closing: null } },
      ]);
    throw error;
  } finally {
    context.roster.closing.delete(record.id);
  }
}

async function endAndClear(context: CrewContext, record: WorkerRecord, force: boolean): Promise<CloseOutcome> {
  if (record.phase !== 'closed') {
    await endAgent(context, record);
    await endLeftSandbox(context, record);
  }
  const undelivered = await dropKept(context, record);
  if (isSandboxed(record.launch)) await forgetTemp(record, await agentEnvironment(context, record));
  await takeRulesBack(context, record);
  const folder = await clearWorktree(context, record, force);
  const set = {
    phase: 'closed' as const,
    endedAt: context.clock.now(),
    endDetail: 'closed',
    kept: null,
    closing: null,
    ...defined({ ownsWorktree: folder.worktree === 'removed' ? false : undefined }),
  };
  const data = { worktree: folder.worktree, ...defined({ salvage: folder.salvage }) };
  await context.log.append([{ type: 'worker_closed', workerId: record.id, data, set }]);
  await context.roster.unfollow(record.id);
  const warning = [undelivered, folder.warning].filter(Boolean).join(' ') || undefined;
  return { success: true, branch: record.branch ?? null, ...folder, ...defined({ warning }) };
}

/** Why nobody may close a worker without force. Pure. */
export function closeRefusal(
  record: WorkerRecord,
  turn: TurnState | undefined,
  isOthers: boolean,
): CrewError | undefined {
  if (record.phase === 'closed' || record.phase === 'dead') return undefined;
  if (isOthers) {
    return new CrewError(
      'owned_by_another',
      `${record.name} is managed by another server that is alive (pid ${record.manager.pid}).`,
      advise`Leave it to that one, or pass ${call('force: true', '--force')}.`,
    );
  }
  if (turn?.is === 'unknown') return cannotTell(record.name, turn.evidence.detail);
  if (turn === undefined || !hasTurnToEnd(turn)) return undefined;
  return new CrewError(
    'worker_busy',
    `${record.name} is ${turn.is} (${turn.evidence.source}: ${turn.evidence.detail}).`,
    advise`Wait for it, ${call('interrupt_workers', 'interrupt it in its pane')} first, or pass ${call('force: true', '--force')}.`,
  );
}

/** Ends the whole process tree and closes the pane; resolves when both are gone. */
async function endAgent(context: CrewContext, record: WorkerRecord): Promise<void> {
  const { pane } = record;
  if (pane === undefined) return;
  const facts = (await lookAtPanes(context, [record]))(record);
  const verdict = verdictOn(record, facts);
  if (verdict.is === 'unknown') throw cannotTell(record.name, verdict.detail);
  const ours = panesOf(facts).find(({ ref }) => hasPane(record, ref));
  // The pane of that id may be another worker's by now, or a person's.
  const isTheirs = ours?.marks.worker !== undefined && ours.marks.worker !== record.id;
  if (ours === undefined || isTheirs || (verdict.is === 'ended' && !ours.dead)) return;
  const tree = ours.dead ? [] : await processTree(pane.pid);
  if (!ours.dead) await askToExit(context, record);
  const left = await endProcesses(tree, { graceMs });
  await context.terminal.close(paneRef(pane));
  if (left.length === 0) return;
  throw new CrewError(
    'internal',
    `${counted(left.length, 'process', 'processes')} of ${record.name} could not be ended: pids ${left.map(({ pid }) => pid).join(', ')}.`,
    'Look at them with ps; they may belong to another user.',
  );
}

/** Types the agent's own exit where its prompt is empty; signals end any other. */
async function askToExit(context: CrewContext, record: WorkerRecord): Promise<void> {
  const following = context.roster.following(record.id);
  if (following?.state.is !== 'idle' || record.pane === undefined) return;
  const agent = context.agents.of(record);
  const reading = await readScreen(context, record, agent).catch(() => undefined);
  if (reading?.draft !== '') return;
  await context.terminal.deliver(paneRef(record.pane), agent.exit).catch(() => undefined);
  await awaitFact(following, { clock: context.clock, ceilingMs: exitCeilingMs }, () =>
    following.state.is === 'gone' ? true : undefined,
  );
}

type Cleared = Pick<CloseOutcome, 'worktree' | 'salvage' | 'warning'>;

async function clearWorktree(context: CrewContext, record: WorkerRecord, force: boolean): Promise<Cleared> {
  const { worktreePath, ownsWorktree } = record;
  if (worktreePath === undefined) return { worktree: 'none' };
  if (!ownsWorktree) return { worktree: (await exists(worktreePath)) ? 'kept' : 'removed' };
  try {
    return await holdingTree(context, worktreePath, () => removeTree(context, record, { path: worktreePath, force }));
  } catch (thrown) {
    const { message, hint } = asCrewError(thrown);
    return { worktree: 'kept', warning: `${message} ${hint}` };
  }
}

/** As it was at the worktree's making; git is asked where that was not recorded or is not there any more. */
async function repoOf(
  { environment: { git: env } }: CrewContext,
  record: WorkerRecord,
  path: string,
): Promise<Repo | undefined> {
  const { mainRepoPath, worktreeGitDir } = record;
  const gitCommonDir = worktreeGitDir && dirname(dirname(worktreeGitDir));
  const isKnown = mainRepoPath && gitCommonDir && (await exists(mainRepoPath)) && (await exists(gitCommonDir));
  return isKnown ? { mainRepoPath, gitCommonDir, env } : inspectFolder({ path: mainRepoPath ?? path, env });
}

async function removeTree(
  context: CrewContext,
  record: WorkerRecord,
  { path, force }: { readonly path: string; readonly force: boolean },
): Promise<Cleared> {
  await context.log.catchUp();
  if (workersAt(context, path).some((other) => other.id !== record.id))
    return { worktree: 'kept', warning: `${path} is used by another worker as well.` };
  const repo = await repoOf(context, record, path);
  if (repo === undefined) return { worktree: 'kept', warning: `${path} is not in a repository any more.` };
  const reason = force ? `${record.name} was closed by force` : `${record.name} was closed`;
  const { salvage } = await removeWorktree({
    repo,
    path,
    force,
    workerId: record.id,
    reason,
    onSaved: (salvage) => noteSalvage(context, { workerId: record.id, path, reason, salvage }),
  });
  return { worktree: 'removed', ...defined({ salvage: salvage?.ref }) };
}
