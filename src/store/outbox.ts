// A worker's messages to its crew, a line each. The worker's own process appends, the managing server follows.
import { join } from 'node:path';
import { z } from 'zod';
import { appendLine } from '../jsonl/append.ts';
import { readEnd } from '../jsonl/slice.ts';
import { parseJson } from '../model/json.ts';
import { progressStatuses, taskKinds } from '../model/task.ts';

export const outboxPath = (workerDir: string): string => join(workerDir, 'outbox.jsonl');

const said = { v: z.literal(1), id: z.string(), at: z.number(), launch: z.number() };
const progress = z.object({
  status: z.enum(progressStatuses),
  message: z.string(),
  progress: z.number().exactOptional(),
});
const report = z.object({
  files_changed: z.array(z.string()),
  what_done: z.string(),
  what_open: z.string(),
  what_tested: z.string(),
  what_untested: z.string(),
  next_steps: z.string(),
  errors_encountered: z.string(),
  preview_url: z.string().exactOptional(),
});
/** Also in the mailbox of the worker it is for. */
const note = z.object({
  kind: z.enum(['note', 'finding']),
  to: z.object({ id: z.string(), name: z.string() }),
  message: z.string(),
  file: z.string().exactOptional(),
  severity: z.string().exactOptional(),
});
/** Also in the crew's list of tasks. */
const task = z.object({ id: z.string(), kind: z.enum(taskKinds), title: z.string() });

const entry = z.discriminatedUnion('kind', [
  z.object({ ...said, kind: z.literal('progress'), progress }),
  z.object({ ...said, kind: z.literal('report'), report }),
  z.object({ ...said, kind: z.literal('note'), note }),
  z.object({ ...said, kind: z.literal('task'), task }),
]);
export type OutboxEntry = z.output<typeof entry>;

/** Resolves when the line is on disk; it is whole or absent. */
export const appendToOutbox = (workerDir: string, said: OutboxEntry): Promise<void> =>
  appendLine(outboxPath(workerDir), JSON.stringify(said), { fsync: true });

/** Undefined for a line of no kind this version knows. */
export const readEntry = (line: string): OutboxEntry | undefined => entry.safeParse(parseJson(line)).data;

const readBytes = 1024 * 1024;

/** The newest of what a worker has said, oldest first. */
export async function readOutbox(workerDir: string, bytes = readBytes): Promise<readonly OutboxEntry[]> {
  const lines = await readEnd(outboxPath(workerDir), bytes).catch(() => []);
  return lines.flatMap((line) => readEntry(line) ?? []);
}
