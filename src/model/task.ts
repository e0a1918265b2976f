// A task of the crew, a plan of such tasks, and what the book keeps of both.
import type { Loop } from './loop.ts';
import type { PlanMode } from './plan-mode.ts';
import type { Schedule } from './schedule.ts';
import type { TaskAsked } from './task-asked.ts';
import { queued, type TaskHold, type TaskStage } from './task-progress.ts';
import type { MergeStrategy, TestOutcome } from './train.ts';

/** `job`: of a plan. `subtask` and `review`: entered by a worker. */
export const taskKinds = ['task', 'job', 'subtask', 'review'] as const;
/** A worker reports one of these on its work. */
export const progressStatuses = ['working', 'blocked', 'needs_review', 'progress', 'completed'] as const;
/** Reports that call for somebody. */
export const alarmStatuses = ['blocked', 'needs_review'] as const;

/** What becomes of finished work. */
export const completions = ['none', 'merge', 'pr'] as const;
export type Completion = (typeof completions)[number];

/** What its work leaves: a commit, or words alone. */
export const brought = ['commit', 'report'] as const;
export type Brings = (typeof brought)[number];

/** What a manager may decide where a plan stands still. */
export const decisions = ['continue', 'retry', 'relaunch', 'skip', 'accept'] as const;
export type DecisionAction = (typeof decisions)[number];

/** By its key, which names the very moment it is for: it counts once, and for no later one. */
export interface Decision {
  readonly action: DecisionAction;
  /** Sent in place of the first prompt. */
  readonly prompt?: string;
  readonly at: number;
}

export interface WorkerName {
  readonly id: string;
  readonly name: string;
}

/** How far the work is proven; each step stands on the one before. */
export interface TaskEvidence {
  /** Its worker has said that it is done. */
  readonly claimed: boolean;
  /** Of its branch, newest first. */
  readonly commits: readonly string[];
  /** The commit at which the tests passed. */
  readonly checkedAt?: string;
  /** The commit of the target that holds it. */
  readonly landedAt?: string;
}

/** How the tests of its last landing ended. */
export interface TaskTests {
  readonly status: TestOutcome;
  readonly command?: string;
  /** The last part of their output, and the file of the whole. */
  readonly output: string;
  readonly path?: string;
  /** The commit of the target that has landed with them. */
  readonly commit?: string;
  /** They fail on the target without it too. */
  readonly isOld?: true;
}

/** Files on which its last landing did not agree with the target. */
export interface TaskClash {
  /** The job that has landed them, or the target where no job is known. */
  readonly with: string;
  readonly files: readonly string[];
}

/** What was asked for. */
export interface TaskOrder extends TaskAsked {
  readonly id: string;
  readonly kind: (typeof taskKinds)[number];
  /** The name of a plan's job. */
  readonly title: string;
  readonly prompt: string;
  /** 0 to 10; more is sooner. */
  readonly priority: number;
  /** Ids of tasks that come first. */
  readonly dependsOn: readonly string[];
  /** The folder it is about, as a real path, and the crew of that folder. */
  readonly project: string;
  readonly crew: string;
  /** The worker that entered it. */
  readonly from?: WorkerName;
  /** Not before the worker that entered it is done with what it does now. */
  readonly afterFrom: boolean;
  /** 1 for the task of a worker that nobody gave a task of another worker. */
  readonly depth: number;
  /** Entered by a worker, and nobody has let it start. */
  readonly isHeld: boolean;
  readonly files: readonly string[];
  readonly tags: readonly string[];
  readonly base?: string;
  readonly planId?: string;
  /** The plan whose jobs its worker is to make; it is no job of that plan itself. */
  readonly plansFor?: string;
  /** Globs of the paths that it may change; empty for all. */
  readonly touchSet: readonly string[];
  readonly copyFiles: readonly string[];
  readonly symlinkDirs: readonly string[];
  readonly setupCommands: readonly string[];
  readonly maxRetries: number;
  readonly timeoutMinutes?: number;
  /** Undefined where nobody has said so yet, and the rules of its worker decide. */
  readonly brings?: Brings;
  readonly onComplete: Completion;
  readonly strategy?: MergeStrategy;
  readonly testCommand?: string;
  readonly keepWorker: boolean;
  /** Epoch ms. */
  readonly at: number;
}

/** What somebody wants of it while it goes on. Any process writes this, whoever drives it. */
export interface TaskWishes {
  readonly isCancelled: boolean;
  /** Left out of its plan: whatever depends on it goes on without. */
  readonly isSkipped: boolean;
  readonly decisions: Readonly<Record<string, Decision>>;
  /** The key of the moment whose hold an edit has seen to. */
  readonly lifted?: string;
}

/** How far it is. The driver alone writes this. */
export interface TaskProgress {
  readonly progress: TaskStage;
  /** Grows with each end of its work, so that a decision is for one of them. */
  readonly round: number;
  /** Workers that were started for it. */
  readonly attempt: number;
  /** How often it was begun again without a new worker: after a failure, a decision, or its return to its worker. */
  readonly repeats?: number;
  readonly worker?: WorkerName;
  /** The worker was there before, and stays. */
  readonly isReused: boolean;
  readonly branch?: string;
  readonly bounces: number;
  readonly failures: number;
  /** Epoch ms before which it does not begin again. */
  readonly notBefore?: number;
  readonly reason?: string;
  readonly evidence: TaskEvidence;
  /** Of its worker, which may be gone when others ask. */
  readonly lastWords?: string;
  readonly tests?: TaskTests;
  readonly clashes?: readonly TaskClash[];
  /** Epoch ms before which nothing counts that was found of the target's tests: somebody wants them run anew. */
  readonly testedSince?: number;
  readonly artefacts: readonly string[];
  readonly startedAt?: number;
  readonly endedAt?: number;
}

