// Where a plan waits for a decision. Derived from the book alone, so that every server sees the same. Pure.
import { counted } from '../../model/plural.ts';
import {
  type Book,
  type CheckpointKind,
  type DecisionAction,
  type Plan,
  type PlanState,
  planHasEnded,
  type Task,
} from '../../model/task.ts';
import { stateOf, type TaskHold } from '../../model/task-progress.ts';
import { errorKey, holdOf, isDecided, isSettled } from '../../model/task-state.ts';
import { jobsOf, mergeKey, planErrorKey, planPrKey, startKey } from './facts.ts';
import { isRed } from './red-tests.ts';

export interface Checkpoint {
  readonly at: CheckpointKind;
  readonly job?: Task;
  /** What holds up the plan itself. */
  readonly hold?: TaskHold;
  /** Its planner can be sent back. */
  readonly isPlanned?: true;
  /** Under which the decision is kept. */
  readonly key: string;
  readonly why: string;
}

/** The open checkpoints of a plan, the most pressing first. */
export function checkpointsOf(book: Book, plan: Plan): readonly Checkpoint[] {
  if (planHasEnded(plan) || plan.isCancelled) return [];
  if (plan.state === 'proposed') return waitsAtStart(plan) ? [startOf(plan)].filter(isOpen(plan)) : [];
  const jobs = jobsOf(book, plan);
  const atJobs = jobs.flatMap((job) => jobCheckpoints(plan, job).filter(isOpen(job)));
  return [
    ...atJobs.filter(({ at }) => at === 'on_error'),
    ...planCheckpoints(plan, jobs).filter(isOpen(plan)),
    ...atJobs.filter(({ at }) => at !== 'on_error'),
  ];
}

/** As callers see it: paused for as long as a checkpoint is open, cancelled while its workers are being stopped. */
export function shownState(book: Book, plan: Plan): PlanState {
  if (plan.isCancelled) return 'cancelled';
  if (plan.state === 'proposed') return plan.state;
  if (checkpointsOf(book, plan).length > 0) return 'paused';
  return plan.state === 'paused' || (plan.state === 'failed' && jobsOf(book, plan).some(isDecided))
    ? 'running'
    : plan.state;
}

const isOpen =
  ({ decisions }: Pick<Task, 'decisions'>) =>
  ({ key }: Checkpoint): boolean =>
    !Object.hasOwn(decisions, key);

/** Whatever mode was asked for, nobody starts what only a planner has seen; a loop on autopilot was started for that. */
export const waitsAtStart = ({ planner, jobs, mode, loop }: Plan): boolean =>
  planner === undefined ? mode === 'copilot' : jobs.length > 0 && !(loop !== undefined && mode === 'autopilot');

const startOf = (plan: Plan): Checkpoint =>
  plan.planner === undefined
    ? {
        at: 'start',
        key: startKey(plan),
        why: `the plan ${plan.name} runs in copilot mode, so nothing starts before it is approved`,
      }
    : {
        at: 'start',
        isPlanned: true,
        key: startKey(plan),
        why: startWords(plan, plan.jobs),
      };

export const startWords = ({ name }: Pick<Plan, 'name'>, { length }: readonly unknown[]): string =>
  `the planner of ${name} has handed in ${counted(length, 'job')}, and nothing starts before they are approved; relaunch with a prompt that says what is wrong sends it back`;

function jobCheckpoints(plan: Plan, job: Task): readonly Checkpoint[] {
  const { title, reason = 'no reason is known' } = job;
  const hold = holdOf(job);
  if (isSettled(job)) return [];
  // The job has no part in it.
  if (hold !== undefined && isRed(hold)) return [{ at: 'on_error', job, key: errorKey(job), why: hold.words }];
  if (hold !== undefined) return [{ at: 'on_error', job, key: errorKey(job), why: `${title}: ${hold.words}` }];
  if (plan.mode !== 'supervisor') return [];
  if (stateOf(job) === 'failed')
    return [{ at: 'on_error', job, key: errorKey(job), why: `${title} failed: ${reason}` }];
  if (stateOf(job) !== 'landing') return [];
  const commits = job.evidence.commits.length;
  const done = job.bounces === 0 ? 'is done' : 'is done again after it was sent back';
  const work = commits === 0 ? 'its work' : counted(commits, 'commit');
  return [
    { at: 'pre_merge', job, key: mergeKey(job), why: `${title} ${done}, and ${work} would land on ${plan.branch}` },
  ];
}

function planCheckpoints(plan: Plan, jobs: readonly Task[]): readonly Checkpoint[] {
  const { hold, mode, onComplete, name, base, branch } = plan;
  if (hold !== undefined) {
    const why = isRed(hold) ? hold.words : `${name}: ${hold.words}`;
    return [{ at: 'on_error', hold, key: planErrorKey(plan), why }];
  }
  if (mode !== 'supervisor' || onComplete === 'none' || !jobs.every(isSettled)) return [];
  if (onComplete === 'pr')
    return [
      {
        at: 'pre_pr',
        key: planPrKey(plan),
        why: `${name} is done, and ${branch} would be pushed and proposed to ${base.ref}`,
      },
    ];
  return [{ at: 'pre_merge', key: mergeKey(plan), why: `${name} is done, and ${branch} would land on ${base.ref}` }];
}

/** What may be decided at it, the plainest first. */
export function actionsAt({
  at,
  job,
  isPlanned,
  hold = job && holdOf(job),
}: Omit<Checkpoint, 'key' | 'why'>): readonly DecisionAction[] {
  if (at === 'start') return isPlanned ? ['continue', 'relaunch'] : ['continue'];
  if (at === 'on_error' && isRed(hold))
    return job === undefined ? ['continue', 'retry', 'skip'] : ['continue', 'retry', 'relaunch', 'skip'];
  if (job === undefined) return at === 'on_error' ? ['retry', 'skip'] : ['continue', 'skip'];
  if (at !== 'on_error') return ['continue', 'relaunch', 'skip'];
  if (hold?.why === 'touch_set') return ['accept', 'retry', 'relaunch', 'skip'];
  if (hold?.why === 'nothing') return ['retry', 'relaunch', 'accept', 'skip'];
  return ['retry', 'relaunch', 'skip', 'continue'];
}

/** While it is open, nothing of the plan starts or lands. */
export const stopsAll = (plan: Plan, { at }: Checkpoint): boolean => plan.mode === 'supervisor' && at === 'on_error';
