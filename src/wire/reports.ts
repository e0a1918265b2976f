// Reports of workers, in their own words: data, not instructions.
import { z } from 'zod';
import { progressStatuses } from '../model/task.ts';
import { list, type Shape, shortened, taskId, workerRef } from './parts.ts';

export const report = z.object({
  session_id: z.string(),
  name: z.string(),
  report_id: z.string(),
  at: z.string(),
  kind: z.enum(['progress', 'report', 'note', 'finding']),
  status: z.enum(progressStatuses).exactOptional(),
  message: z.string().exactOptional(),
  progress: z.number().exactOptional(),
  files_changed: list(z.string()).exactOptional(),
  what_done: z.string().exactOptional(),
  what_open: z.string().exactOptional(),
  what_tested: z.string().exactOptional(),
  what_untested: z.string().exactOptional(),
  next_steps: z.string().exactOptional(),
  errors_encountered: z.string().exactOptional(),
  preview_url: z.string().exactOptional(),
  /** Of a note or a finding: the worker it went to. */
  to: z.string().exactOptional(),
  file: z.string().exactOptional(),
  severity: z.string().exactOptional(),
});
export type ReportView = Shape<typeof report>;

/** The gist of a report, in one line. */
export const word = z.object({
  session_id: z.string(),
  name: z.string(),
  at: z.string(),
  kind: z.string(),
  says: z.string(),
  /** It calls for somebody, and nothing has taken that back. */
  alarm: z.literal(true).exactOptional(),
});
export type WordView = Shape<typeof word>;

export const reportsInput = z.strictObject({
  worker: workerRef.exactOptional().describe('Only this worker; id, name or tmux:%12.'),
  task_id: taskId.exactOptional().describe('Only workers on this task.'),
  plan_id: taskId.exactOptional().describe('Only workers on this plan.'),
  next: z.boolean().default(false).describe("Draft a task of the newest report's open ends; needs one of these."),
});

/** The arguments of a call of submit_task. */
const draft = z.object({
  title: z.string(),
  prompt: z.string(),
  role: z.string().exactOptional(),
  acceptance_criteria: z.string().exactOptional(),
});

export const reportsOutput = z.object({
  /** Newest first. */
  reports: list(report),
  count: z.number(),
  draft: draft.exactOptional(),
  /** The same, by its older name. */
  next_task: draft.exactOptional(),
  ...shortened,
});
export type ReportsResult = Shape<typeof reportsOutput>;
