// What Codex posts to /v1/responses, turned into the messages the scripts are found in.
import { z } from 'zod';
import type { Message } from './body.ts';

const part = z.looseObject({ text: z.string().optional() });
const item = z.looseObject({
  type: z.string().optional(),
  role: z.string().optional(),
  content: z.union([z.string(), z.array(part)]).optional(),
  call_id: z.string().optional(),
  output: z.unknown().optional(),
  tools: z.unknown().optional(),
});

export const responsesSchema = z.object({
  model: z.string().default('fake'),
  input: z.array(item).default([]),
  text: z.looseObject({ format: z.unknown().optional() }).optional(),
  prompt_cache_key: z.string().default(''),
});
export type ResponsesBody = z.infer<typeof responsesSchema>;
type Item = z.infer<typeof item>;

const textOf = ({ content = '' }: Item): string =>
  typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join('');

/** Words of the CLI's own in a person's place. */
const isAside = (text: string): boolean => /^\s*(?:<[a-z_]+>|# AGENTS\.md)/.test(text);

/** Calls and their outputs, as the other API has them. */
export function messagesOf({ input }: ResponsesBody): Message[] {
  return input.flatMap((one): Message[] => {
    const text = textOf(one);
    if (one.type === 'message' && one.role === 'user') return isAside(text) ? [] : [{ role: 'user', content: text }];
    if (one.type === 'message' && one.role === 'assistant') return [{ role: 'assistant', content: text }];
    if (/_call$/.test(one.type ?? '')) return [{ role: 'assistant', content: [{ type: 'tool_use' }] }];
    if (!/_output$/.test(one.type ?? '')) return [];
    const output = one.type === 'tool_search_output' ? one.tools : one.output;
    const content = typeof output === 'string' ? output : JSON.stringify(output);
    return [{ role: 'user', content: [{ type: 'tool_result', content: [{ text: content }] }] }];
  });
}

/** What the CLI itself tells the model. */
export const toldIn = ({ input }: ResponsesBody): string[] =>
  input.filter(({ role }) => role === 'developer').map(textOf);

export const cwdOf = ({ input }: ResponsesBody): string | undefined =>
  input.map((one) => /<cwd>([^<]+)<\/cwd>/.exec(textOf(one))?.[1]).findLast((cwd) => cwd !== undefined);

/** The thread that names a conversation is none itself. */
export const isTitle = (body: ResponsesBody): boolean =>
  body.text?.format !== undefined ||
  body.input.some((one) => /^Generate a concise, single-line task title/.test(textOf(one)));
