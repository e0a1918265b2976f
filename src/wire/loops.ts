// Loops: a goal that is planned again after each plan, until it is reached.
import { z } from 'zod';
import { loopStates, mostIterations } from '../model/loop.ts';
import { planModes } from '../model/plan-mode.ts';
import { planStates } from '../model/task.ts';
import { agentText, list, path, shortened } from './parts.ts';
import type { Spoken } from './spoken.ts';
import { ending } from './tasks.ts';
import { usage } from './usage.ts';

export const runLoopInput = z.strictObject({
  action: z.enum(['start', 'status', 'resume', 'stop']).describe('resume: go on from a pause.'),
  goal: agentText.exactOptional().describe('With start; with resume a new one.'),
  max_iterations: z.int().min(1).max(mostIterations).exactOptional().describe('10 unless given.'),
  max_cost_usd: z.number().positive().exactOptional().describe('Of all its workers.'),
  mode: z.enum(planModes).exactOptional().describe('Of its plans; autopilot unless given, others wait for approval.'),
  test_command: ending.test_command,
  project_path: path.default('auto').describe('Repository; "auto" is the current project.'),
  now: z.boolean().exactOptional().describe('With stop: cancel the running plan.'),
});
export type RunLoopRequest = Spoken<typeof runLoopInput>;

/** At a glance, with the calls that a pause waits for. */
export const loopLine = z.object({ says: z.string(), next_calls: list(z.string()) });
export type LoopLine = Spoken<typeof loopLine>;

export const runLoopOutput = z.object({
  loop_id: z.string(),
  state: z.enum(loopStates),
  iteration: z.number(),
  plans: list(z.object({ plan_id: z.string(), name: z.string(), state: z.enum(planStates) })),
  usage: usage.exactOptional(),
  reason: z.string().exactOptional(),
  next_calls: list(z.string()),
  ...shortened,
});
export type RunLoopResult = Spoken<typeof runLoopOutput>;
