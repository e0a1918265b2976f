// Tasks: entering, listing, changing and awaiting them.
import { z } from 'zod';
import { brought, completions, taskKinds } from '../model/task.ts';
import { taskStates } from '../model/task-progress.ts';
import { mergeStrategies } from '../model/train.ts';
import { attention } from './attention.ts';
import { bounds, dispatch } from './dispatch.ts';
import {
  agentText,
  argWord,
  label,
  list,
  more,
  onAttention,
  path,
  shortened,
  taskId,
  timeoutSeconds,
  workerRef,
} from './parts.ts';
import { report } from './reports.ts';
import type { Spoken } from './spoken.ts';

export const workerName = z.object({ session_id: z.string(), name: z.string() });

/** How far the work is proven: claimed, committed, checked, landed. */
const evidence = z.object({
  claimed: z.boolean(),
  commits: list(z.string()),
  /** The commit at which the tests passed. */
  checked_at: z.string().exactOptional(),
  /** The commit of the target that holds it. */
  landed_at: z.string().exactOptional(),
});

export const task = z.object({
  task_id: z.string(),
  /** Of a plan's job it is `name`. */
  title: z.string().exactOptional(),
  name: z.string().exactOptional(),
  state: z.enum(taskStates),
  kind: z.enum(taskKinds),
  brings: z.enum(brought).exactOptional(),
  /** Percent, as its worker reported last. */
  progress: z.number().exactOptional(),
  from: workerName.exactOptional(),
  wait_for_me: z.literal(true).exactOptional(),
  /** It waits for update_task with action start. */
  held: z.literal(true).exactOptional(),
  skipped: z.literal(true).exactOptional(),
  files: list(z.string()).exactOptional(),
  touch_set: list(z.string()).exactOptional(),
  acceptance_criteria: z.string().exactOptional(),
  tags: list(z.string()).exactOptional(),
  role: z.string().exactOptional(),
  priority: z.number(),
  /** Ids of tasks; for a plan's jobs their names. */
  depends_on: list(z.string()),
  project_path: z.string(),
  agent_type: z.string().exactOptional(),
  model: z.string().exactOptional(),
  worker: workerName.exactOptional(),
  branch: z.string().exactOptional(),
  plan_id: z.string().exactOptional(),
  attempts: z.number(),
  bounces: z.number().exactOptional(),
  evidence,
  reason: z.string().exactOptional(),
  /** Files that tell more of a failure: screen, test log, diff. */
  artefacts: list(z.string()).exactOptional(),
  /** The exact calls that are worth making now. */
  next_calls: list(z.string()),
  created_at: z.string(),
  started_at: z.string().exactOptional(),
  ended_at: z.string().exactOptional(),
});
export type TaskView = Spoken<typeof task>;

export const title = z.string().min(1).max(200);
export const priority = z.int().min(0).max(10);
export const texts = (most: number, words: string) => z.array(z.string().min(1).max(1_000)).max(most).describe(words);

const brings = z.enum(brought).exactOptional();

/** What a task and a plan's job have in common; what spawn_workers describes has no words here. */
export const work = {
  prompt: agentText.min(1).describe('The whole task: its worker knows nothing else.'),
  priority: priority.default(5).describe('10 is first.'),
  ...dispatch,
  ...bounds,
  acceptance_criteria: agentText.exactOptional().describe('When it is done; the worker is told.'),
  brings: brings.describe('commit (default): it fails without one. report: words do.'),
};

export const ending = {
  on_complete: z.enum(completions).default('none').describe('merge: land on the base. pr: open a pull request.'),
  strategy: z.enum(mergeStrategies).exactOptional().describe('As configured unless given.'),
  test_command: z
    .string()
    .max(4_000)
    .exactOptional()
    .describe("Shell line that must pass first; the project's own unless given; empty for none."),
};

export const submitTaskInput = z.strictObject({
  title: title.describe('A few words.'),
  ...work,
  depends_on: texts(100, 'Ids of tasks that must end well first.').default([]),
  project_path: path.default('auto').describe('Repository or folder; "auto" is the current project.'),
  max_retries: z.int().min(0).max(10).default(0).describe('How often a failed turn is retried.'),
  timeout_minutes: z.number().positive().max(10_080).exactOptional().describe('It fails after this long.'),
  tags: texts(20, 'Words by which list_tasks finds it.').default([]),
  base: argWord(250).exactOptional().describe('Commit, branch or tag to start from; HEAD unless given.'),
  ...ending,
  keep_worker: z.boolean().default(false).describe('Leave its worker open at a good end.'),
  start: z.boolean().default(true).describe('false: hold it until update_task starts it.'),
});
export type SubmitTaskRequest = Spoken<typeof submitTaskInput>;

