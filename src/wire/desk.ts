// The tools of a worker itself: words to its manager and its crewmates, and tasks for others.
import { z } from 'zod';
import { progressStatuses } from '../model/task.ts';
import { argWord, list, more, shortened, taskId } from './parts.ts';
import type { Spoken } from './spoken.ts';
import { task } from './tasks.ts';

/** On disk, where the manager reads it whatever becomes of this process. */
export const taken = z.object({ taken: z.literal(true), id: z.string() });
export type Taken = Spoken<typeof taken>;

/** A word in between. */
export const progressInput = z.strictObject({
  status: z.enum(progressStatuses).describe('blocked: you cannot go on without help. completed: the task is done.'),
  message: z.string().min(1).max(4_000).describe('What is new.'),
  progress: z.number().min(0).max(100).exactOptional().describe('Percent done, if you can tell.'),
});
export type Progress = Spoken<typeof progressInput>;

const part = z.string().max(8_000);

/** The account of a piece of work. */
export const submitInput = z.strictObject({
  files_changed: z.array(z.string().max(500)).max(500).describe('Paths from the root of your folder.'),
  what_done: part.min(1).describe('What now works that did not, with commits.'),
  what_open: part.describe('What of the task is not done, and why.'),
  what_tested: part.describe('What you ran and saw pass.'),
  what_untested: part.describe('What you did not or could not test.'),
  next_steps: part.describe('What you would do next.'),
  errors_encountered: part.describe('What went wrong on the way.'),
  preview_url: z.string().max(2_048).exactOptional().describe('Where the result can be looked at.'),
});
export type Report = Spoken<typeof submitInput>;

export const askInput = z.strictObject({
  question: z.string().min(1).max(4_000).describe('The question, with what your manager needs to know to answer it.'),
  options: z
    .array(z.string().min(1).max(300))
    .max(8)
    .default([])
    .describe('Possible answers, the one you would choose first.'),
  wait_seconds: z
    .number()
    .min(0)
    .max(1_800)
    .exactOptional()
    .describe('Wait at most this long; 0 goes on at once and takes the answer as a message.'),
});
export type Question = Spoken<typeof askInput>;

export const askOutput = z.object({
  request_id: z.string(),
  answered: z.boolean(),
  answer: z.string().exactOptional(),
  answered_by: z.enum(['manager', 'person']).exactOptional(),
  /** The step to take now. */
  next: z.string(),
});
export type AskResult = Spoken<typeof askOutput>;

export const sendInput = z.strictObject({
  to: z.string().min(1).max(300).describe('Name or id of the worker.'),
  message: z.string().min(1).max(12_000).describe('The note.'),
  kind: z.enum(['note', 'finding']).default('note').describe('What it is.'),
  file: z.string().min(1).max(500).exactOptional().describe('The file it is about.'),
  severity: z.enum(['info', 'low', 'medium', 'high']).exactOptional().describe('Of a finding.'),
});
export type NoteRequest = Spoken<typeof sendInput>;

export const sendOutput = z.object({ ...taken.shape, to: z.object({ session_id: z.string(), name: z.string() }) });
export type NoteResult = Spoken<typeof sendOutput>;

export const subtaskInput = z.strictObject({
  title: z.string().min(1).max(200).describe('A few words.'),
  prompt: z.string().min(1).max(20_000).describe('The whole task.'),
  role: argWord(100).exactOptional().describe('Who should do it, such as tester.'),
  priority: z.int().min(0).max(10).default(5).describe('10 is first.'),
  wait_for_me: z.boolean().default(false).describe('Not before your present work is done.'),
  acceptance_criteria: z.string().max(20_000).exactOptional().describe('When it is done; its worker is told.'),
});
export type SubtaskRequest = Spoken<typeof subtaskInput>;

/** What was reported last on a task, shortened. */
export const taskReport = z.object({
  at: z.string(),
  what_done: z.string(),
  what_open: z.string().exactOptional(),
  what_tested: z.string().exactOptional(),
  what_untested: z.string().exactOptional(),
  next_steps: z.string().exactOptional(),
  errors_encountered: z.string().exactOptional(),
  files_changed: list(z.string()).exactOptional(),
});
export type TaskReport = Spoken<typeof taskReport>;

const subtask = task.extend({ report: taskReport.exactOptional() });
export const subtasksOutput = z.object({ tasks: list(subtask), count: z.number(), more, ...shortened });
export type SubtasksResult = Spoken<typeof subtasksOutput>;

export const reviewInput = z.strictObject({
  description: z.string().min(1).max(8_000).describe('What to look at, and what you are unsure of.'),
  files: z.array(z.string().min(1).max(500)).max(200).default([]).describe('Paths from the root of your folder.'),
});
export type ReviewRequest = Spoken<typeof reviewInput>;

const contextScopes = ['task', 'project', 'team', 'history', 'reports'] as const;

export const contextInput = z.strictObject({
  scope: z.enum(contextScopes).describe('What you want to know of.'),
  task_id: taskId.exactOptional().describe('With task, history or reports: this task of your crew.'),
  limit: z.int().min(1).max(50).default(10).describe('Tasks and events of history, or reports, at most.'),
});
export type ContextRequest = Spoken<typeof contextInput>;

export const contextOutput = z.object({
  scope: z.enum(contextScopes),
  items: list(z.record(z.string(), z.unknown())),
  caution: z.string(),
  more,
  ...shortened,
});
export type ContextResult = Spoken<typeof contextOutput>;
