// What a planner hands in.
import { z } from 'zod';
import { agentText, argWord } from './parts.ts';
import { job, jobName } from './plans.ts';
import type { Spoken } from './spoken.ts';
import { texts } from './tasks.ts';

/** No field that would give its worker more than its role does. */
const plannedJob = z.strictObject({
  name: jobName.describe('Unique in the plan.'),
  prompt: job.shape.prompt,
  acceptance_criteria: agentText.min(1).describe('When it is done; its worker is told.'),
  touch_set: texts(200, 'Globs of the paths it changes (dir/ for all below); nothing else of it lands.').default([]),
  depends_on: job.shape.depends_on,
  brings: job.shape.brings,
  role: argWord(100).exactOptional().describe('Whose rights and standing prompt its worker has.'),
  priority: job.shape.priority,
});

export const planHandIn = z.strictObject({
  jobs: z.array(plannedJob).exactOptional().describe('The whole plan.'),
  reached: z.literal(true).exactOptional().describe('In a loop, in place of jobs: nothing is left to do.'),
  why: agentText.exactOptional().describe('With reached: what shows it.'),
});
export type PlanHandIn = Spoken<typeof planHandIn>;

export const planTaken = z.object({
  taken: z.literal(true),
  id: z.string(),
  /** The step to take now. */
  next: z.string(),
});
export type PlanTaken = Spoken<typeof planTaken>;
