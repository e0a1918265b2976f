import { planHandIn, planTaken } from '../../wire/hand-in.ts';
import { defineTool, says } from './tool.ts';

export const submitPlan = defineTool({
  name: 'submit_plan',
  title: 'Hand in a plan',
  description: `Hands in the jobs of the plan that you make: all of them, in one call. Use it once you have read the code; only what is handed in here counts. Where it is refused, the error says why: mend that, and hand in the whole plan again. It starts nothing: somebody approves the plan first.`,
  input: planHandIn,
  output: planTaken,
  hints: says,
  alwaysLoad: true,
  handler: (desk, args, call) => desk.submitPlan(args, call),
  unfit: (desk, error, call) => desk.unfitPlan(error, call),
  text: ({ next }) => next,
});
