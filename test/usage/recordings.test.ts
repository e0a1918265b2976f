// Known usage: what the agents themselves have summed up in their recordings.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { claudeAgent } from '../../src/agents/claude/claude.ts';
import { codexAgent } from '../../src/agents/codex/codex.ts';
import { emptyLedger, spentOf, withLine } from '../../src/usage/ledger.ts';
import { costOf } from '../../src/usage/prices.ts';
import { usageOf } from '../../src/usage/usage.ts';
import { casesOf } from '../agents/recordings.ts';

const total = z.object({ input_tokens: z.number(), cached_input_tokens: z.number(), output_tokens: z.number() });
const record = z.object({ payload: z.object({ usage: total, thread_token_usage: total }) });
const cost = z.object({ type: z.literal('cost-state'), totalCostUSD: z.number() });

describe.each([claudeAgent, codexAgent])('a recording of $type', (agent) => {
  const cases = casesOf(agent).filter(({ folder }) => existsSync(join(folder, 'transcript.jsonl')));

  test.each(cases)('$version $name counts what the agent itself counts', ({ folder }) => {
    let ledger = emptyLedger;
    const place = { file: 'transcript.jsonl', conversation: 'one', since: 0 };
    let past: { readonly input: number; readonly output: number } | undefined;
    const text = readFileSync(join(folder, 'transcript.jsonl'), 'utf8');
    for (const line of text.split('\n').filter((one) => one !== '')) {
      ledger = withLine(ledger, agent.decodeLine(line), place);
      const spent = spentOf(ledger);
      const value: unknown = JSON.parse(line);
      const own = record.safeParse(value).data?.payload;
      if (own !== undefined) {
        const { usage: last, thread_token_usage: all } = own;
        // The agent's sum of a fork begins with that of its past.
        past ??= { input: all.input_tokens - last.input_tokens, output: all.output_tokens - last.output_tokens };
        const { inputTokens = 0, cacheTokens = 0, outputTokens = 0 } = usageOf(spent, {}) ?? {};
        expect([inputTokens + cacheTokens + past.input, outputTokens + past.output]).toEqual([
          all.input_tokens,
          all.output_tokens,
        ]);
      }
      const told = cost.safeParse(value).data?.totalCostUSD;
      if (told === undefined) continue;
      expect(costOf(spent.tokens, {})).toBeCloseTo(told, 9);
      expect(usageOf(spent, {})?.cost).toEqual({ usd: told, source: 'agent' });
    }
  });
});
