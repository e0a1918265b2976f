// The running index of one transcript: counts and offsets, so that messages stay in the file.
import type { ConversationEntry, DecodedLine, ToolUse } from '../../agents/agent.ts';
import { digestOf } from '../../system/digest.ts';

export interface TranscriptMessage {
  readonly index: number;
  readonly role: 'user' | 'assistant';
  readonly content: string;
  readonly at: number;
  readonly toolUses: readonly ToolUse[];
}

export interface Totals {
  readonly messages: number;
  readonly userMessages: number;
  readonly assistantMessages: number;
  readonly lastUserPrompt: string | undefined;
  readonly lastAssistantText: string | undefined;
  readonly forkedFrom: string | undefined;
}

/** A stretch of the file and the messages that begin in it. */
export interface TranscriptBlock {
  readonly from: number;
  readonly to: number;
  readonly firstMessage: number;
  readonly messages: number;
  /** The id of the message before; lines of that id at the block's start belong to it. */
  readonly before: string | undefined;
}

/** A prompt, and what was said last before the next one. */
export interface Exchange {
  readonly digest: string;
  readonly at: number;
  /** Its beginning, and its whole length. */
  readonly words: (Words & Place) | undefined;
}

export interface Words {
  readonly text: string;
  readonly length: number;
  /** How many messages came after them; undefined where an older release has counted. */
  readonly after?: number;
}

interface Place {
  /** The index of their message. */
  readonly message?: number;
}

const keptExchanges = 16;
export const keptWords = 2_000;

/** The index of a conversation without its blocks: it goes on from here. */
export interface ConversationSoFar {
  readonly totals: Totals;
  readonly exchanges: readonly Exchange[];
  readonly lastMessageId: string | undefined;
}

const blockBytes = 64 * 1024;
const previewLength = 500;
const preview = (text: string): string => (text.length > previewLength ? `${text.slice(0, previewLength)}…` : text);

export class Conversation {
  #blocks: TranscriptBlock[] = [];
  #totals: Totals = emptyTotals;
  #lastMessageId: string | undefined;
  #exchanges: readonly Exchange[] = [];

  /** `to` is the byte after the last line that the index so far holds. */
  static from({ totals, exchanges, lastMessageId }: ConversationSoFar, to: number): Conversation {
    const conversation = new Conversation();
    conversation.#totals = totals;
    conversation.#exchanges = exchanges;
    conversation.#lastMessageId = lastMessageId;
    // Its messages lie somewhere in there.
    conversation.#blocks =
      to === 0 ? [] : [{ from: 0, to, firstMessage: 0, messages: totals.messages, before: undefined }];
    return conversation;
  }

  get soFar(): ConversationSoFar {
    return {
      totals: this.#totals,
      exchanges: this.#exchanges,
      lastMessageId: this.#lastMessageId,
    };
  }

  /** What was said last since the newest prompt; undefined where nothing was. */
  get lastWords(): Words | undefined {
    return this.#placed(this.#exchanges.at(-1));
  }

  /** What was said last between the newest prompt of this text, no older than `since`, and the next prompt. */
  replyTo({ digest, since }: { readonly digest: string; readonly since: number }): Words | undefined {
    return this.#placed(this.#exchanges.findLast((one) => one.digest === digest && one.at >= since));
  }

