// Pages of a conversation, newest first, read back from the transcript.
import type { Agent } from '../../agents/agent.ts';
import { readLines } from '../../jsonl/slice.ts';
import { isoTime } from '../../model/clock.ts';
import { defined } from '../../model/defined.ts';
import { CrewError, messageOf } from '../../model/errors.ts';
import type { LogMessage, LogPage } from '../../wire/examine.ts';
import type { LogQuery } from '../orders.ts';
import { type Message, messagesOf } from '../workers/conversation.ts';
import type { CrewContext } from '../workers/roster.ts';
import { pastOf, type Transcript, transcriptOf } from '../workers/transcript.ts';

const pageSize = 5;
const compactLength = 600;
const fullLength = 8_000;
const toolLength = { compact: 120, full: 4_000 } as const;

type PageRequest = Omit<LogQuery, 'worker'>;

/** The messages of a request: `offset` counts back from the newest. Pure. */
export function pageRange(total: number, request: PageRequest): { readonly from: number; readonly to: number } {
  const to = Math.max(0, total - request.offset);
  return { from: Math.max(0, to - request.pages * pageSize), to };
}

export async function readLogs(context: CrewContext, { worker: asked, ...request }: LogQuery): Promise<LogPage> {
  const record = context.roster.resolve(asked);
  await context.roster.following(record.id)?.drain();
  const transcript = await transcriptOf(context, record);
  const past = await pastOf(context, record, transcript);
  const total = transcript.conversation.totals.messages;
  const { from, to } = pageRange(total, request);
  const found = from < to ? await readMessages(transcript, from, to) : [];
  const messages = found.map((message) => show(message, request.format));
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
  if (request.offset >= total) return `The offset ${request.offset} is past all ${total} messages.`;
  return pageRange(total, request).from > 0 ? undefined : before;
}

async function readMessages(
  { path, agent, conversation }: Transcript,
  from: number,
  to: number,
): Promise<readonly Message[]> {
  const blocks = conversation.blocksFor(from, to);
  const [first] = blocks;
  const last = blocks.at(-1);
  if (first === undefined || last === undefined) return [];
  try {
    const lines = await readLines(path, { from: first.from, to: last.to });
    const entries = lines.flatMap((line) => agent.decodeLine(line).entry ?? []);
    return messagesOf(entries, first).filter((message) => message.index >= from && message.index < to);
  } catch (error) {
    const message = `The transcript ${path} cannot be read: ${messageOf(error)}`;
    throw new CrewError('state_unreadable', message, 'Is the file still there?', { cause: error });
  }
}

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)}… (${text.length} characters)` : text;

function show(message: Message, format: 'compact' | 'full'): LogMessage {
  const toolUses = message.toolUses.map(({ name, input }) => ({ name, input: cut(input, toolLength[format]) }));
  return {
    index: message.index,
    role: message.role,
    content: cut(message.content, format === 'compact' ? compactLength : fullLength),
    timestamp: isoTime(message.at),
    ...defined({ tool_uses: toolUses.length === 0 ? undefined : toolUses }),
  };
}
