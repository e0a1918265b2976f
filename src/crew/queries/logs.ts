// Pages of a conversation, newest first, read back from the transcript: in short, whole, or for a person.
import { join } from 'node:path';
import type { Agent, ToolResult, ToolUse } from '../../agents/agent.ts';
import { readLines } from '../../jsonl/slice.ts';
import { isoTime } from '../../model/clock.ts';
import { defined } from '../../model/defined.ts';
import { CrewError, messageOf } from '../../model/errors.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { writeAtomic } from '../../system/atomic.ts';
import type { LogMessage, LogPage } from '../../wire/examine.ts';
import { messagesOf, type TranscriptMessage } from '../workers/conversation.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { pastOf, type Transcript, transcriptOf } from '../workers/transcript.ts';

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

/** The input of the newest call of that tool among the last messages, as JSON; undefined where there is none. */
export async function lastInput(context: CrewContext, record: WorkerRecord, tool: string): Promise<string | undefined> {
  await context.roster.following(record.id)?.drain();
  const transcript = await transcriptOf(context, record);
  const total = transcript.conversation.totals.messages;
  const found = total === 0 ? [] : await readMessages(transcript, Math.max(0, total - 2 * pageSize), total);
  return found.flatMap(({ toolUses }) => toolUses).findLast(({ name }) => name === tool)?.input;
}

async function shown(
  context: CrewContext,
  record: WorkerRecord,
  { messages, format }: { readonly messages: readonly Answered[]; readonly format: LogQuery['format'] },
): Promise<readonly LogMessage[]> {
  const { gistOf } = context.agents.of(record);
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

/** A message with the answers to its tool uses, by their ids. */
export interface Answered extends TranscriptMessage {
  readonly answers: ReadonlyMap<string, ToolResult>;
}

type GistOf = (input: string) => string;

const compactContent = 600;
const gistLength = 120;

/** The beginning of each message, and each call in one line. Pure. */
export const compactMessages = (messages: readonly Answered[], gistOf: GistOf): readonly LogMessage[] =>
  messages.map((message) => show(message, { content: cut(message.content, compactContent), use: inOneLine(gistOf) }));

/** Every word of each message, and each call in one line. Pure. */
export const messagesForPerson = (messages: readonly Answered[], gistOf: GistOf): readonly LogMessage[] =>
  messages.map((message) => show(message, { content: message.content, use: inOneLine(gistOf) }));

/** Below what an answer holds, so that nothing is cut there that has no file. */
const mostBytes = 42_000;
const contentLengths = [20_000, 15_000, 10_000, 7_000, 5_000, 3_000, 2_000, 1_000, 400] as const;
const longestUse = 4_000;

/** As much of each message as all of them leave room for; one that is cut names the file that is to hold it whole. Pure. */
export function fullMessages(
  messages: readonly Answered[],
  pathOf: (index: number) => string,
): { readonly messages: readonly LogMessage[]; readonly cut: readonly TranscriptMessage[] } {
  for (const most of contentLengths) {
    const shown = messages.map((message) => inFull(message, most, pathOf));
    if (Buffer.byteLength(JSON.stringify(shown)) <= mostBytes)
      return { messages: shown, cut: messages.filter(({ content }) => content.length > most) };
  }
  // Too many for files; the answer itself is cut, and says so.
  return { messages: messages.map((message) => inFull(message, contentLengths[0])), cut: [] };
}

function inFull(message: Answered, most: number, pathOf?: (index: number) => string): LogMessage {
  const { content, index } = message;
  const use = inWhole(Math.min(longestUse, most));
  if (content.length <= most || pathOf === undefined) return show(message, { content, use });
  return { ...show(message, { content: beginning(content, most), use }), truncated: true, path: pathOf(index) };
}

type ShownUse = NonNullable<LogMessage['tool_uses']>[number];

interface Shown {
  readonly content: string;
  readonly use: (use: ToolUse, answer: ToolResult | undefined) => ShownUse;
}

function show({ index, role, at, toolUses, answers }: Answered, { content, use }: Shown): LogMessage {
  const uses = toolUses.map((one) => use(one, one.id === undefined ? undefined : answers.get(one.id)));
  const timestamp = isoTime(at);
  return { index, role, content, timestamp, ...defined({ tool_uses: uses.length === 0 ? undefined : uses }) };
}

const inOneLine =
  (gistOf: GistOf): Shown['use'] =>
  ({ name, input }, answer) => {
    const gist = gistOf(input);
    const shown = gist.length > gistLength ? `${beginning(gist, gistLength - 1)}…` : gist;
    return { name, input: shown, ...defined({ failure: answer?.failure }) };
  };

const inWhole =
  (length: number): Shown['use'] =>
  ({ id, name, input }, answer) => {
    const { failure, output } = answer ?? {};
    const truncated = Math.max(input.length, output?.length ?? 0) > length || undefined;
    const rest = { id, output: output && cut(output, length), failure, truncated };
    return { name, input: cut(input, length), ...defined(rest) };
  };

const cut = (text: string, length: number): string =>
  text.length > length ? `${beginning(text, length)}… (${text.length} characters)` : text;

/** Never half a character. */
const beginning = (text: string, length: number): string => text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
