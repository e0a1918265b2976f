// The branch of a worker or of a plan, and the checks before a verb changes it.
import { type Advice, advise, call } from '../../model/advice.ts';
import { CrewError } from '../../model/errors.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';
import { hasTurnToEnd } from '../../turn/running.ts';
import { type FolderFacts, inspectFolder } from '../../worktree/git/inspect.ts';
import type { WorkState } from '../../worktree/state/work-state.ts';
import type { PlanBranch, Run } from '../orders.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { refuseOthers } from '../workers/ownership.ts';
import { cannotTell } from '../workers/pane-facts.ts';

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

/** Whose branch it is: as much of a worker's record as a plan has too. */
export interface Owner extends Pick<WorkerRecord, 'id' | 'name' | 'annotation' | 'base' | 'worktreePath'> {
  /** Undefined for a worker. */
  readonly lane?: PlanBranch;
}

/** A verb on the branch of a worker or of a plan. */
export interface OwnedBranch<Order> extends Omit<OwnBranch<Order>, 'record'> {
  readonly owner: Owner;
}

/** As an answer names it. */
export const subjectOf = (worker: string | PlanBranch): string => (typeof worker === 'string' ? worker : worker.id);

/** What an event tells of the plan. */
export const planBranchFacts = ({ id, crew }: Pick<PlanBranch, 'id' | 'crew'>) => ({ plan_id: id, crew });

/** Rejects with `not_a_repository` or `owned_by_another`. `act` is the participle of the verb, for the hint. */
export async function ownBranch<Order extends { readonly worker: string }>(
  asked: Asked<Order>,
  act: string,
): Promise<OwnBranch<Order>> {
  return { ...asked, ...(await branchOfWorker(asked.context, asked.order.worker, act)) };
}

async function branchOfWorker(
  context: CrewContext,
  worker: string,
  act: string,
): Promise<Pick<OwnBranch<never>, 'record' | 'repo' | 'branch'>> {
  const record = context.roster.resolve(worker);
  const { branch, name } = record;
  const repo = await inspectFolder({ path: record.mainRepoPath ?? record.projectPath, env: context.environment.git });
  if (repo === undefined || branch === undefined) {
    throw new CrewError(
      'not_a_repository',
      `${name} has no branch of its own: it works in ${record.projectPath}.`,
      `Only work on a branch can be ${act}. Spawn workers with use_worktree: true.`,
    );
  }
  refuseOthers(context, record);
  return { record, repo, branch };
}

/** As `ownBranch`, and throws `worker_busy` during a turn; the branch of a plan is never busy. */
export async function idleBranch<Order extends { readonly worker: string | PlanBranch }>(
  asked: Asked<Order>,
  act: string,
): Promise<OwnedBranch<Order>> {
  const { context, order } = asked;
  if (typeof order.worker !== 'string') return { ...asked, ...(await branchOfLane(context, order.worker)) };
  const { roster } = context;
  await roster.following(roster.resolve(order.worker).id)?.drain();
  const { record, repo, branch } = await branchOfWorker(context, order.worker, act);
  const turn = roster.turn(record.id);
  if (turn?.is === 'unknown') throw cannotTell(record.name, turn.evidence.detail);
  if (record.phase !== 'live' || turn === undefined || !hasTurnToEnd(turn))
    return { ...asked, owner: record, repo, branch };
  throw new CrewError(
    'worker_busy',
    `${record.name} is ${turn.is} (${turn.evidence.source}: ${turn.evidence.detail}), so its work is not whole yet.`,
    busyHint(record.id, turn),
  );
}

/** The name of a plan is the label of its branch. */
async function branchOfLane(
  context: CrewContext,
  lane: PlanBranch,
): Promise<Pick<OwnedBranch<never>, 'owner' | 'repo' | 'branch'>> {
  const { id, name, base, branch, repoPath } = lane;
  const repo = await inspectFolder({ path: repoPath, env: context.environment.git });
  if (repo !== undefined) return { owner: { id, name, annotation: name, base, lane }, repo, branch };
  throw new CrewError(
    'not_a_repository',
    `${repoPath} is no git repository any more, and the branch ${branch} of ${name} was in it.`,
    'Bring the repository back to that place, then call again.',
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

export function busyHint(id: string, turn: Pick<TurnState, 'is' | 'waitingFor'> | undefined): Advice {
  const { is, waitingFor } = turn ?? {};
  const isAnswered = is === 'waiting' && waitingFor !== 'login' && waitingFor !== 'limit';
  const interrupt = call('interrupt_workers', 'interrupt it in its pane');
  if (!isAnswered) return advise`Wait for it with wait_idle_workers, or ${interrupt} first; then run again.`;
  const answer = call(
    `make the answer_worker call that examine_worker {"session_id":"${id}"} shows`,
    '`crewmux answer`',
  );
  return advise`It waits for an answer: ${answer}, or ${interrupt} first; then run again.`;
}
