import { defined } from '../model/defined.ts';
import { createPlanInput, createPlanOutput } from '../wire/plans.ts';
import { defineTool } from './job-tool.ts';
import { checkpointLines, distinct, nextLines, plannerLine } from './job-words.ts';
import { warningLines } from './words.ts';

export const createPlan = defineTool({
  name: 'create_plan',
  set: 'plans',
  title: 'Create a plan',
  description: `Starts a plan: a graph of jobs, yours, a template's, or of a goal alone a planner's. Each job gets a worker and worktree of its own; tested, it lands on one integration branch, dependencies first. Use it for a goal with several parts; then call wait_tasks with the plan_id. For one task use submit_task. With an error nothing is made.`,
  input: createPlanInput,
  output: createPlanOutput,
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  async handler({ jobs }, args, { here, wakes = false }) {
    const made = await jobs.createPlan({ ...args, ...defined({ here }) });
    // A checkpoint is for now; only the wait is for nothing where the session is woken.
    return wakes ? { ...made, wakes, nextCalls: made.nextCalls.filter((one) => !one.startsWith('wait_tasks')) } : made;
  },
  text: ({ plan_id, state, integration_branch, waves, warnings, checkpoint, planner, next_calls, wakes }) =>
    distinct([
      `Plan ${plan_id} is ${state} on ${integration_branch}${waves.length === 0 ? '' : `: ${waves.map((names) => names.join(', ')).join(' -> ')}`}`,
      plannerLine(planner),
      ...warningLines(warnings),
      ...checkpointLines(checkpoint),
      ...nextLines(next_calls),
      wakes === true
        ? 'You will be told when it needs a decision or has ended: end your turn, or go on with your user.'
        : '',
    ]),
});
