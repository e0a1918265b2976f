// A worker's own branch, and the checks before a verb changes it.
import { CrewError } from '../../model/errors.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { type FolderFacts, inspectFolder } from '../../worktree/inspect.ts';
import type { WorkState } from '../../worktree/work-state.ts';
import { hasTurnToEnd } from '../messages/interrupt.ts';
import type { Run } from '../orders.ts';
import type { CrewContext } from '../workers/roster.ts';

interface Asked<Order> {
  readonly context: CrewContext;
  readonly order: Order;
  readonly run: Run;
}

/** A verb on the branch of one worker. */
export interface OwnBranch<Order> extends Asked<Order> {
  readonly record: WorkerRecord;
  readonly repo: FolderFacts;
  readonly branch: string;
}

type ForWorker = { readonly worker: string };

/** Rejects with `not_a_repository` or `owned_by_another`. `act` is the participle of the verb, for the hint. */
export async function ownBranch<Order extends ForWorker>(asked: Asked<Order>, act: string): Promise<OwnBranch<Order>> {
  const { context, order } = asked;
  const record = context.roster.resolve(order.worker);
  const { branch, name } = record;
  const repo = await inspectFolder({ path: record.mainRepoPath ?? record.projectPath, env: context.env });
  if (repo === undefined || branch === undefined) {
    throw new CrewError(
      'not_a_repository',
      `${name} has no branch of its own: it works in ${record.projectPath}.`,
      `Only work on a branch can be ${act}. Spawn workers with use_worktree: true.`,
    );
  }
  if (context.roster.isOthers(record)) {
    throw new CrewError(
      'owned_by_another',
      `${name} is managed by another server that is alive (pid ${record.manager.pid}).`,
      'Leave it to that one, or adopt_worker with force: true first.',
    );
  }
  return { ...asked, record, repo, branch };
}

/** As `ownBranch`, and throws `worker_busy` during a turn. */
export async function idleBranch<Order extends ForWorker>(asked: Asked<Order>, act: string): Promise<OwnBranch<Order>> {
  const { roster } = asked.context;
  await roster.following(roster.resolve(asked.order.worker).id)?.drain();
  const own = await ownBranch(asked, act);
  const { record } = own;
  const turn = roster.turn(record.id);
  if (record.phase !== 'live' || turn === undefined || !hasTurnToEnd(turn)) return own;
  throw new CrewError(
    'worker_busy',
    `${record.name} is ${turn.is} (${turn.evidence.source}: ${turn.evidence.detail}), so its work is not whole yet.`,
    'Wait for it with wait_idle_workers, or interrupt_workers first; then run again.',
  );
}

/** The reason why the worktree does not simply hold its branch. It ignores uncommitted files. Pure. */
export function unready(state: Pick<WorkState, 'operation' | 'branch'>, branch: string): string | undefined {
  if (state.operation !== undefined) return `a ${state.operation} was begun there and not finished`;
  return state.branch === branch ? undefined : `it is on ${state.branch ?? 'no branch'}, not on ${branch}`;
}

/** Throws when the caller has cancelled; call it before the first change. */
export function refuseCancelled({ signal }: Pick<Run, 'signal'>, what: string): void {
  if (!signal.aborted) return;
  throw new CrewError('invalid_argument', `The ${what} was cancelled; nothing was changed.`, 'Call again when ready.');
}
