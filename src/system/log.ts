// What went wrong, for people: to stderr and to a file that stays small.
import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Clock, isoTime } from '../model/clock.ts';

const levels = ['error', 'warn', 'info', 'debug'] as const;
type Level = (typeof levels)[number];

const maxBytes = 1_000_000;

export interface Log {
  readonly path: string;
  /** Writes one entry; never throws, and never holds prompts, screens or secrets. */
  write(level: Level, message: string, cause?: unknown): void;
}

export interface LogOptions {
  readonly path: string;
  /** The least weighty level that is written; asked for with each entry. */
  readonly level: () => Level;
  readonly clock: Clock;
  readonly stderr: (line: string) => void;
}

/** Opens a log; the file is made with the first entry. One older file is kept beside it. */
export const openLog = ({ path, level, clock, stderr }: LogOptions): Log => ({
  path,
  write(entryLevel, message, cause) {
    if (levels.indexOf(entryLevel) > levels.indexOf(level())) return;
    const text = `crewmux ${entryLevel}: ${message}`;
    stderr(`${text}\n`);
    appendEntry(path, `${isoTime(clock.now())} ${text}${detail(cause)}\n`);
  },
});

const detail = (cause: unknown) => {
  if (cause === undefined) return '';
  return `\n${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`;
};

function appendEntry(path: string, entry: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > maxBytes) renameSync(path, `${path}.1`);
    appendFileSync(path, entry, { mode: 0o600 });
  } catch {
    // A full or read-only disk must not take the server down; stderr has the entry.
  }
}
