// What work has used, and what is left.
import { z } from 'zod';
import { list, type Shape } from './parts.ts';

/** What is not known is left out. */
export const usage = z.object({
  input_tokens: z.number(),
  output_tokens: z.number(),
  cache_tokens: z.number(),
  /** `agent` is the agent's own figure, `estimate` tokens times prices. */
  cost: z.object({ usd: z.number(), source: z.enum(['agent', 'estimate']) }).exactOptional(),
  context_left: z.number().exactOptional(),
  limits: list(z.object({ window: z.string(), used: z.number(), resets_at: z.string() })).exactOptional(),
});
export type UsageView = Shape<typeof usage>;
