// One worker in depth: what it has cost, its branch, its conversation and its screen.
import { z } from 'zod';
import { attention } from './attention.ts';
import { list, type Shape, sessionId, shortened } from './parts.ts';
import { report, word } from './reports.ts';
import { usage } from './usage.ts';
import { worker } from './worker.ts';

/** The branch and the worktree of a worker. */
const git = z.object({
  branch: z.string().nullable(),
  commit: z.string().nullable(),
  /** The branch or commit that it is compared with. */
  base: z.string().nullable(),
  ahead: z.number(),
  behind: z.number(),
  dirty_files: z.number(),
  untracked_files: z.number(),
  commits: list(z.string()),
  /** The base has it all, by ancestry or by content, as after a squash. */
  merged: z.boolean(),
  detached: z.boolean(),
  /** Its commits are on no branch and under no tag. */
  unreachable: z.boolean(),
  locked: z.boolean(),
  lock_reason: z.string().exactOptional(),
  /** A merge, rebase, cherry-pick, revert or bisect that was not finished. */
  operation: z.string().exactOptional(),
  /** Repositories of their own inside, of which git tells nothing. */
  nested_repositories: list(z.string()).exactOptional(),
});
export type WorkerGit = Shape<typeof git>;

export const examineInput = z.strictObject({
  session_id: sessionId,
  screen_lines: z.int().min(0).max(500).default(0).describe('Also this many last lines of its screen.'),
});

export const examineOutput = z.object({
  ...worker.shape,
  /** Null where the agent leaves no transcript that is known. */
  conversation_stats: z
    .object({
      total_messages: z.number(),
      user_messages: z.number(),
      assistant_messages: z.number(),
      last_user_prompt: z.string().nullable(),
      last_assistant_preview: z.string().nullable(),
    })
    .nullable(),
  /** Of its conversation; left out where nothing is known. */
  usage: usage.exactOptional(),
  /** Null without a worktree of its own, and where git cannot tell. */
  git: git.nullable(),
  /** Why git cannot tell. */
  git_unreadable: z.string().exactOptional(),
  /** Changes in the main checkout that appeared while it worked, and are still there. */
  attention: attention.nullable(),
  /** The last account of its work that the worker gave. */
  report: report.exactOptional(),
  /** Its last word of any kind. */
  last_word: word.exactOptional(),
  screen: z.string().exactOptional(),
  ...shortened,
});
export type ExaminedWorker = Shape<typeof examineOutput>;

export const logsInput = z.strictObject({
  session_id: sessionId,
  pages: z.int().min(1).max(100).default(1).describe('How many pages.'),
  offset: z.int().min(0).default(0).describe('Pages to skip, from the newest.'),
  format: z
    .enum(['compact', 'full'])
    .default('compact')
    .describe('full: longer messages, and each tool use with its answer.'),
});

const logMessage = z.object({
  index: z.number(),
  role: z.enum(['user', 'assistant']),
  content: z.string(),
  timestamp: z.string(),
  /** `content` is cut; the file at `path` has all of it. */
  truncated: z.literal(true).exactOptional(),
  path: z.string().exactOptional(),
  tool_uses: list(
    z.object({
      name: z.string(),
      /** In the compact format what the call is about, in one line. */
      input: z.string(),
      /** The first line of its failure. */
      failure: z.string().exactOptional(),
      /** In the full format. */
      id: z.string().exactOptional(),
      /** Its answer, in the full format; absent as long as there is none. */
      output: z.string().exactOptional(),
      /** Input or output is cut. */
      truncated: z.literal(true).exactOptional(),
    }),
  ).exactOptional(),
});
export type LogMessage = Shape<typeof logMessage>;

/** A tool call in one line; a long input is cut. */
export function callLine({ name, input, failure }: NonNullable<LogMessage['tool_uses']>[number]): string {
  const about = input.slice(0, 500).replace(/\s+/g, ' ').trim();
  const call = `${name} ${about.length > 120 ? `${about.slice(0, 119)}…` : about}`.trimEnd();
  return failure === undefined ? call : `${call} → ${failure}`;
}

export const logsOutput = z.object({
  session_id: z.string(),
  messages: list(logMessage),
  page_info: z.object({
    total_messages: z.number(),
    total_pages: z.number(),
    page_size: z.number(),
    pages_returned: z.number(),
    messages_returned: z.number(),
    offset: z.number(),
    start_index: z.number(),
    end_index: z.number(),
    note: z.string().exactOptional(),
  }),
  ...shortened,
});
export type LogPage = Shape<typeof logsOutput>;

export const screenInput = z.strictObject({
  session_id: sessionId,
  lines: z
    .int()
    .min(1)
    .max(5_000)
    .exactOptional()
    .describe('Last lines with history; the visible screen unless given.'),
  since: z.string().min(1).max(200).exactOptional().describe('Token of an earlier answer; changed then tells.'),
});

export const screenOutput = z.object({
  session_id: z.string(),
  screen: z.string(),
  truncated: z.boolean(),
  /** The file with all of it, where `screen` is cut. */
  path: z.string().exactOptional(),
  changed: z.boolean(),
  /** Pass it as `since` to learn whether anything changed. */
  token: z.string(),
  note: shortened.note,
});
export type ScreenResult = Shape<typeof screenOutput>;
