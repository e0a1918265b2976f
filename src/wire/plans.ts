// Plans: graphs of jobs that land on an integration branch.
import { z } from 'zod';
import { planModes } from '../model/plan-mode.ts';
import { checkpoints, decisions, planStates } from '../model/task.ts';
import { testOutcomes } from '../model/train.ts';
import { agentText, argWord, label, list, path, shortened, taskId } from './parts.ts';
import type { Spoken } from './spoken.ts';
import { checkpoint, ending, priority, task, texts, work, workerName } from './tasks.ts';
import { usage } from './usage.ts';

export const jobName = z
  .string()
  // As a pattern it would stand in the list of tools many times.
  .refine(
    (name) => /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/.test(name),
    'expected 1 to 40 letters, digits, dots, dashes or underscores, a letter or digit first',
  );

const longestPlanName = 80;

/** One line for people; the branch gets a slug of it. */
const planName = z
  .string()
  .refine(
    (name) => name.trim() !== '' && [...name].length <= longestPlanName && !/\p{Cc}|[\u2028\u2029]/u.test(name),
    `expected one line of 1 to ${longestPlanName} characters`,
  );

export const job = z.strictObject({
  name: jobName.describe('Unique in the plan.'),
  ...work,
  depends_on: texts(100, 'Jobs that must land first.').default([]),
  touch_set: texts(200, 'Globs of paths it may change (dir/ = all below); all unless given.').default([]),
});
export type JobRequest = Spoken<typeof job>;

const mostJobs = 200;
const jobs = z.array(job).min(1).max(mostJobs);

export const createPlanInput = z.strictObject({
  name: planName.exactOptional().describe('Up to 80 characters; not needed with a template or a goal alone.'),
  jobs: jobs.exactOptional().describe('What is to be done; role and the like as in spawn_workers.'),
  goal: agentText.exactOptional().describe('What it is for; each worker is told. Alone, a planner makes the jobs.'),
  template: label
    .exactOptional()
    .describe(
      'In place of jobs: code-review, feature-development, bug-fix, code-refactoring, or one of yours. Needs a goal.',
    ),
  params: z.record(z.string(), agentText).exactOptional().describe('What else the template asks for.'),
  steps: z.record(z.string(), agentText).exactOptional().describe("Text for the end of a template's prompts, by job."),
  mode: z
    .enum(planModes)
    .default('autopilot')
    .describe(
      'copilot: starts when approved. supervisor: stops before each merge, at errors and before the pull request.',
    ),
  project_path: path.default('auto').describe('Repository; "auto" is the current project.'),
  base: argWord(250).exactOptional().describe('Branch to start from; the current one unless given.'),
  ...ending,
  max_parallel: z.int().min(1).max(64).exactOptional().describe('Jobs at once at most.'),
});
export type CreatePlanRequest = Spoken<typeof createPlanInput>;

/** Who makes its jobs. */
const planner = workerName.exactOptional();

const graph = { waves: list(list(z.string())), critical_path: list(z.string()) };

export const createPlanOutput = z.object({
  plan_id: z.string(),
  name: z.string(),
  state: z.enum(planStates),
  integration_branch: z.string(),
  ...graph,
  warnings: list(z.string()),
  checkpoint: checkpoint.exactOptional(),
  planner,
  next_calls: list(z.string()),
  /** The manager's session is woken at a checkpoint and at the end. */
  wakes: z.literal(true).exactOptional(),
  ...shortened,
});
export type CreatePlanResult = Spoken<typeof createPlanOutput>;

const head = {
  plan_id: z.string(),
  name: z.string(),
  state: z.enum(planStates),
  mode: z.enum(planModes),
  reason: z.string().exactOptional(),
  checkpoint: checkpoint.exactOptional(),
};

export const briefPlan = z.object({
  ...head,
  /** How many jobs are in each state. */
  jobs: z.record(z.string(), z.number()),
  next_calls: list(z.string()),
  created_at: z.string(),
  ended_at: z.string().exactOptional(),
});
export type BriefPlan = Spoken<typeof briefPlan>;

export const planStatusInput = z.strictObject({
  plan_id: taskId.exactOptional().describe('All plans, briefly, unless given.'),
});

