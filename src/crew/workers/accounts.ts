// The accounts that agents work on: whose allowance is spent, and until when that keeps a worker from a new turn.
import type { Agent } from '../../agents/agent.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { digestOf } from '../../system/digest.ts';
import { type AccountFacts, gateOf, type LimitGate, type LimitSign, type Parked } from '../../turn/account.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';
import type { CrewContext } from './crew-context.ts';

const keyChars = 16;

/** Recognises an account. Nobody reads a key or token out of it. */
export const accountKey = ({ type, accountIn }: Agent, env: Readonly<Record<string, string>>): string =>
  `${type} ${digestOf(accountIn?.(env) ?? '').slice(0, keyChars)}`;

/** A launch of an earlier version does not name it. */
export const accountOf = ({ agentType, launch }: Pick<WorkerRecord, 'agentType' | 'launch'>): string =>
  launch.account ?? `${agentType} ${launch.stateDir ?? ''}`;

/** The limit that ended its newest turn, where that is one of its account. */
function signOf(turn: TurnState): LimitSign | undefined {
  const { end } = turn.facts.witness;
  return end?.how === 'limit' && end.ofAccount === true ? { at: end.at, resetsAt: end.resetsAt } : undefined;
}

/** What all living workers of the account show, and what those of before have shown. */
export function accountFacts({ roster, clock }: CrewContext, account: string): AccountFacts {
  const now = clock.now();
  for (const record of roster.records()) {
    const following = record.phase === 'live' ? roster.following(record.id) : undefined;
    if (following === undefined || accountOf(record) !== account) continue;
    const { turn } = following.state;
    const workedAt = turn?.endedBy === 'completed' ? turn.startedAt : undefined;
    roster.accounts.note(account, { sign: signOf(following.state), workedAt });
    const spent = (following.spending.ledger.limits ?? []).filter(({ used, resetsAt }) => used >= 1 && resetsAt > now);
    const resetsAt = Math.max(...spent.map((one) => one.resetsAt));
    if (spent.length > 0) roster.accounts.noteFigure(account, { at: now, resetsAt });
  }
  return { ...roster.accounts.note(account, {}), sent: roster.accounts.sentOn(account) };
}

/** What keeps a worker of the account from a turn; undefined where nothing does. */
export function accountLimit(
  context: CrewContext,
  account: string,
  parked: Parked = { workerId: '' },
): LimitGate | undefined {
  return gateOf(parked, accountFacts(context, account), context.clock.now());
}

/** What keeps a worker that is not at work from a new turn; undefined where no limit of its account does. */
export function limitGate(context: CrewContext, record: WorkerRecord): LimitGate | undefined {
  const turn = context.roster.turn(record.id);
  if (turn === undefined || turn.is === 'working' || turn.is === 'gone') return undefined;
  return accountLimit(context, accountOf(record), stopped(record.id, turn));
}

function stopped(workerId: string, turn: TurnState): Parked {
  const sign = signOf(turn);
  return sign === undefined ? { workerId } : { workerId, stop: { ...sign, goesOn: turn.limit?.goesOn === true } };
}
