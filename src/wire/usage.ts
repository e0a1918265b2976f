// What work has used, and what is left.
import { z } from 'zod';
import { isoTime } from '../model/clock.ts';
import { defined } from '../model/defined.ts';
import type { Usage } from '../model/usage.ts';
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

/** What the workers of one role, plan or day have used, or one of them. */
export interface UsageRow {
  readonly name: string;
  readonly usage: UsageView;
}

export const usageView = ({ inputTokens, outputTokens, cacheTokens, cost, contextLeft, limits }: Usage): UsageView => ({
  ...{ input_tokens: inputTokens, output_tokens: outputTokens, cache_tokens: cacheTokens },
  ...defined({
    cost,
    context_left: contextLeft,
    limits: limits?.map(({ window, used, resetsAt }) => ({
      ...{ window, used },
      resets_at: isoTime(resetsAt),
    })),
  }),
});

const units = [
  [1_000_000_000, 'G'],
  [1_000_000, 'M'],
  [1_000, 'k'],
] as const;

export function tokenWords(tokens: number): string {
  const unit = units.find(([size]) => tokens >= size);
  if (unit === undefined) return String(tokens);
  const [size, letter] = unit;
  return `${(tokens / size).toFixed(1)}${letter}`;
}

export const usdWords = ({ usd, source }: NonNullable<UsageView['cost']>): string =>
  `${source === 'estimate' ? '~' : ''}$${usd.toFixed(2)}`;

export const percent = (share: number): string => `${Math.round(share * 100)}%`;

/** All of them, as `12.3k`. */
export const tokensOf = ({ input_tokens: input, output_tokens: output, cache_tokens: cache }: UsageView): string =>
  tokenWords(input + output + cache);

/** `12.3k tokens · window 17% full · 5h 42% · $0.42`; `~` before money that is an estimate. */
export function usageWords(usage: UsageView): string {
  const { limits = [], cost } = usage;
  return [
    `${tokensOf(usage)} tokens`,
    ...[windowWords(usage)].flatMap((words) => words ?? []),
    ...limits.map(({ window, used }) => `${window} ${percent(used)}`),
    ...(cost === undefined ? [] : [usdWords(cost)]),
  ].join(' · ');
}

/** Undefined where the agent does not tell it. */
export const windowWords = ({ context_left: left }: Pick<UsageView, 'context_left'>): string | undefined =>
  left === undefined ? undefined : `window ${percent(1 - left)} full`;

const scarce = 0.2;

/** Little of a context window or of an allowance is left. */
export const isScarce = ({ context_left: contextLeft = 1, limits = [] }: UsageView): boolean =>
  contextLeft <= scarce || limits.some(({ used }) => used >= 1 - scarce);
