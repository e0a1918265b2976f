// A schedule as the book has it.
import { z } from 'zod';
import { occurrenceEnds } from '../model/schedule.ts';

export const schedule = z.object({
  id: z.string(),
  crew: z.string(),
  project: z.string(),
  cron: z.string(),
  timezone: z.string(),
  enters: z.enum(['task', 'plan']),
  order: z.record(z.string(), z.unknown()),
  check: z.string().exactOptional(),
  isEnabled: z.boolean(),
  isRemoved: z.boolean(),
  at: z.number(),
  since: z.number(),
  notBefore: z.number().exactOptional(),
  missed: z.number(),
  failures: z.number(),
  lastRun: z
    .object({
      at: z.number(),
      outcome: z.enum(occurrenceEnds),
      reason: z.string().exactOptional(),
      taskId: z.string().exactOptional(),
      planId: z.string().exactOptional(),
    })
    .exactOptional(),
  openRun: z.string().exactOptional(),
  pausedBecause: z.string().exactOptional(),
});
