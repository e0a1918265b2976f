// What the CLI posts to /v1/messages, as far as the fake looks at it.
import { z } from 'zod';

const block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  tool_use_id: z.string().optional(),
  content: z.unknown().optional(),
});
const message = z.object({ role: z.string(), content: z.union([z.string(), z.array(block)]) });

export const bodySchema = z.object({
  model: z.string().default('fake'),
  stream: z.boolean().default(false),
  messages: z.array(message).default([]),
  system: z.unknown().optional(),
  tools: z.array(z.looseObject({ name: z.string() })).default([]),
  metadata: z.object({ user_id: z.string().optional() }).optional(),
  output_config: z.looseObject({ format: z.unknown().optional() }).optional(),
});

export type Body = z.infer<typeof bodySchema>;
export type Message = z.infer<typeof message>;
type Block = z.infer<typeof block>;

export const blocksOf = (m: Message): readonly Block[] =>
  typeof m.content === 'string' ? [{ type: 'text', text: m.content }] : m.content;

/** Words of the CLI's own around a prompt; the news it brings in the same form is a prompt of its own. */
const isAside = (text: string): boolean =>
  text.trimStart().startsWith('<system-reminder>') && !/<task-notification>|The user sent a new message/.test(text);

/** The texts of a message that a person or a notice wrote, byte for byte. */
export const textsOf = (m: Message): string[] =>
  blocksOf(m).flatMap((b) => (b.type === 'text' && b.text !== undefined && !isAside(b.text) ? [b.text] : []));

/** The texts among a person's messages that are the agent's own, instructions of the project above all. */
const asidesOf = (m: Message): string[] =>
  blocksOf(m).flatMap((b) => (b.type === 'text' && b.text !== undefined && isAside(b.text) ? [b.text] : []));

/** What the tools answered that the message hands back, as text. */
export const resultsOf = (m: Message): string[] =>
  blocksOf(m).flatMap((b) => {
    if (b.type !== 'tool_result') return [];
    const parts = z.array(z.looseObject({ text: z.string() })).safeParse(b.content);
    return parts.success
      ? parts.data.map(({ text }) => text)
      : [typeof b.content === 'string' ? b.content : JSON.stringify(b.content)];
  });

export const hasToolResult = (m: Message): boolean => blocksOf(m).some((b) => b.type === 'tool_result');
export const hasToolUse = (m: Message): boolean => blocksOf(m).some((b) => b.type === 'tool_use');

/** A turn carries tools; a title or a summary asked for on the side does not; a compaction says what it is. */
export function kindOf(body: Body): 'turn' | 'side' | 'compact' {
  const last = JSON.stringify(body.messages.at(-1) ?? '');
  if (/create a detailed summary of the conversation|CRITICAL: Respond with TEXT ONLY/i.test(last)) return 'compact';
  return body.tools.length === 0 || body.output_config?.format !== undefined ? 'side' : 'turn';
}

/** The agent's session id: its conversation, until `/clear` makes another. */
export function conversationOf(body: Body): string {
  return /"session_id":"([0-9a-f-]{36})"/.exec(body.metadata?.user_id ?? '')?.[1] ?? '';
}

/** What the CLI itself tells the model, also between the messages. */
export function systemOf({ system, messages }: Body): string[] {
  const parts = z.array(z.looseObject({ text: z.string() })).safeParse(system);
  const before = parts.success ? parts.data.map(({ text }) => text) : typeof system === 'string' ? [system] : [];
  return [...before, ...messages.flatMap((m) => (m.role === 'system' ? textsOf(m) : asidesOf(m)))];
}

/** Where the agent says it works; the first message that tells counts. */
export function cwdOf(body: Body): string | undefined {
  for (const part of [body.system ?? '', ...body.messages]) {
    const found = /[Ww]orking directory[^:]*:\s*(\/[^\s"\\]+)/.exec(JSON.stringify(part))?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}
