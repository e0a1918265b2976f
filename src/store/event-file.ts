// The event log on disk: the file in use, the one before it, and what is done to them under the lock.
import { type FileHandle, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../jsonl/append.ts';
import { CrewError, messageOf } from '../model/errors.ts';
import type { CrewEvent } from '../model/event.ts';
import { type OnTrouble, readText, setAside, writeAtomic } from '../system/atomic.ts';
import { decodeLine, decodeOld, encodeSnapshot, type LogLine, type Snapshot } from './event-line.ts';

export interface EventFiles {
  readonly current: string;
  readonly previous: string;
}

export const eventFilesIn = (home: string): EventFiles => ({
  current: join(home, 'events.jsonl'),
  previous: join(home, 'events.1.jsonl'),
});

/** The whole lines of a file; none when it is missing. Throws `state_unreadable` for a newer version's. */
export const linesOf = async (path: string): Promise<LogLine[]> => decodeLines((await readText(path)) ?? '', path);

/** As `linesOf`, from text already read. */
export const decodeLines = (text: string, path: string): LogLine[] => ofThisVersion(split(text).map(decodeLine), path);

const split = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');

function ofThisVersion(lines: LogLine[], path: string): LogLine[] {
  if (lines.some((line) => line.is === 'newer')) throw newerVersion(path);
  return lines;
}

export const newerVersion = (path: string): CrewError =>
  new CrewError(
    'state_unreadable',
    `${path} was written by a newer crewmux.`,
    'Update crewmux, or set CREWMUX_HOME to another folder.',
  );

// What an opened log has in memory from the start; older events are read again when they are asked for.
const recentAtOpen = 500;

/** The lines that add up to the present, and whether the current file alone holds them. */
export async function loadLines(files: EventFiles): Promise<{ lines: readonly LogLine[]; isWhole: boolean }> {
  const current = await addingUp(files.current);
  const [first] = current;
  const isWhole = first?.is === 'snapshot' && first.lost === 0;
  return { lines: isWhole ? current : [...(await addingUp(files.previous)), ...current], isWhole };
}

async function addingUp(path: string): Promise<LogLine[]> {
  const all = split((await readText(path)) ?? '');
  const old = all.splice(0, Math.max(0, all.length - recentAtOpen)).flatMap((line) => decodeOld(line) ?? []);
  return ofThisVersion([...old, ...all.map(decodeLine)], path);
}

export const eventsOf = (lines: readonly LogLine[]): CrewEvent[] =>
  lines.flatMap((line) => (line.is === 'event' ? [line.event] : []));

/** All events that the files hold, and those known besides, oldest first. */
export async function storedEvents(files: EventFiles, known: readonly CrewEvent[]): Promise<readonly CrewEvent[]> {
  // The current file first: if it is rotated meanwhile, its events are met again in the previous one.
  const current = eventsOf(await linesOf(files.current));
  const previous = eventsOf(await linesOf(files.previous));
  const all = [...previous, ...current, ...known];
  return [...new Map(all.map((event) => [event.seq, event])).values()].sort((a, b) => a.seq - b.seq);
}

/** Those from a time on, in epoch ms, oldest first; the files are read where the recent ones may not go back so far. */
export async function storedSince(
  files: EventFiles,
  recent: readonly CrewEvent[],
  at: number,
): Promise<readonly CrewEvent[]> {
  const [oldest] = recent;
  const isRecent = oldest !== undefined && oldest.at < at;
  return (isRecent ? recent : await storedEvents(files, recent)).filter((event) => event.at >= at);
}

/** Begins the current file, and sets aside the one that is there. */
export async function beginAnew(files: EventFiles, snapshot: Snapshot, onTrouble: OnTrouble): Promise<void> {
  if (await readText(files.current)) {
    onTrouble(`${files.current} has no readable beginning; it was set aside as ${await setAside(files.current)}`);
  }
  await writeAtomic(files.current, `${encodeSnapshot(snapshot)}\n`);
}

/** Makes the current file the previous one, whose events are then gone, and begins a new one. */
export async function rotate(files: EventFiles, snapshot: Snapshot): Promise<void> {
  const draft = `${files.current}.new`;
  await writeAtomic(draft, `${encodeSnapshot(snapshot)}\n`);
  await rename(files.current, files.previous);
  await rename(draft, files.current);
}

/** Adds lines at the end in one write, on disk when done; on failure the file is as long as before. */
export async function appendLines(path: string, lines: readonly string[]): Promise<void> {
  const handle = await open(path, 'a+', 0o600);
  try {
    const { size } = await handle.stat();
    const text = `${(await endsTorn(handle, size)) ? '\n' : ''}${lines.join('\n')}\n`;
    await writeOrUndo(handle, { size, bytes: Buffer.from(text) });
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

// Someone was killed in the middle of a write; with the lock held, nobody is in the middle of one now.
async function endsTorn(handle: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return false;
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] !== 0x0a;
}

async function writeOrUndo(handle: FileHandle, { size, bytes }: { size: number; bytes: Buffer }): Promise<void> {
  try {
    await writeWhole(handle, bytes);
  } catch (error) {
    await handle.truncate(size);
    throw new Error(`The event log could not be written: ${messageOf(error)}`, { cause: error });
  }
}