export interface Task extends TaskOrder, TaskWishes, TaskProgress {}

export const planStates = ['proposed', 'running', 'paused', 'landing', 'completed', 'failed', 'cancelled'] as const;
export type PlanState = (typeof planStates)[number];
export const checkpoints = ['start', 'pre_merge', 'on_error', 'pre_pr'] as const;
export type CheckpointKind = (typeof checkpoints)[number];

/** A job as a planner names it. */
export interface PlannedJob {
  readonly name: string;
  readonly prompt: string;
  readonly dependsOn: readonly string[];
  readonly touchSet: readonly string[];
  readonly priority: number;
  readonly acceptanceCriteria: string;
  readonly brings?: Brings;
  readonly role?: string;
}

export type HandedIn =
  | { readonly is: 'jobs'; readonly jobs: readonly PlannedJob[] }
  /** Nothing is left to do. */
  | { readonly is: 'reached'; readonly why: string }
  /** What was handed in has not even the shape of jobs; in the words that its planner was told. */
  | { readonly is: 'unfit'; readonly words: string };

/** The worker's own process writes it, and the driver alone judges it. */
export type HandIn = HandedIn & { readonly id: string; readonly at: number };

/** On the hand-in of this id. */
export interface PlanVerdict {
  readonly of: string;
  /** Hand-ins that did not hold, since its planner was sent last. */
  readonly refused: number;
  /** Why it does not hold. */
  readonly words?: string;
}

export interface Plan {
  readonly id: string;
  readonly name: string;
  readonly goal?: string;
  /** The task whose worker makes its jobs, by id. */
  readonly planner?: string;
  /** The loop it is an iteration of, by id. */
  readonly loop?: string;
  readonly handIn?: HandIn;
  readonly verdict?: PlanVerdict;
  /** Its jobs were made from it, as it was then. */
  readonly template?: { readonly name: string; readonly sha256: string };
  readonly mode: PlanMode;
  readonly project: string;
  readonly crew: string;
  /** The branch it was begun from, and its commit then. */
  readonly base: { readonly ref: string; readonly sha: string };
  /** Its jobs land here. */
  readonly branch: string;
  readonly strategy?: MergeStrategy;
  readonly testCommand?: string;
  /** Somebody has decided that what fails only tests that fail on the target too lands all the same. */
  readonly landsRed?: boolean;
  /** As that of a task, for the landing of its branch. */
  readonly testedSince?: number;
  readonly maxParallel?: number;
  readonly onComplete: Completion;
  /** The order its jobs are shown in, by id. */
  readonly jobs: readonly string[];
  readonly at: number;
  readonly state: PlanState;
  readonly isCancelled: boolean;
  readonly decisions: Readonly<Record<string, Decision>>;
  readonly round: number;
  readonly hold?: TaskHold;
  readonly reason?: string;
  readonly url?: string;
  readonly endedAt?: number;
}

/** Everything of a crew that is to be done, was done, or was given up. */
export interface Book {
  readonly tasks: ReadonlyMap<string, Task>;
  readonly plans: ReadonlyMap<string, Plan>;
  readonly schedules: ReadonlyMap<string, Schedule>;
  readonly loops: ReadonlyMap<string, Loop>;
  /** Epoch ms since which nothing of the project starts or lands. */
  readonly pausedAt?: number;
}

export const emptyBook: Book = { tasks: new Map(), plans: new Map(), schedules: new Map(), loops: new Map() };

export const planHasEnded = ({ state }: Pick<Plan, 'state'>): boolean =>
  state === 'completed' || state === 'failed' || state === 'cancelled';
/** For good: one that has failed can be revived or cancelled. */
export const planIsClosed = ({ state }: Pick<Plan, 'state'>): boolean => state === 'completed' || state === 'cancelled';
/** Its planner has not handed in jobs that hold. */
export const isPlanning = ({ planner, state, jobs, isCancelled }: Plan): boolean =>
  planner !== undefined && state === 'proposed' && jobs.length === 0 && !isCancelled;
/** Nobody has judged it yet. */
export const unjudged = ({ handIn, verdict }: Pick<Plan, 'handIn' | 'verdict'>): HandIn | undefined =>
  handIn === undefined || verdict?.of === handIn.id ? undefined : handIn;
/** How many hand-ins that do not hold end a planning. */
export const mostRefused = 3;
/** As far as is known before its worker is: a review changes nothing. */
export const bringsOf = ({ brings, kind }: Pick<Task, 'brings' | 'kind'>): Brings =>
  brings ?? (kind === 'review' ? 'report' : 'commit');
export const freshProgress: TaskWishes & TaskProgress = {
  progress: queued,
  isCancelled: false,
  isSkipped: false,
  decisions: {},
  round: 0,
  attempt: 0,
  isReused: false,
  bounces: 0,
  failures: 0,
  evidence: { claimed: false, commits: [] },
  artefacts: [],
};
