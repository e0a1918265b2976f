// Messages of a transcript as an answer shows them: in short, whole as far as one answer holds, or for a person.
import type { ToolResult, ToolUse } from '../../agents/agent.ts';
import { isoTime } from '../../model/clock.ts';
import { defined } from '../../model/defined.ts';
import type { LogMessage } from '../../wire/examine.ts';
import type { Message } from '../workers/conversation.ts';

/** A message with the answers to its tool uses, by their ids. */
export interface Answered extends Message {
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
): { readonly messages: readonly LogMessage[]; readonly cut: readonly Message[] } {
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
