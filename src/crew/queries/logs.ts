// Pages of a conversation, newest first, read back from the transcript.
import { join } from 'node:path';
import type { Agent, ToolResult } from '../../agents/agent.ts';
import { readLines } from '../../jsonl/slice.ts';
import { defined } from '../../model/defined.ts';
import { CrewError, messageOf } from '../../model/errors.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { writeAtomic } from '../../system/atomic.ts';
import type { LogMessage, LogPage } from '../../wire/examine.ts';
import { messagesOf } from '../workers/conversation.ts';
import type { CrewContext } from '../workers/roster.ts';
import { pastOf, type Transcript, transcriptOf } from '../workers/transcript.ts';
import { type Answered, compactMessages, fullMessages, messagesForPerson } from './log-messages.ts';

export interface LogQuery {
  readonly worker: string;
  readonly pages: number;
  readonly offset: number;
  readonly format: 'compact' | 'full' | 'person';
}

const pageSize = 5;

type PageRequest = Omit<LogQuery, 'worker'>;

/** The messages of a request: `offset` counts pages back from the newest. Pure. */
export function pageRange(total: number, request: PageRequest): { readonly from: number; readonly to: number } {
  const to = Math.max(0, total - request.offset * pageSize);
  return { from: Math.max(0, to - request.pages * pageSize), to };
}

/** The offset of the page on which a message stands with so many after it. Pure. */
export const pagesBefore = (after: number): number => Math.floor(after / pageSize);

export async function readLogs(context: CrewContext, { worker: asked, ...request }: LogQuery): Promise<LogPage> {
  const record = context.roster.resolve(asked);
  await context.roster.following(record.id)?.drain();
  const transcript = await transcriptOf(context, record);
  const past = await pastOf(context, record, transcript);
  const total = transcript.conversation.totals.messages;
  const { from, to } = pageRange(total, request);
  const found = from < to ? await readMessages(transcript, from, to) : [];
  const messages = await shown(context, record, { messages: pagesOf(found), format: request.format });
  return {
    session_id: asked,
    messages,
    page_info: {
      total_messages: total,
      total_pages: Math.ceil(total / pageSize),
      page_size: pageSize,
      pages_returned: Math.ceil(messages.length / pageSize),
      messages_returned: messages.length,
      offset: request.offset,
      start_index: from,
      end_index: Math.max(from, to - 1),
      ...defined({ note: noteOf(total, request, { agent: transcript.agent, past }) }),
    },
  };
}

async function shown(
  context: CrewContext,
  record: WorkerRecord,
  { messages, format }: { readonly messages: readonly Answered[]; readonly format: LogQuery['format'] },
): Promise<readonly LogMessage[]> {
  const { gistOf } = context.agentOf(record);
  if (format === 'compact') return compactMessages(messages, gistOf);
  if (format === 'person') return messagesForPerson(messages, gistOf);
  const dir = await context.home.workerDir(record.id);
  const pathOf = (index: number) => join(dir, `message-${index}.txt`);
  const full = fullMessages(messages, pathOf);
  await Promise.all(full.cut.map(({ index, content }) => writeAtomic(pathOf(index), content)));
  return full.messages;
}

/** The newest page first; in order inside. Pure. */
export function pagesOf<T>(messages: readonly T[]): readonly T[] {
  if (messages.length <= pageSize) return messages;
  return [...messages.slice(-pageSize), ...pagesOf(messages.slice(0, -pageSize))];
}

interface Source {
  readonly agent: Agent;
  /** The transcript with the messages before a fork. */
  readonly past: string | undefined;
}

function noteOf(total: number, request: PageRequest, { agent, past }: Source): string | undefined {
  if (!agent.keepsTranscript) {
    return `No transcript of ${agent.type} is known, so what was said is not either. Use read_worker_screen.`;
  }
  const before = past === undefined ? undefined : `What was said before the fork stands in ${past}`;
  if (total === 0) return before ?? 'The conversation has not begun.';
  const pages = Math.ceil(total / pageSize);
  if (request.offset >= pages) return `An offset of ${request.offset} pages is past the last of the ${pages}.`;
  return pageRange(total, request).from > 0 ? undefined : before;
}

async function readMessages(
  { path, agent, conversation }: Transcript,
  from: number,
  to: number,
): Promise<readonly Answered[]> {
  // The answers to calls side by side come after the last of the calls.
  const blocks = conversation.blocksFor(from, to + pageSize);
  const [first] = blocks;
  const last = blocks.at(-1);
  if (first === undefined || last === undefined) return [];
  try {
    const lines = await readLines(path, { from: first.from, to: last.to });
    const decoded = lines.map((line) => agent.decodeLine(line));
    const answers = answersIn(decoded.flatMap(({ toolResults = [] }) => toolResults));
    const entries = decoded.flatMap(({ entry }) => entry ?? []);
    const asked = messagesOf(entries, first).filter((message) => message.index >= from && message.index < to);
    return asked.map((message) => ({ ...message, answers }));
  } catch (error) {
    const message = `The transcript ${path} cannot be read: ${messageOf(error)}`;
    throw new CrewError('state_unreadable', message, 'Is the file still there?', { cause: error });
  }
}

/** Of several answers to one call the last; a failure that an earlier one tells stays. Pure. */
export function answersIn(results: readonly ToolResult[]): ReadonlyMap<string, ToolResult> {
  const answers = new Map<string, ToolResult>();
  for (const result of results) answers.set(result.id, { ...answers.get(result.id), ...result });
  return answers;
}
