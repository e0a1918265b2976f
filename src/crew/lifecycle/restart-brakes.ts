// When the next of several workers may be started again, and what keeps the rest from it. Pure.
import { counted } from '../../model/plural.ts';

/** What became of one start, by the agent's own sign. */
export type Birth =
  | 'born'
  /** Its agent ended at once. */
  | 'dead'
  /** Its agent has given no sign within its time. */
  | 'silent'
  /** Its agent runs, and nobody is logged in. */
  | 'logged_out'
  /** No agent was started. */
  | 'refused';

export interface Brakes {
  readonly deadInRow: number;
  readonly lastAt: number | undefined;
  /** Why nobody else is tried. */
  readonly stopped: string | undefined;
  /** Accounts on which nobody is logged in, with the worker that showed it. */
  readonly loggedOut: ReadonlyMap<string, string>;
}

export const noBrakes: Brakes = { deadInRow: 0, lastAt: undefined, stopped: undefined, loggedOut: new Map() };

const mostDeadInRow = 2;
const apartMs = 300;
const jitterMs = 200;

interface Tried {
  readonly name: string;
  readonly account: string;
  readonly at: number;
}

export function brakesAfter(brakes: Brakes, birth: Birth, { name, account, at }: Tried): Brakes {
  if (birth === 'refused') return brakes;
  const deadInRow = birth === 'dead' ? brakes.deadInRow + 1 : 0;
  const loggedOut = birth === 'logged_out' ? new Map([...brakes.loggedOut, [account, name]]) : brakes.loggedOut;
  return { deadInRow, lastAt: at, loggedOut, stopped: brakes.stopped ?? stoppedBy(birth, deadInRow, name) };
}

function stoppedBy(birth: Birth, deadInRow: number, name: string): string | undefined {
  if (birth === 'silent') return `${name} has given no sign of life yet`;
  return deadInRow >= mostDeadInRow ? `${counted(deadInRow, 'agent')} ended at once, one after the other` : undefined;
}

/** Why a worker on this account is not tried; undefined where nothing keeps it. */
export function whyNotTried({ stopped, loggedOut }: Brakes, account: string): string | undefined {
  const shownBy = loggedOut.get(account);
  return stopped ?? (shownBy && `nobody is logged in on its account, as ${shownBy} shows`);
}

/** `random` is from 0 to 1. */
export const pauseBefore = ({ lastAt }: Brakes, now: number, random: number): number =>
  lastAt === undefined ? 0 : Math.max(0, lastAt + apartMs + random * jitterMs - now);
