import { approvePlanInput, planChanged } from '../wire/plans.ts';
import { defineTool } from './job-tool.ts';
import { planChangedLines } from './job-words.ts';

export const approvePlan = defineTool({
  name: 'approve_plan',
  set: 'plans',
  title: 'Approve a plan',
  description: `Decides what a plan waits for (its start, a merge, an error, the pull request), or retries a failed job. Use it with the exact call that plan_status, crew_status or wait_tasks shows; one approval is one step. To change jobs use edit_plan, to give up cancel_plan. It does not wait: call wait_tasks again.`,
  input: approvePlanInput,
  output: planChanged,
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  handler: ({ jobs }, args) => jobs.approve(args),
  text: planChangedLines,
});
