// The forms of a transcript line that mean something here, read leniently: what is not looked at may be anything.
import { z } from 'zod';
import { timestamp } from '../timestamp.ts';

const block = z.looseObject({ type: z.string() });
export type ContentBlock = z.infer<typeof block>;

const content = z.union([z.string(), z.array(block)]);
const origin = z.looseObject({ kind: z.string() }).optional();

export const userLine = z.looseObject({
  type: z.literal('user'),
  timestamp,
  isMeta: z.boolean().optional(),
  isCompactSummary: z.boolean().optional(),
  origin,
  promptSource: z.string().optional(),
  toolDenialKind: z.string().optional(),
  message: z.looseObject({ content }),
});
export type UserLine = z.infer<typeof userLine>;

const count = z.number().catch(0);

export const assistantLine = z.looseObject({
  type: z.literal('assistant'),
  timestamp,
  isApiErrorMessage: z.boolean().optional(),
  error: z.string().nullish().catch(undefined),
  apiErrorStatus: z.number().nullish().catch(undefined),
  quotaLimits: z
    .looseObject({ resetsAt: z.number().nullish().catch(undefined) })
    .nullish()
    .catch(undefined),
  message: z.looseObject({
    id: z.string().optional(),
    model: z.string().optional(),
    content,
    usage: z
      .looseObject({
        input_tokens: count,
        output_tokens: count,
        cache_creation_input_tokens: count,
        cache_read_input_tokens: count,
      })
      .nullish()
      .catch(undefined),
  }),
});
export type AssistantLine = z.infer<typeof assistantLine>;

export const toolResult = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string().catch(''),
  is_error: z.boolean().optional().catch(undefined),
  content: content.catch(''),
});

export const systemLine = z.looseObject({
  type: z.literal('system'),
  subtype: z.string(),
  timestamp,
  content: z.string().optional().catch(undefined),
  pendingBackgroundAgentCount: count.optional(),
  pendingWorkflowCount: count.optional(),
  hookInfos: z.array(z.looseObject({ command: z.string().catch('') })).catch([]),
  hookErrors: z.array(z.unknown()).catch([]),
  failedHookErrorIndexes: z.array(z.number()).catch([]),
  hookAdditionalContext: z.array(z.unknown()).catch([]),
  preventedContinuation: z.boolean().catch(false),
});
export type SystemLine = z.infer<typeof systemLine>;

export const queueLine = z.looseObject({
  type: z.literal('queue-operation'),
  operation: z.string(),
  timestamp,
  content: z.string().optional().catch(undefined),
});
export type QueueLine = z.infer<typeof queueLine>;

export const queuedCommandLine = z.looseObject({
  type: z.literal('attachment'),
  timestamp,
  attachment: z.looseObject({
    type: z.literal('queued_command'),
    prompt: content,
    commandMode: z.string().optional(),
    origin,
  }),
});

export const requestLine = z.looseObject({
  type: z.literal('api-request'),
  timestamp,
  querySource: z.string(),
  requestDigest: z.string(),
});
export type RequestLine = z.infer<typeof requestLine>;

export const costLine = z.looseObject({
  type: z.literal('cost-state'),
  totalCostUSD: z.number(),
  /** The total is too low then. */
  hasUnknownModelCost: z.boolean().catch(false),
});

export const anyLine = z.looseObject({ type: z.string(), isSidechain: z.boolean().optional() });

/** The words of a message, without its tool calls and thoughts. */
export function textOf(said: string | readonly ContentBlock[]): string {
  if (typeof said === 'string') return said;
  return said.flatMap((one) => (one.type === 'text' && typeof one.text === 'string' ? [one.text] : [])).join('\n');
}