  #placed(exchange: Exchange | undefined): Words | undefined {
    if (exchange?.words === undefined) return undefined;
    const { text, length, message } = exchange.words;
    return { text, length, ...(message !== undefined && { after: this.#totals.messages - 1 - message }) };
  }

  get totals(): Totals {
    return this.#totals;
  }

  /** Takes in decoded lines that end at byte `to`; `restarted` means the file began anew. */
  add(lines: readonly DecodedLine[], at: { readonly offset: number; readonly restarted: boolean }): void {
    if (at.restarted) this.#forget();
    const start = { firstMessage: this.#totals.messages, before: this.#lastMessageId };
    for (const line of lines) this.#count(line);
    this.#extend(at.offset, start);
  }

  /** The blocks in which the messages from index `from` up to `to` (not included) begin or go on. */
  blocksFor(from: number, to: number): readonly TranscriptBlock[] {
    const first = this.#blocks.findLastIndex((block) => block.firstMessage <= from);
    const after = this.#blocks.findIndex((block) => block.firstMessage + block.messages > to);
    // A message may go on over several blocks, to where the next one begins.
    return this.#blocks.slice(Math.max(first, 0), after < 0 ? undefined : after + 1);
  }

  #forget(): void {
    this.#blocks = [];
    this.#totals = emptyTotals;
    this.#lastMessageId = undefined;
    this.#exchanges = [];
  }

  #extend(to: number, start: Pick<TranscriptBlock, 'firstMessage' | 'before'>): void {
    const last = this.#blocks.at(-1);
    const messages = this.#totals.messages - start.firstMessage;
    const from = last?.to ?? 0;
    if (last !== undefined && to - last.from <= blockBytes) {
      this.#blocks[this.#blocks.length - 1] = { ...last, to, messages: last.messages + messages };
    } else if (to > from) {
      this.#blocks.push({ from, to, messages, ...start });
    }
  }

  #count(line: DecodedLine): void {
    if (line.forkedFrom !== undefined) this.#totals = { ...this.#totals, forkedFrom: line.forkedFrom };
    if (line.entry !== undefined) this.#countEntry(line.entry);
  }

  #countEntry(entry: ConversationEntry): void {
    const goesOn = entry.messageId !== undefined && entry.messageId === this.#lastMessageId;
    this.#lastMessageId = entry.messageId;
    const now = this.#totals;
    const message = now.messages - (goesOn ? 1 : 0);
    this.#exchanges = exchangesAfter(this.#exchanges, entry, { goesOn, message });
    const isUser = entry.role === 'user';
    this.#totals = {
      ...now,
      messages: now.messages + (goesOn ? 0 : 1),
      userMessages: now.userMessages + (isUser && !goesOn ? 1 : 0),
      assistantMessages: now.assistantMessages + (isUser || goesOn ? 0 : 1),
      lastUserPrompt: isUser && entry.content !== '' ? preview(entry.content) : now.lastUserPrompt,
      lastAssistantText: !isUser && entry.content !== '' ? preview(entry.content) : now.lastAssistantText,
    };
  }
}

function exchangesAfter(
  before: readonly Exchange[],
  { role, content, at }: ConversationEntry,
  { goesOn, message }: { readonly goesOn: boolean; readonly message: number },
): readonly Exchange[] {
  const last = before.at(-1);
  if (content === '') return before;
  if (role === 'user') return [...before.slice(1 - keptExchanges), { digest: digestOf(content), at, words: undefined }];
  if (last === undefined) return before;
  const begun = goesOn && last.words !== undefined ? last.words : { text: '', length: 0 };
  const joint = begun.length === 0 ? '' : '\n';
  const text = (begun.text + joint + content).slice(0, keptWords);
  const words = { text, length: begun.length + joint.length + content.length, message };
  return [...before.slice(0, -1), { ...last, words }];
}

const emptyTotals: Totals = {
  messages: 0,
  userMessages: 0,
  assistantMessages: 0,
  lastUserPrompt: undefined,
  lastAssistantText: undefined,
  forkedFrom: undefined,
};

/** Joins the lines of one message, for entries read from a block on. */
export function messagesOf(
  entries: readonly ConversationEntry[],
  start: Pick<TranscriptBlock, 'firstMessage' | 'before'>,
): readonly TranscriptMessage[] {
  const messages: TranscriptMessage[] = [];
  let lastId = start.before;
  for (const entry of entries) {
    const goesOn = entry.messageId !== undefined && entry.messageId === lastId;
    lastId = entry.messageId;
    const last = messages.at(-1);
    if (!goesOn) messages.push(begin(entry, start.firstMessage + messages.length));
    else if (last !== undefined) messages[messages.length - 1] = join(last, entry);
  }
  return messages;
}

const begin = ({ role, content, at, toolUses = [] }: ConversationEntry, index: number): TranscriptMessage => ({
  index,
  role,
  content,
  at,
  toolUses,
});

const join = (message: TranscriptMessage, entry: ConversationEntry): TranscriptMessage => ({
  ...message,
  content: [message.content, entry.content].filter(Boolean).join('\n'),
  toolUses: [...message.toolUses, ...(entry.toolUses ?? [])],
});
