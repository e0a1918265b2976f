// Time as a value; `system/clock.ts` is the machine's own clock.

/** Undoes what handed it out; calling it again does nothing. */
export type Disposer = () => void;

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls back once after `delayMs`; never keeps the process alive by itself. */
  after(delayMs: number, call: () => void): Disposer;
}

/** Epoch milliseconds as the wire writes them: ISO 8601, UTC. */
export const isoTime = (at: number): string => new Date(at).toISOString();

/** Epoch milliseconds as a clock on the wall here shows them. */
export const wallTime = (at: number): string => new Date(at).toTimeString().slice(0, 8);
