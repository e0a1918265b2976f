// What the next step is decided from, and the steps there are.
import type { AgentAccounts, RoleFacts, Work } from '../../crew/api.ts';
import type { JobEventType } from '../../model/event.ts';
import type { Book, Plan, Task } from '../../model/task.ts';
import { queued, stateOf } from '../../model/task-progress.ts';
import { decisionOf, hasEnded, isDecided } from '../../model/task-state.ts';
import type { PlanPatch, TaskPatch } from '../../store/job-book.ts';

/** Read anew before each step. */
export interface Facts {
  /** Epoch ms. */
  readonly now: number;
  readonly book: Book;
  /** By worker id. */
  readonly works: ReadonlyMap<string, Work>;
  /** Tasks, plans and schedules for which this process is in the midst of an act, by id. */
  readonly busy: ReadonlySet<string>;
  /** How many tasks more may be at work, those of other projects and servers counted. */
  readonly room: number;
  /** What workers enter starts by itself. */
  readonly startsSubtasks: boolean;
  /** What the accounts of agents allow, by the project of a task that is to start. */
  readonly accounts: ReadonlyMap<string, AgentAccounts>;
  /** What the role of a task that is to start says, by the id of the task. */
  readonly roles: ReadonlyMap<string, RoleFacts>;
  /** Loops that have cost what they may, by id, in words. */
  readonly spent?: ReadonlyMap<string, string>;
  /** Of a task that names none. */
  readonly taskTimeoutMinutes?: number;
}

type TaskAct = 'start' | 'send' | 'check' | 'land' | 'propose' | 'stop' | 'close' | 'collect';

export type DriverStep =
  /** Only the book changes. */
  | { readonly do: 'note'; readonly task: Task; readonly set: Omit<TaskPatch, 'id'>; readonly tell?: JobEventType }
  | { readonly do: TaskAct; readonly task: Task }
  | {
      readonly do: 'note-plan';
      readonly plan: Plan;
      readonly set: Omit<PlanPatch, 'id'>;
      readonly tell?: JobEventType;
      /** Written with it, or not at all. */
      readonly tasks?: readonly TaskPatch[];
    }
  /** What its planner has handed in, or has not. */
  | { readonly do: 'judge'; readonly plan: Plan }
  | { readonly do: 'finish'; readonly plan: Plan };

export type TaskStep = Extract<DriverStep, { readonly task: Task }>;
export type PlanStep = Extract<DriverStep, { readonly plan: Plan }>;

/** How often the tests or the target may send work back to its worker. */
export const mostBounces = 2;

/** The worker of a task: the noted one, else the one that was started for this very attempt. */
export function workOf({ works }: Pick<Facts, 'works'>, task: Task): Work | undefined {
  if (task.worker !== undefined) return works.get(task.worker.id);
  if (task.attempt === 0) return undefined;
  return [...works.values()].find(({ task: tag }) => tag?.id === task.id && tag.attempt === task.attempt);
}

export const jobsOf = ({ tasks }: Book, { jobs }: Pick<Plan, 'jobs'>): readonly Task[] =>
  jobs.flatMap((id) => tasks.get(id) ?? []);

export const plansIn = ({ plans }: Book, ids: readonly string[]): readonly Plan[] =>
  ids.flatMap((id) => plans.get(id) ?? []);

/** Its work is to land or to be proposed, so it needs a branch. */
export const lands = ({ planId, onComplete }: Pick<Task, 'planId' | 'onComplete'>): boolean =>
  planId !== undefined || onComplete !== 'none';

/** It is done, and has commits that nobody has merged. */
export const isUnmerged = (task: Task): boolean =>
  stateOf(task) === 'done' && task.evidence.commits.length > 0 && task.onComplete !== 'pr';

export const mergeKey = ({ round }: Pick<Task | Plan, 'round'>): string => `pre_merge:${round}`;
export const planErrorKey = ({ round }: Pick<Plan, 'round'>): string => `on_error:${round}`;
export const planPrKey = ({ round }: Pick<Plan, 'round'>): string => `pre_pr:${round}`;
/** Jobs that a planner hands in again are another moment. */
export const startKey = ({ planner, round }: Pick<Plan, 'planner' | 'round'>): string =>
  planner === undefined ? 'start' : `start:${round}`;
/** The task of its planner. */
export const plannerOf = ({ tasks }: Book, { planner }: Pick<Plan, 'planner'>): Task | undefined =>
  planner === undefined ? undefined : tasks.get(planner);
/** Ids of all that its workers have had. */
export const tasksOfPlan = ({ jobs, planner }: Pick<Plan, 'jobs' | 'planner'>): readonly string[] =>
  planner === undefined ? jobs : [...jobs, planner];
/** Of a plan that has none yet, its planner. */
export const whoseWork = ({ jobs, planner }: Pick<Plan, 'jobs' | 'planner'>): readonly string[] =>
  jobs.length > 0 || planner === undefined ? jobs : [planner];

/** As callers see it: what is decided shows before the next step writes it down. */
export function shownTask(task: Task): Task {
  if (task.isCancelled && !hasEnded(task)) return { ...task, reason: 'it is being cancelled' };
  const { action } = decisionOf(task) ?? {};
  if (!isDecided(task) || action === 'skip' || action === 'accept') return task;
  const { reason, endedAt, ...rest } = task;
  return { ...rest, progress: queued };
}
