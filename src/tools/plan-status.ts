import { planStatusInput, planStatusOutput } from '../wire/plans.ts';
import { defineTool } from './job-tool.ts';
import { checkpointLines, distinct, nextLines, planLine, plannerLine, taskLine } from './job-words.ts';

export const planStatus = defineTool({
  name: 'plan_status',
  set: 'plans',
  title: 'Plan status',
  description: `Shows one plan: each job with its state, what it waits for and the exact calls that clear it, conflicts, tests, and its graph; without plan_id all plans, briefly. Use it when wait_tasks returns with a checkpoint, or to report on a plan. For tasks outside of a plan use list_tasks. It changes nothing.`,
  input: planStatusInput,
  output: planStatusOutput,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  shed: ['mermaid', 'acceptance_criteria', 'artefacts', 'touch_set', 'files', 'evidence'],
  handler: ({ jobs }, args) => jobs.planStatus(args),
  text: ({ plans, plan_id, name, state, reason, jobs = [], planner, checkpoint, next_calls = [] }) =>
    distinct(
      plans === undefined
        ? [
            `Plan ${name} [${plan_id}] is ${state}${reason === undefined ? '' : `: ${reason}`}`,
            jobs.length === 0 ? plannerLine(planner) : '',
            ...checkpointLines(checkpoint),
            ...jobs.flatMap((job) => [taskLine(job), ...nextLines(job.next_calls ?? [])]),
            ...nextLines(next_calls),
          ]
        : [
            plans.length === 0 ? 'No plans.' : '',
            ...plans.flatMap((plan) => [planLine(plan), ...checkpointLines(plan.checkpoint)]),
          ],
    ),
});
