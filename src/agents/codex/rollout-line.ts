// The forms of the lines of a rollout, as far as they are read.
import { z } from 'zod';
import { timestamp } from '../timestamp.ts';

export const anyLine = z.looseObject({
  timestamp,
  type: z.string(),
  payload: z.looseObject({ type: z.string().optional().catch(undefined) }),
});
export type AnyLine = z.output<typeof anyLine>;

export const sessionMeta = z.looseObject({ forked_from_id: z.string().nullish().catch(undefined) });
export const turnContext = z.looseObject({ model: z.string() });

const failure = z.looseObject({
  message: z.string().catch('unknown error'),
  codex_error_info: z.unknown().optional(),
});
export const taskComplete = z.looseObject({ error: failure.nullish().catch(undefined) });
const allowanceWindow = z
  .looseObject({
    used_percent: z.number().catch(0),
    window_minutes: z.number().optional().catch(undefined),
    resets_at: z.number().optional().catch(undefined),
  })
  .nullish()
  .catch(undefined);
export type AllowanceWindow = NonNullable<z.output<typeof allowanceWindow>>;
export const tokenCount = z.looseObject({
  info: z
    .looseObject({
      last_token_usage: z.looseObject({ total_tokens: z.number() }),
      model_context_window: z.number().positive(),
    })
    .nullish()
    .catch(undefined),
  rate_limits: z.looseObject({ primary: allowanceWindow, secondary: allowanceWindow }).nullish().catch(undefined),
});

export const turnAborted = z.looseObject({ reason: z.string().catch('unknown') });

const count = z.number().catch(0);
export const tokenCounts = z.looseObject({
  input_tokens: count,
  cached_input_tokens: count,
  cache_write_input_tokens: count,
  output_tokens: count,
});
export type TokenCounts = z.output<typeof tokenCounts>;
export const usageRecord = z.looseObject({
  response_id: z.string(),
  usage: tokenCounts,
  thread_token_usage: tokenCounts.optional().catch(undefined),
});

const word = z.string().optional().catch(undefined);
export const toolCall = z.looseObject({
  type: z.string(),
  call_id: word,
  name: word,
  namespace: word,
  /** One of them holds the input, by the kind of call. */
  arguments: z.unknown().optional(),
  input: z.unknown().optional(),
  action: z.unknown().optional(),
});
const part = z.looseObject({ text: word });
export const toolOutput = z.looseObject({
  call_id: word,
  output: z
    .union([z.string(), z.array(part)])
    .optional()
    .catch(undefined),
});

export const itemCompleted = z.looseObject({ item: z.looseObject({ type: z.string() }) });
export const message = z.looseObject({ content: z.array(part).catch([]) });
export const commandExecution = z.looseObject({
  command: z.array(z.string()).catch([]),
  process_id: z.string().optional().catch(undefined),
  id: z.string().catch(''),
  source: z.string().optional().catch(undefined),
  aggregated_output: z.string().catch(''),
  exit_code: z.number().optional().catch(undefined),
});
export const serverCall = z.looseObject({
  id: word,
  status: word,
  error: z.looseObject({ message: z.string() }).nullish().catch(undefined),
  result: z.unknown().optional(),
});
export type CommandExecution = z.output<typeof commandExecution>;
