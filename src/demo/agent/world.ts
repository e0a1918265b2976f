// What the scripted agent is given of the machine.
import type { ReadStream, WriteStream } from 'node:tty';

export interface World {
  /** Everything after the program's own words. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: ReadStream;
  readonly stdout: WriteStream;
  readonly cwd: string;
  readonly pid: number;
  onSignal(name: 'SIGTERM' | 'SIGHUP' | 'SIGINT', act: () => void): void;
}

/** How long the real program takes for things; all nought for benches. */
export interface Pace {
  readonly flushMs: number;
  readonly tickMs: number;
  /** From the idle after a turn to the queue being taken up, and from there to the next turn. */
  readonly beforeTakingMs: number;
  readonly betweenTurnsMs: number;
}

export const paceOf = (env: World['env']): Pace =>
  env.CREWMUX_SCRIPTED_PACE === '0'
    ? { flushMs: 0, tickMs: 250, beforeTakingMs: 0, betweenTurnsMs: 0 }
    : { flushMs: 100, tickMs: 250, beforeTakingMs: 4, betweenTurnsMs: 20 };

/** The variables that are set, as a child process wants them. */
export const definedOf = (env: World['env']): Record<string, string> =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
