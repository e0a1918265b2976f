// What the lines that an expert has printed add up to. Pure.
import type { PrintedLine, RunUsage } from '../../agents/agent.ts';
import { defined } from '../../model/defined.ts';
import type { ModelTokens, Spent, Tokens } from '../../model/usage.ts';

export interface Heard {
  readonly agentSessionId?: string;
  /** All that it said, the message that was under way included. */
  readonly soFar: string;
  /** Undefined for a run that has not ended with words. */
  readonly answer?: string;
  readonly trouble?: string;
  readonly usage?: RunUsage;
}

export function heardIn(lines: readonly PrintedLine[]): Heard {
  const said: string[] = [];
  let piece = '';
  let begun: string | undefined;
  let ended: Extract<PrintedLine, { is: 'ended' }> | undefined;
  for (const line of lines) {
    if (line.is === 'begun') begun = line.agentSessionId;
    if (line.is === 'piece') piece += line.text;
    if (line.is === 'ended') ended = line;
    if (line.is !== 'said') continue;
    said.push(line.text);
    piece = '';
  }
  const { trouble, usage } = ended ?? {};
  const last = ended === undefined || trouble !== undefined ? '' : (ended.text ?? said.at(-1) ?? '');
  return {
    soFar: [...said, piece].filter((text) => text.trim() !== '').join('\n\n'),
    ...defined({ agentSessionId: begun, answer: last.trim() === '' ? undefined : last, trouble, usage }),
  };
}

/** What this run alone has used; `before` is what its conversation had used when it began. */
export function spentIn(
  { of, tokens, usd }: RunUsage,
  { before, model }: { readonly before: readonly Tokens[]; readonly model: string | undefined },
): Spent {
  const own = of === 'run' ? tokens : tokens.map((now, i) => less(now, before[i]));
  const named = own.map((one) => ({ ...defined({ model }), ...one }));
  return { tokens: named, ...defined({ toldUsd: usd }), untold: usd === undefined ? named : [] };
}

function less(now: ModelTokens, before: Tokens | undefined): ModelTokens {
  if (before === undefined) return now;
  const written = (now.cacheWriteTokens ?? 0) - (before.cacheWriteTokens ?? 0);
  return {
    ...defined({ model: now.model }),
    inputTokens: Math.max(0, now.inputTokens - before.inputTokens),
    outputTokens: Math.max(0, now.outputTokens - before.outputTokens),
    cacheTokens: Math.max(0, now.cacheTokens - before.cacheTokens),
    ...(written > 0 && { cacheWriteTokens: written }),
  };
}
