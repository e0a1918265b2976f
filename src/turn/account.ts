// When an account may work again after a usage limit, and when each of its workers goes on. Pure.

/** One sign that the allowance of an account is spent. */
export interface LimitSign {
  readonly at: number;
  /** Undefined where nobody can read it. */
  readonly resetsAt: number | undefined;
}

/** The newest worker of an account that was sent on after a limit. */
export interface SentOn {
  readonly at: number;
  /** Its turn has begun. */
  readonly isProved: boolean;
}

export interface AccountFacts {
  readonly sign: LimitSign | undefined;
  /** When the newest of its turns began that ran to a good end. */
  readonly workedAt: number | undefined;
  readonly sent: SentOn | undefined;
}

/** A worker for which something waits until it may be sent on. */
export interface Parked {
  readonly workerId: string;
  /** The limit that stopped its own turn. */
  readonly stop?: LimitSign & {
    /** Its agent goes on by itself. */
    readonly goesOn: boolean;
  };
}

const minuteMs = 60_000;
const unreadableMs = 5 * 3_600_000;
/** Clocks differ, and a server lifts its limit a moment late. */
const lateMs = 10_000;
/** Claude Code goes on by itself between one and two minutes after the reset. */
const ownWayMs = 180_000;
/** Between two workers, so that a crew does not use up a fresh allowance at once. */
const apartMs = 5_000;
/** How long the next waits for a turn of the one before that does not begin. */
const unprovedMs = 60_000;
const jitterMs = 4_000;

export const newerSign = (a: LimitSign | undefined, b: LimitSign | undefined): LimitSign | undefined =>
  a === undefined || (b !== undefined && b.at > a.at) ? b : a;

/** A reset before the sign is none. */
const endOf = ({ at, resetsAt = at + unreadableMs }: LimitSign): number | undefined =>
  resetsAt > at ? resetsAt : undefined;

/**
 * When the newest limit of the account is over, also where that is past; undefined where nothing is known to limit it.
 * A turn that began after the sign and ran to its end shows that the account works again.
 */
export function limitedUntil({ sign, workedAt = 0 }: Omit<AccountFacts, 'sent'>): number | undefined {
  return sign === undefined || workedAt > sign.at ? undefined : endOf(sign);
}

/** Whether a worker that is sent on now is one of those that go on one after the other. */
export const isInTurn = ({ sent, ...seen }: AccountFacts, now: number): boolean =>
  limitedUntil(seen) !== undefined || (sent !== undefined && now - sent.at < unprovedMs);

export interface LimitGate {
  /** When the limit of the account is over. */
  readonly until: number;
  /** When the worker may have its next turn. */
  readonly dueAt: number;
}

/** What keeps a worker from a new turn; also for a moment after another of its account was sent on. */
export function gateOf(one: Parked, account: AccountFacts, now: number): LimitGate | undefined {
  if (!isInTurn(account, now)) return undefined;
  const until = account.sign && endOf(account.sign);
  const due = dueAt(one, account);
  return until === undefined || due === undefined || due <= now ? undefined : { until, dueAt: due };
}

/** An agent that names the time in words rounds it to the minute; a counted time is exact to the second. */
const certainAfter = (resetsAt: number): number => resetsAt + lateMs + (resetsAt % minuteMs === 0 ? minuteMs : 0);

/** The same after each start of a server, and another for each worker: several servers may have one account. */
export const jitterOf = (workerId: string): number => (Number.parseInt(workerId, 16) || 0) % jitterMs;

/** When a worker may be sent on: after its own limit and the newest of its account, each apart from the one before. */
export function dueAt({ workerId, stop }: Parked, account: AccountFacts): number | undefined {
  const own = stop && endOf(stop);
  if (stop !== undefined && own === undefined) return undefined;
  const until = limitedUntil(account);
  const { sent } = account;
  const free = Math.max(
    own === undefined ? 0 : stop?.goesOn === true ? own + ownWayMs : certainAfter(own),
    until === undefined ? 0 : certainAfter(until),
    sent === undefined ? 0 : sent.at + (sent.isProved ? apartMs : unprovedMs),
  );
  return free + jitterOf(workerId);
}
