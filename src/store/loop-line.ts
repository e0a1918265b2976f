// A loop as the book has it.
import { z } from 'zod';
import { loopStates } from '../model/loop.ts';
import { planModes } from '../model/plan-mode.ts';

export const loop = z.object({
  id: z.string(),
  crew: z.string(),
  project: z.string(),
  goal: z.string(),
  mode: z.enum(planModes),
  testCommand: z.string().exactOptional(),
  maxIterations: z.number(),
  maxCostUsd: z.number().exactOptional(),
  branch: z.string(),
  base: z.string(),
  state: z.enum(loopStates),
  iteration: z.number(),
  plans: z.array(z.string()),
  openPlan: z.string().exactOptional(),
  failures: z.number(),
  isStopping: z.boolean(),
  reason: z.string().exactOptional(),
  at: z.number(),
  endedAt: z.number().exactOptional(),
});
