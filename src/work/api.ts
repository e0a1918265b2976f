// What tools and the command line may ask about tasks and plans. They see these types and nothing else of the room.
import type { Crew, CrewView, Run, WorkerSpan } from '../crew/api.ts';
import type { Disposer } from '../model/clock.ts';
import type { Digest } from '../wire/digest.ts';
import type { LoopLine, RunLoopResult } from '../wire/loops.ts';
import type {
  ApprovePlanRequest,
  BriefPlan,
  CreatePlanRequest,
  CreatePlanResult,
  EditPlanRequest,
  PlanChanged,
  PlanStatusResult,
} from '../wire/plans.ts';
import type { ScheduleTaskResult } from '../wire/schedules.ts';
import type { ProjectLine } from '../wire/status.ts';
import type {
  CheckpointView,
  ListTasksRequest,
  ListTasksResult,
  PausableProject,
  ProjectAction,
  SubmitTaskRequest,
  SubmitTaskResult,
  TaskView,
  WaitTasksRequest,
  WaitTasksResult,
} from '../wire/tasks.ts';
import type { KnownTemplates } from './templates/known.ts';
import type { SavedTemplate } from './templates/save.ts';
import type { LoopOrder } from './verbs/loops.ts';
import type { ScheduleOrder } from './verbs/schedules.ts';
import type { TaskUpdateOrder } from './verbs/task-change.ts';

export type { KnownTemplate, KnownTemplates } from './templates/known.ts';
export type { SavedTemplate } from './templates/save.ts';

/** What stands there at a glance: plans and tasks that have not ended, and those that ended last. */
export interface JobsSummary {
  readonly plans: readonly BriefPlan[];
  readonly tasks: readonly TaskView[];
  /** Tasks at work now, of all projects, and how many may be. */
  readonly running: number;
  readonly limit: number;
  readonly checkpoints: readonly CheckpointView[];
  /** Those that have not ended. */
  readonly loops?: readonly LoopLine[];
  /** A line each: those that are paused, and the next run of any. */
  readonly schedules?: readonly string[];
  /** What lets those go on that are paused. */
  readonly scheduleCalls?: readonly string[];
  /** Nothing of the project starts or lands since then. */
  readonly paused?: { readonly since: string };
}

interface Here {
  /** Where `auto` leads, before the server's own folder. */
  readonly here?: string;
}

export interface Jobs {
  submit(order: SubmitTaskRequest & Here): Promise<SubmitTaskResult>;
  list(query: ListTasksRequest): Promise<ListTasksResult>;
  update(order: TaskUpdateOrder): Promise<SubmitTaskResult>;
  /** Holds what is to start and to land in a project, or lets it go on; a second time changes nothing. */
  pauseOrResume(order: { readonly action: ProjectAction } & Here): Promise<PausableProject>;
  /** Resolves at an end, a checkpoint or a need of a worker; `timeoutMs` bounds it. */
  wait(order: WaitTasksRequest & { readonly timeoutMs: number }, run: Run): Promise<WaitTasksResult>;
  createPlan(order: CreatePlanRequest & Here): Promise<CreatePlanResult>;
  planStatus(query: { readonly planId?: string }): Promise<PlanStatusResult>;
  approve(order: ApprovePlanRequest): Promise<PlanChanged>;
  edit(order: EditPlanRequest): Promise<PlanChanged>;
  cancel(order: { readonly planId: string }): Promise<PlanChanged>;
  /** Adds, lists and changes schedules; what one enters is checked at once. */
  schedule(order: ScheduleOrder): Promise<ScheduleTaskResult>;
  /** Starts, shows, resumes and stops the loop of a project. */
  runLoop(order: LoopOrder): Promise<RunLoopResult>;
  /** The integration branch of a plan is pushed and proposed. */
  propose(
    order: {
      readonly planId: string;
      readonly title?: string;
      readonly body?: string;
      readonly draft: boolean;
      readonly base?: string;
      readonly remote?: string;
    },
    run: Run,
  ): ReturnType<Crew['propose']>;
  /** The workers that have had a task, or any of a plan, and when they were at it. Rejects for one that nobody knows. */
  workersOf(query: { readonly taskId?: string; readonly planId?: string }): Promise<readonly WorkerSpan[]>;
  jobsSummary(query?: Here): Promise<JobsSummary>;
  /** What has come of the work since an ISO 8601 time, or since so long ago. Rejects for any other `since`. */
  digest(query: { readonly since: string }): Promise<Digest>;
  /** Every project of this user, whoever manages its workers. */
  projects(): Promise<readonly ProjectLine[]>;
  /** Calls back after every change of a task or plan. */
  onChange(listen: () => void): Disposer;
  dispose(): Promise<void>;
}

/** The crew, and what is to be done in it. */
export interface Workshop extends Crew {
  readonly jobs: Jobs;
}

/** What can be read without a server of one's own. */
export interface JobsView
  extends Pick<Jobs, 'list' | 'planStatus' | 'jobsSummary' | 'digest' | 'onChange' | 'dispose'> {
  /** Those of the project that is looked at from, as they count now. */
  templates(): Promise<KnownTemplates>;
  schedules(): Promise<ScheduleTaskResult>;
  /** The last one of the project. Rejects where none was started. */
  loop(): Promise<RunLoopResult>;
  /** A completed plan as a template of that name. Rejects for any other. */
  savedTemplate(query: { readonly planId: string; readonly name: string }): Promise<SavedTemplate>;
}

/** The crew and its jobs, to look at; disposed of together. */
export interface WorkshopView extends CrewView {
  readonly jobs: JobsView;
}
