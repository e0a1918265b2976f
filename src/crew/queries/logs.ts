// Pages of a conversation, newest first, read back from the transcript.
import type { ConversationEntry } from '../../agents/agent.ts';
import { readLines } from '../../jsonl/slice.ts';
import { isoTime } from '../../model/clock.ts';
import { CrewError, messageOf } from '../../model/errors.ts';
import type { LogMessage, LogPage } from '../../wire/examine.ts';
import type { LogQuery } from '../orders.ts';
import { type Message, messagesOf } from '../workers/conversation.ts';
import type { Transcript } from '../workers/transcript.ts';

export const pageSize = 5;
const compactLength = 600;
const fullLength = 8_000;
const toolLength = { compact: 120, full: 4_000 } as const;

type PageRequest = Omit<LogQuery, 'worker'>;

/** Which messages a request means: `offset` counts back from the newest. Pure. */
export function pageRange(total: number, request: PageRequest): { readonly from: number; readonly to: number } {
  const to = Math.max(0, total - request.offset);
  return { from: Math.max(0, to - request.pages * pageSize), to };
}

export async function readPage(asked: string, transcript: Transcript, request: PageRequest): Promise<LogPage> {
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
      ...noteOf(total, request, transcript),
    },
  };
}

function noteOf(total: number, request: PageRequest, { agent, past }: Transcript): { readonly note?: string } {
  if (!agent.keepsTranscript) {
    return { note: `No transcript of ${agent.type} is known, so what was said is not either. Use read_worker_screen.` };
  }
  const before = past === undefined ? '' : `What was said before the fork stands in ${past}`;
  if (total === 0) return { note: before || 'The conversation has not begun.' };
  if (request.offset >= total) return { note: `The offset ${request.offset} is past all ${total} messages.` };
  return before === '' || pageRange(total, request).from > 0 ? {} : { note: before };
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
    const entries = lines.map((line) => agent.decodeLine(line).entry).filter(isEntry);
    return messagesOf(entries, first).filter((message) => message.index >= from && message.index < to);
  } catch (error) {
    throw new CrewError(
      'state_unreadable',
      `The transcript ${path} cannot be read: ${messageOf(error)}`,
      'Is the file still there?',
      {
        cause: error,
      },
    );
  }
}

const isEntry = (entry: ConversationEntry | undefined): entry is ConversationEntry => entry !== undefined;

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)}… (${text.length} characters)` : text;

function show(message: Message, format: 'compact' | 'full'): LogMessage {
  const toolUses = message.toolUses.map(({ name, input }) => ({ name, input: cut(input, toolLength[format]) }));
  return {
    index: message.index,
    role: message.role,
    content: cut(message.content, format === 'compact' ? compactLength : fullLength),
    timestamp: isoTime(message.at),
    ...(toolUses.length === 0 ? {} : { tool_uses: toolUses }),
  };
}
