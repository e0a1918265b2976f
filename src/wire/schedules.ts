// Schedules: work that is entered again and again.
import { z } from 'zod';
import { nameIn, occurrenceEnds } from '../model/schedule.ts';
import { label, list, more, type Shape, shortened, taskId } from './parts.ts';
import type { Spoken } from './spoken.ts';

const order = z.record(z.string(), z.unknown()).exactOptional();

export const scheduleTaskInput = z.strictObject({
  action: z.enum(['add', 'list', 'remove', 'enable', 'disable']).describe('add takes cron and what to enter.'),
  cron: label.exactOptional().describe('Five fields.'),
  timezone: label.exactOptional().describe("The machine's unless given."),
  task: order.describe('As submit_task takes it.'),
  plan: order.describe('Or as create_plan takes it.'),
  check: z.string().min(1).max(4_000).exactOptional().describe('Shell line; only where it exits with 0 is it entered.'),
  id: taskId.exactOptional().describe('With remove, enable, disable.'),
});
export type ScheduleTaskRequest = Spoken<typeof scheduleTaskInput>;

const schedule = z.object({
  id: z.string(),
  cron: z.string(),
  timezone: z.string(),
  task: order,
  plan: order,
  check: z.string().exactOptional(),
  enabled: z.boolean(),
  next_runs: list(z.string()),
  last_run: z
    .object({
      at: z.string(),
      outcome: z.enum(occurrenceEnds),
      reason: z.string().exactOptional(),
      task_id: z.string().exactOptional(),
      plan_id: z.string().exactOptional(),
    })
    .exactOptional(),
  missed: z.number(),
  paused_because: z.string().exactOptional(),
  runs_only_while: z.literal('a server or crewmux keep lives'),
});
export type ScheduleView = Spoken<typeof schedule>;

/** What it enters, as people call it. */
export const enteredWords = ({ task, plan = {} }: Pick<Shape<typeof schedule>, 'task' | 'plan'>): string =>
  `${task === undefined ? 'plan' : 'task'} ${nameIn(task ?? plan) ?? ''}`.trimEnd();

export const scheduleTaskOutput = z.object({
  id: z.string().exactOptional(),
  schedules: list(schedule),
  warnings: list(z.string()).exactOptional(),
  more,
  ...shortened,
});
export type ScheduleTaskResult = Spoken<typeof scheduleTaskOutput>;
