// The log a person reads when something went wrong: one JSON object a line, bounded, never in the way.
import { appendFileSync, renameSync, statSync } from 'node:fs';
import { type Clock, isoTime } from '../model/clock.ts';

export const logLevels = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Small facts; never prompts, screens or secrets. */
export type LogFacts = Readonly<Record<string, string | number | boolean | undefined>>;
export type Log = { readonly [L in LogLevel]: (message: string, facts?: LogFacts) => void };

export interface LogOptions {
  readonly path: string;
  readonly level: LogLevel;
  readonly clock: Clock;
  readonly pid: number;
  /** Above it the file becomes `<path>.1`, and the one of before is gone. */
  readonly maxBytes?: number;
}

const longestText = 1_000;

/** A log that never throws: what cannot be written is lost. Lines are in the file when the call returns. */
export function openLog(options: LogOptions): Log {
  const { path, clock, pid, maxBytes = 1_000_000 } = options;
  const write = (level: LogLevel, message: string, facts: LogFacts = {}) => {
    if (logLevels.indexOf(level) > logLevels.indexOf(options.level)) return;
    const line = { v: 1, at: isoTime(clock.now()), level, pid, message: shorten(message), facts: shortenAll(facts) };
    try {
      if (sizeOf(path) > maxBytes) renameSync(path, `${path}.1`);
      appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    } catch {
      // Nobody is left to tell.
    }
  };
  return {
    error: (message, facts) => write('error', message, facts),
    warn: (message, facts) => write('warn', message, facts),
    info: (message, facts) => write('info', message, facts),
    debug: (message, facts) => write('debug', message, facts),
  };
}

/** The level of that name, in any case; undefined for a word that is none. */
export const logLevelOf = (word: string): LogLevel | undefined =>
  logLevels.find((level) => level === word.trim().toLowerCase());

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

const shorten = (text: string): string => (text.length > longestText ? `${text.slice(0, longestText)}…` : text);

const shortenAll = (facts: LogFacts): LogFacts =>
  Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [name, typeof value === 'string' ? shorten(value) : value]),
  );
