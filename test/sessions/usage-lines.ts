// Lines of both agents that say what was used.

export const noon = new Date(2030, 0, 2, 12).getTime();
export const nextDay = noon + 86_400_000;

/** 100 tokens in, 12 out: 0.00064 dollars. */
export function answer(id: string, { at = noon, ...more }: { at?: number; isSidechain?: boolean } = {}): string {
  const usage = { input_tokens: 100, output_tokens: 12, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  const message = { id, role: 'assistant', model: 'claude-opus-5-5', content: [{ type: 'text', text: 'ok' }], usage };
  return JSON.stringify({
    type: 'assistant',
    timestamp: new Date(at).toISOString(),
    cwd: '/repo/here',
    ...more,
    message,
  });
}

export const cost = (totalCostUSD: number): string => JSON.stringify({ type: 'cost-state', totalCostUSD });

/** Of Codex: 400 tokens in, 100 of the cache, 7 out. */
export const tokenRecord = (response_id: string): object => ({
  type: 'token_usage_record',
  payload: {
    response_id,
    usage: { input_tokens: 500, cached_input_tokens: 100, cache_write_input_tokens: 0, output_tokens: 7 },
  },
});
