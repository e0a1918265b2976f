import { defined } from '../model/defined.ts';
import { runLoopInput, runLoopOutput } from '../wire/loops.ts';
import { defineTool } from './job-tool.ts';
import { nextLines } from './job-words.ts';
import { lines } from './words.ts';

export const runLoop = defineTool({
  name: 'run_loop',
  set: 'plans',
  title: 'Run a loop',
  description: `Plans, runs the plan, reads the reports and plans again, until a planner finds the goal reached and the last landing's tests passed. Use it for a night's work; for one plan use create_plan. Its plans land on crewmux/loop-<id>, never on your branch. It pauses with a reason; one loop a project.`,
  input: runLoopInput,
  output: runLoopOutput,
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  handler: ({ jobs }, order, { here }) => jobs.runLoop({ ...order, ...defined({ here }) }),
  text: ({ loop_id, state, iteration, plans, reason, next_calls }) =>
    lines([
      `loop ${loop_id} on crewmux/loop-${loop_id}: ${state}, iteration ${iteration}`,
      ...(reason === undefined ? [] : [reason]),
      ...plans.map(({ plan_id, name, state: of }) => `plan ${plan_id} (${name}): ${of}`),
      ...nextLines(next_calls),
    ]),
});
