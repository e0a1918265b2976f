import { cancelPlanInput, planChanged } from '../wire/plans.ts';
import { defineTool } from './job-tool.ts';
import { planChangedLines } from './job-words.ts';

export const cancelPlan = defineTool({
  name: 'cancel_plan',
  set: 'plans',
  title: 'Cancel a plan',
  description: `Ends a plan for good: its workers are stopped, what waits does not start, and nothing more of it lands. Use it when the goal is given up. Every branch stays and is named. To leave out single jobs use edit_plan with skip. It takes nothing back that has landed on the integration branch.`,
  input: cancelPlanInput,
  output: planChanged,
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  handler: ({ jobs }, args) => jobs.cancel(args),
  text: planChangedLines,
});
