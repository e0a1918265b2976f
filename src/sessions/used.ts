// What sessions have used, by the lines of their transcripts. Pure.
import type { AgentSessions, SessionFile } from '../agents/agent-sessions.ts';
import { defined } from '../model/defined.ts';
import type { Left, Spent } from '../model/usage.ts';
import { joinedTokens, type Ledger, saysUsage, spentOf, withLine } from '../usage/ledger.ts';

/** A transcript, and the agent that writes it. */
export interface UsageTrace {
  readonly agent: Pick<AgentSessions, 'usageIn'>;
  readonly file: SessionFile & { readonly path: string; readonly size: number; readonly modifiedAt: number };
}

/** Lines follow those that are counted. */
export function addUsage(before: Ledger, lines: readonly string[], { agent, file }: UsageTrace): Ledger {
  const place = { file: file.path, conversation: file.agentSessionId, since: 0 };
  let ledger = before;
  for (const line of lines) {
    const news = agent.usageIn(line, file);
    if (saysUsage(news)) ledger = withLine(ledger, news, place);
  }
  return ledger;
}

/** Of a session with its subagents. The agent's own figure holds theirs up to then, so what came later leaves an estimate. */
export function spentTogether(own: Ledger, subagents: readonly Ledger[]): Spent & Left {
  const { toldUsd, untold, contextLeft, limits } = spentOf(own);
  const tokens = joinedTokens([own, ...subagents].flatMap((one) => spentOf(one).tokens));
  const isTold = toldUsd !== undefined && subagents.every((one) => lastAt(one) <= own.toldAt);
  return { tokens, ...(isTold ? { toldUsd, untold } : { untold: tokens }), ...defined({ contextLeft, limits }) };
}

const lastAt = ({ files }: Ledger): number => Math.max(0, ...Object.values(files).map(({ last }) => last?.at ?? 0));

/** By the time of each answer. The agent's own figure is of a whole conversation, so it tells nothing of a day. */
export function spentOn(day: string, ledgers: readonly Ledger[]): Spent {
  const tokens = joinedTokens(ledgers.flatMap((one) => spentOf(one, day).tokens));
  return { tokens, untold: tokens };
}
