// What one worker has used, day by day: over its launches, conversations and subagents, each line once. Pure.
import { defined } from '../model/defined.ts';
import { localDay } from '../model/time-zone.ts';
import type { Left, ModelTokens, Spent, StatusLineUsage, Tokens } from '../model/usage.ts';
import { withTokens } from './usage.ts';

export interface Ledger extends Left {
  readonly v: 1;
  /** By `localDay`. */
  readonly days: Readonly<Record<string, Spent>>;
  /** How far each transcript is counted, by its path. */
  readonly files: Readonly<Record<string, Counted>>;
  /** The agent's own figure of each conversation, as it stood last. */
  readonly told: Readonly<Record<string, number>>;
  /** When the newest of those figures was made; tokens of before are in it. */
  readonly toldAt: number;
}

export interface Counted {
  /** The byte after the last line. */
  readonly at: number;
  readonly model?: string;
  readonly last?: LedgerRow;
  /** It holds what somebody else had used before. */
  readonly hasPast?: boolean;
}

export interface LedgerRow extends Tokens {
  readonly at: number;
  readonly messageId: string;
  readonly total?: Tokens;
}

export const emptyLedger: Ledger = { v: 1, days: {}, files: {}, told: {}, toldAt: 0 };

/** What a line of a transcript says of usage. */
export interface UsageLine extends Left {
  readonly usage?: LedgerRow;
  readonly model?: string;
  /** Of the whole conversation. */
  readonly costUsd?: number;
}

interface Place {
  readonly file: string;
  readonly conversation: string;
  /** From when on the conversation is the worker's own. */
  readonly since: number;
}

/** Whether the line of a transcript changes anything. */
export const saysUsage = ({ usage, model, costUsd, contextLeft, limits }: UsageLine): boolean =>
  [usage, model, costUsd, contextLeft, limits].some((one) => one !== undefined);

export function withLine(ledger: Ledger, line: UsageLine, place: Place): Ledger {
  const { file, conversation, since } = place;
  const before = ledger.files[file] ?? { at: 0 };
  const { model = before.model, usage, costUsd, contextLeft, limits } = line;
  const isPast = usage !== undefined && usage.at < since;
  const counted: Counted = {
    ...before,
    ...defined({ model, last: isPast ? before.last : (usage ?? before.last) }),
    ...((isPast || before.hasPast === true) && { hasPast: true }),
  };
  const next: Ledger = { ...ledger, ...defined({ contextLeft, limits }), files: { ...ledger.files, [file]: counted } };
  if (usage !== undefined && !isPast) return withRow(next, { usage, model, before: before.last });
  if (costUsd === undefined) return next;
  // A figure of before the worker's time is where its own begins.
  if (counted.hasPast === true && counted.last === undefined)
    return { ...next, told: { ...next.told, [conversation]: costUsd } };
  return withTold(next, { agentSessionId: conversation, costUsd, at: counted.last?.at ?? since });
}

function withRow(
  ledger: Ledger,
  {
    usage,
    model,
    before,
  }: { readonly usage: LedgerRow; readonly model: string | undefined; readonly before: LedgerRow | undefined },
): Ledger {
  const { added, replaced } = changeOf(usage, before);
  const day = localDay(usage.at);
  const spent = ledger.days[day] ?? { tokens: [], untold: [] };
  const change = { added: { ...tokensIn(added), ...defined({ model }) }, replaced };
  const untold = usage.at > ledger.toldAt ? withTokens(spent.untold, change) : spent.untold;
  return { ...ledger, days: { ...ledger.days, [day]: { ...spent, tokens: withTokens(spent.tokens, change), untold } } };
}

/** A message may be told again, with more; a sum of all messages so far tells also what no line has told. */
function changeOf(
  now: LedgerRow,
  before: LedgerRow | undefined,
): { readonly added: Tokens; readonly replaced?: Tokens } {
  if (before === undefined) return { added: now };
  if (now.total !== undefined && before.total !== undefined && isGrown(now.total, before.total))
    return { added: now.total, replaced: before.total };
  return now.messageId === before.messageId ? { added: now, replaced: before } : { added: now };
}

const isGrown = (now: Tokens, before: Tokens): boolean =>
  now.outputTokens >= before.outputTokens &&
  now.inputTokens + now.cacheTokens >= before.inputTokens + before.cacheTokens;

const tokensIn = ({ inputTokens, outputTokens, cacheTokens, cacheWriteTokens }: Tokens): Tokens => ({
  ...{ inputTokens, outputTokens, cacheTokens },
  ...defined({ cacheWriteTokens }),
});

/** A figure counts by what it has grown: one that has shrunk has begun anew. */
export function withTold(ledger: Ledger, told: StatusLineUsage & { readonly at: number }): Ledger {
  const { agentSessionId, costUsd, contextLeft, limits, at } = told;
  const next = { ...ledger, ...defined({ contextLeft, limits }) };
  if (costUsd === undefined) return next;
  const day = localDay(at);
  const grown = Math.max(0, costUsd - (ledger.told[agentSessionId] ?? 0));
  const days = { ...ledger.days };
  // What was used at once after a figure is not in it.
  if (at >= ledger.toldAt)
    for (const [name, spent] of Object.entries(days))
      if (spent.untold.length > 0 || name === day) days[name] = { ...spent, toldUsd: spent.toldUsd ?? 0, untold: [] };
  const spent = days[day] ?? { tokens: [], untold: [] };
  if (grown > 0) days[day] = { ...spent, toldUsd: (spent.toldUsd ?? 0) + grown };
  return {
    ...next,
    days,
    told: { ...ledger.told, [agentSessionId]: costUsd },
    toldAt: Math.max(ledger.toldAt, at),
  };
}

/** Of one day, or of all of them. */
export function spentOf({ days, contextLeft, limits }: Ledger, day?: string): Spent & Left {
  if (day !== undefined) return days[day] ?? { tokens: [], untold: [] };
  const all = Object.values(days);
  const told = all.flatMap(({ toldUsd }) => toldUsd ?? []);
  return {
    tokens: joinedTokens(all.flatMap(({ tokens }) => tokens)),
    untold: joinedTokens(all.flatMap(({ untold }) => untold)),
    ...defined({
      toldUsd: told.length === 0 ? undefined : told.reduce((sum, one) => sum + one, 0),
      contextLeft,
      limits,
    }),
  };
}

/** By model. */
export const joinedTokens = (rows: readonly ModelTokens[]): readonly ModelTokens[] =>
  rows.reduce<readonly ModelTokens[]>((all, added) => withTokens(all, { added, replaced: undefined }), []);