/** What of a task that has not begun can still change; what is left out stays, whatever a new one would have. */
export const taskEdit = submitTaskInput.omit({ project_path: true }).exactPartial();
export type TaskEdit = Spoken<typeof taskEdit>;

const warnings = list(z.string()).exactOptional();

export const submitTaskOutput = z.object({ ...task.shape, warnings, ...shortened });
export type SubmitTaskResult = Spoken<typeof submitTaskOutput>;

export const listTasksInput = z.strictObject({
  state: z.enum(taskStates).exactOptional().describe('Only tasks in this state.'),
  plan_id: taskId.exactOptional().describe('Only jobs of this plan.'),
  role: label.exactOptional().describe('Only tasks of this role.'),
  tag: label.exactOptional().describe('Only tasks with this tag.'),
  task_id: taskId.exactOptional().describe('Only this one.'),
  from: workerRef.exactOptional().describe('Only what this worker entered.'),
  kind: z.enum(taskKinds).exactOptional().describe('subtask and review: entered by workers.'),
});
export type ListTasksRequest = Spoken<typeof listTasksInput>;

export const listTasksOutput = z.object({
  tasks: list(task),
  count: z.number(),
  /** Tasks at work now, of all projects, and how many may be. */
  running: z.number(),
  limit: z.number(),
  /** The server that drives them: this one, another, or none. */
  driver: z.enum(['this', 'other', 'none']),
  more,
  ...shortened,
});
export type ListTasksResult = Spoken<typeof listTasksOutput>;

const projectActions = ['pause', 'resume'] as const;
export type ProjectAction = (typeof projectActions)[number];

export const updateTaskInput = z.strictObject({
  task_id: taskId.exactOptional().describe('The task.'),
  action: z
    .enum(['start', 'cancel', 'retry', 'prioritise', 'edit', ...projectActions])
    .describe('start: what is held may begin. edit: brings; before it starts, all fields.'),
  priority: priority.exactOptional().describe('With prioritise, start or edit.'),
  prompt: agentText.min(1).exactOptional().describe('With edit, or with retry.'),
  title: title.exactOptional().describe('With edit.'),
  brings: brings.describe('With edit.'),
  role: dispatch.role.describe('With start or edit; so are model and agent_type.'),
  model: dispatch.model.describe('For its worker.'),
  agent_type: dispatch.agent_type.describe('For its worker.'),
  task: z
    .record(z.string(), z.unknown())
    .exactOptional()
    .describe('With edit: any fields of submit_task but project_path.'),
});
export type UpdateTaskRequest = Spoken<typeof updateTaskInput>;

/** Since when nothing of the project starts or lands. */
export const paused = z.object({ since: z.string() });

/** Of one task the whole; of a project where it lies, and its pause. */
export const updateTaskOutput = task.partial().extend({ paused: paused.exactOptional(), warnings, ...shortened });
export const pausable = updateTaskOutput.pick({ paused: true, project_path: true }).required({ project_path: true });
export type PausableProject = Spoken<typeof pausable>;

const checkpointKind = z.enum(['start', 'pre_merge', 'on_error', 'pre_pr']);

/** Where a plan waits for a decision. */
export const checkpoint = z.object({
  plan_id: z.string(),
  at: checkpointKind,
  job: z.string().exactOptional(),
  why: z.string(),
  /** The exact calls that clear it. */
  calls: list(z.string()),
});
export type CheckpointView = Spoken<typeof checkpoint>;

export const waitTasksInput = z.strictObject({
  task_ids: z.array(taskId).min(1).max(200).exactOptional().describe('Wait for these tasks.'),
  plan_id: taskId.exactOptional().describe('Wait for this plan.'),
  mode: z.enum(['all', 'any']).default('all').describe('Wait for all, or for the first.'),
  timeout: timeoutSeconds,
  on_attention: onAttention,
});
export type WaitTasksRequest = Spoken<typeof waitTasksInput>;

const endedTask = task
  .pick({ task_id: true, title: true, name: true, state: true, worker: true, branch: true })
  .extend({
    evidence: evidence.exactOptional(),
    reason: z.string().exactOptional(),
    next_calls: list(z.string()).exactOptional(),
    report: report.exactOptional(),
  });
export type EndedTask = Spoken<typeof endedTask>;

export const waitTasksOutput = z.object({
  tasks: list(endedTask),
  all_ended: z.boolean(),
  /** Ids, or names of a plan's jobs. */
  ended: list(z.string()),
  waiting_on: list(z.string()),
  plan_state: z.string().exactOptional(),
  checkpoint: checkpoint.exactOptional(),
  attention: list(attention),
  timed_out: z.boolean(),
  waited_seconds: z.number(),
  cursor: z.string(),
  more,
  ...shortened,
});
export type WaitTasksResult = Spoken<typeof waitTasksOutput>;
