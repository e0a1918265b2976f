// What the branch of a task has, and whether that is still what was checked.
import type { Attention, Comparing } from '../../crew/api.ts';
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import type { Task, TaskEvidence } from '../../model/task.ts';
import { planOf } from '../../model/task-state.ts';
import type { TaskPatch } from '../../store/job-book.ts';
import type { LandingResult } from '../../wire/landing.ts';
import { type Facts, workOf } from '../judge/facts.ts';
import { checkedWith, hasTurnAfter, watchedAgain } from '../judge/outcomes.ts';
import { bringsBy } from './brings.ts';

export interface BranchLooking {
  readonly crew: Pick<Comparing, 'branchOf'> & Pick<Attention, 'deniesEditing'>;
  readonly facts: () => Facts;
}

export function workerOf({ worker, title }: Task): string {
  if (worker !== undefined) return worker.id;
  throw new CrewError('internal', `A bug in crewmux: the task ${title} has no worker.`, 'Please report it.');
}

/** What others have landed on the branch of its plan is not its own, also once its worker has merged that. */
export const lookAtBranch = ({ crew, facts }: BranchLooking, task: Task, worker = workerOf(task)) =>
  crew.branchOf({ worker, ...defined({ base: planOf(facts(), task)?.branch }) });

/** After the end of its work. */
export async function checkBranch(looking: BranchLooking, task: Task): Promise<Omit<TaskPatch, 'id'>> {
  const brings = await bringsBy(looking.crew, task);
  const { commits, dirtyFiles } = await lookAtBranch(looking, task);
  const heldBy = commits.length + dirtyFiles > 0 ? undefined : await holderOf(looking, task);
  return { brings, ...checkedWith(looking.facts(), { ...task, brings }, { commits, dirtyFiles, heldBy }) };
}

/** The branch that holds all commits that it has made; undefined where it has made none. */
async function holderOf({ crew, facts }: BranchLooking, task: Task): Promise<string | undefined> {
  const { base } = workOf(facts(), task) ?? {};
  // One that was there before may have made them for another task.
  if (base?.sha === undefined || task.isReused) return undefined;
  const { commits } = await crew.branchOf({ worker: workerOf(task), base: base.sha });
  return commits.length === 0 ? undefined : (planOf(facts(), task)?.branch ?? base.ref);
}

/** What becomes of it where its branch is not as it was checked. A landing that was noted nowhere leaves no commit. */
export async function unchecked(looking: BranchLooking, task: Task): Promise<Omit<TaskPatch, 'id'> | undefined> {
  const { commits } = await lookAtBranch(looking, task);
  const work = workOf(looking.facts(), task);
  const { progress } = task;
  if (progress.is !== 'landing') return undefined;
  if (work !== undefined && hasTurnAfter(progress.overAt, work)) return watchedAgain;
  const [head] = commits;
  const isSame = head === undefined || head === task.evidence.commits[0];
  return isSame ? undefined : { progress: { ...progress, isUnchecked: true }, round: task.round + 1, reason: null };
}

/** With the commits that it has at its end; as it was where none can be told. */
export async function evidenceLeft(
  looking: BranchLooking,
  task: Task,
  worker: string | undefined,
): Promise<TaskEvidence> {
  const looked = worker === undefined ? undefined : await lookAtBranch(looking, task, worker).catch(() => undefined);
  const { commits = [] } = looked ?? {};
  return commits.length === 0 ? task.evidence : { ...task.evidence, commits };
}

/** With the commit that its landing has made of what was in none. */
export async function evidenceLanded(
  looking: BranchLooking,
  task: Task,
  { leftovers_committed, to_commit, outcome }: LandingResult,
): Promise<TaskEvidence> {
  if (leftovers_committed === 0) return task.evidence;
  const left = await evidenceLeft(looking, task, workerOf(task));
  // The target may hold all of the branch now, so that nothing is left to compare.
  const isTold = outcome !== 'landed' || left.commits[0] !== task.evidence.commits[0];
  return isTold ? left : { ...left, commits: [to_commit.slice(0, 12), ...left.commits] };
}