/** A job of a plan that is shown itself: what the plan says, and what is as it always is, are left out. */
const jobOfPlan = task
  .omit({
    kind: true,
    project_path: true,
    plan_id: true,
    branch: true,
    created_at: true,
    started_at: true,
    ended_at: true,
  })
  .partial({ brings: true, priority: true, depends_on: true, next_calls: true, evidence: true });
export type JobView = Spoken<typeof jobOfPlan>;

const wholePlan = z.object({
  ...head,
  goal: z.string().exactOptional(),
  base: z.object({ ref: z.string(), sha: z.string() }),
  integration_branch: z.string(),
  ...graph,
  jobs: list(jobOfPlan),
  /** Jobs whose landing did not agree with another job or the branch, and those at work that would not agree. */
  conflicts: list(z.object({ job: z.string(), with: z.string(), files: list(z.string()) })),
  /** Of the latest try of each job, where that came to tests. */
  tests: list(
    z.object({
      job: z.string(),
      status: z.enum(testOutcomes),
      command: z.string().exactOptional(),
      output: z.string(),
      path: z.string().exactOptional(),
    }),
  ),
  mermaid: z.string(),
  warnings: list(z.string()).exactOptional(),
  planner,
  url: z.string().exactOptional(),
  usage: usage.exactOptional(),
  next_calls: list(z.string()).exactOptional(),
  ended_at: z.string().exactOptional(),
});
export type WholePlan = Spoken<typeof wholePlan>;

/** Of one plan the whole, else `plans`. */
export const planStatusOutput = wholePlan.partial().extend({ plans: list(briefPlan).exactOptional(), ...shortened });
export type PlanStatusResult = Spoken<typeof planStatusOutput>;

export const approvePlanInput = z.strictObject({
  plan_id: taskId.describe('The plan.'),
  checkpoint: z.enum(checkpoints).exactOptional().describe('The open one unless given.'),
  action: z
    .enum(decisions)
    .default('continue')
    .describe('retry: the worker goes on. relaunch: it begins again. skip: leave it out. accept: take it as it is.'),
  job: z
    .union([jobName, z.array(jobName).min(1).max(mostJobs)], {
      error: 'expected the name of a job, or a list of names',
    })
    .exactOptional()
    .describe('The job it is about, or several.'),
  prompt: agentText
    .min(1)
    .exactOptional()
    .describe('With relaunch; unless given, its first prompt and what went wrong.'),
});
export type ApprovePlanRequest = Spoken<typeof approvePlanInput>;

export const editPlanInput = z.strictObject({
  plan_id: taskId.describe('The plan.'),
  test_command: ending.test_command.describe('For landings from now on; empty for none.'),
  add: z
    .array(job.meta({ brief: true }))
    .min(1)
    .max(mostJobs)
    .exactOptional()
    .describe('As in create_plan; they may depend on those there are.'),
  skip: z.array(jobName).max(mostJobs).exactOptional().describe('Jobs to leave out.'),
  reorder: z.array(jobName).max(mostJobs).exactOptional().describe('Jobs in the order to start them.'),
  edit: z
    .array(
      z.strictObject({
        name: jobName.describe('The job.'),
        prompt: agentText.min(1).exactOptional().describe('The whole task.'),
        depends_on: texts(100, 'The whole new list.').exactOptional(),
        touch_set: texts(200, 'The whole new list.').exactOptional(),
        priority: priority.exactOptional().describe('10 is first.'),
      }),
    )
    .max(mostJobs)
    .exactOptional()
    .describe('Of one that has started, only priority and touch_set.'),
});
export type EditPlanRequest = Spoken<typeof editPlanInput>;

export const cancelPlanInput = z.strictObject({ plan_id: taskId.describe('The plan.') });

/** After each change of a plan. */
export const planChanged = z.object({
  ...head,
  integration_branch: z.string(),
  ...graph,
  warnings: list(z.string()),
  /** Branches that keep what was done, after a cancellation. */
  branches: list(z.string()).exactOptional(),
  next_calls: list(z.string()),
  ...shortened,
});
export type PlanChanged = Spoken<typeof planChanged>;
