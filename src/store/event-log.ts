// The crew's memory: numbered events of all processes of one home, and the records they add up to.
import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { followFile, type Tail } from '../jsonl/tail.ts';
import type { Clock, Disposer } from '../model/clock.ts';
import { CrewError, messageOf } from '../model/errors.ts';
import type { CrewEvent, EventDraft } from '../model/event.ts';
import type { WorkerRecord } from '../model/worker.ts';
import type { OnTrouble } from '../system/atomic.ts';
import { unlessMissing } from '../system/disk.ts';
import { withLock } from '../system/lock.ts';
import { batched } from '../system/pace.ts';
import { isSameProcess, type ProcessRef } from '../system/process.ts';
import {
  appendLines,
  beginAnew,
  decodeLines,
  type EventFiles,
  eventFilesIn,
  eventsOf,
  loadLines,
  newerVersion,
  rotate,
  storedEvents,
  storedSince,
} from './event-file.ts';
import { decodeLine, encodeEvent, encodeSnapshot, type LogLine, type Snapshot } from './event-line.ts';
import { EventMemory, recordsToKeep } from './event-memory.ts';

export interface EventLogOptions {
  /** A folder that exists. */
  readonly home: string;
  /** This process. */
  readonly me: ProcessRef;
  /** Events a file may hold beside its snapshot; two files are kept. */
  readonly maxBytes: number;
  /** A file that began longer ago is rotated with the next event. */
  readonly keepMs: number;
  readonly clock: Clock;
  /** Told of lines that cannot be read, files set aside and listeners that throw. */
  readonly onTrouble: OnTrouble;
}

export type OnEvents = (events: readonly CrewEvent[]) => void;

export interface EventLog {
  /** Numbers the events and writes them; they are on disk when it resolves, and happened nowhere if it rejects. */
  append(drafts: readonly EventDraft[]): Promise<readonly CrewEvent[]>;
  /** As `append`, without events of workers that another process manages by then. */
  appendOwn(drafts: readonly EventDraft[]): Promise<readonly CrewEvent[]>;
  /** As of the last event known here; changes as events come. */
  records(): ReadonlyMap<string, WorkerRecord>;
  readonly lastSeq: number;
  /** Events numbered above `seq`, oldest first; those of a rotated file as long as it is kept. */
  since(seq: number, limit?: number): Promise<readonly CrewEvent[]>;
  /** Events from a time on, in epoch ms, oldest first. */
  sinceTime(at: number): Promise<readonly CrewEvent[]>;
  /** Resolves when all that other processes had appended at the call is known here. */
  catchUp(): Promise<void>;
  /** Tells every event from now on, whichever process appended it, once and in order. */
  onEvents(listen: OnEvents): Disposer;
  /** Finishes what is being appended, then lets go of the files. Later appends reject. */
  close(): Promise<void>;
}

/** Reads the log, or begins one. Throws what the disk does, and `state_unreadable` for a newer version's log. */
export async function openEventLog(options: EventLogOptions): Promise<EventLog> {
  const log = new FileEventLog(options);
  await log.open();
  return log;
}

const lockTimeoutMs = 10_000;

interface Entry {
  readonly draft: EventDraft;
  readonly onlyOwn: boolean;
}

class FileEventLog implements EventLog {
  readonly #options: EventLogOptions;
  readonly #files: EventFiles;
  readonly #memory = new EventMemory();
  readonly #listeners = new Set<OnEvents>();
  readonly #appends = batched((entries: readonly Entry[]) => this.#locked(() => this.#write(entries)));
  #tail: Tail | undefined;
  // The snapshot the current file begins with.
  #head = { bytes: 0, seq: 0, at: 0 };
  #isNewer = false;
  #isClosed = false;

  constructor(options: EventLogOptions) {
    this.#options = options;
    this.#files = eventFilesIn(options.home);
  }

  async open(): Promise<void> {
    await this.#locked(async () => {
      const { lines, isWhole } = await loadLines(this.#files);
      for (const line of lines) this.#take(line);
      if (!isWhole) await this.#begin((snapshot) => beginAnew(this.#files, snapshot, this.#options.onTrouble));
      this.#tail = followFile(this.#files.current, {
        clock: this.#options.clock,
        from: 'end',
        onLines: (more) => this.#tell(more.flatMap((line) => this.#take(decodeLine(line)))),
        onTrouble: (error) => this.#options.onTrouble(messageOf(error)),
      });
      await this.#tail.drain();
    });
  }

  append(drafts: readonly EventDraft[]): Promise<readonly CrewEvent[]> {
    return this.#add(drafts, false);
  }

  appendOwn(drafts: readonly EventDraft[]): Promise<readonly CrewEvent[]> {
    return this.#add(drafts, true);
  }

  async #add(drafts: readonly EventDraft[], onlyOwn: boolean): Promise<readonly CrewEvent[]> {
    const entries = drafts.map((draft) => ({ draft: asOthersRead(draft), onlyOwn }));
    if (this.#isClosed) throw new CrewError('internal', 'The event log is closed.', 'The server is ending.');
    return (await this.#appends.add(entries)).filter((event) => event !== undefined);
  }

  records(): ReadonlyMap<string, WorkerRecord> {
    return this.#memory.records;
  }

  get lastSeq(): number {
    return this.#memory.lastSeq;
  }

  async since(seq: number, limit?: number): Promise<readonly CrewEvent[]> {
    const { recent, lastSeq } = this.#memory;
    const [oldest] = recent;
    const isRecent = seq >= lastSeq || (oldest !== undefined && oldest.seq <= seq + 1);
    return (isRecent ? recent : await storedEvents(this.#files, recent))
      .filter((event) => event.seq > seq)
      .slice(0, limit);
  }

  sinceTime(at: number): Promise<readonly CrewEvent[]> {
    return storedSince(this.#files, this.#memory.recent, at);
  }

  async catchUp(): Promise<void> {
    await this.#tail?.drain();
  }

  onEvents(listen: OnEvents): Disposer {
    // A function of its own, so that one listener given twice is two.
    const mine: OnEvents = (events) => listen(events);
    this.#listeners.add(mine);
    return () => {
      this.#listeners.delete(mine);
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#appends.settled();
    await this.#tail?.close();
  }

  /** An event for each entry that is to be written. */
  async #write(entries: readonly Entry[]): Promise<readonly (CrewEvent | undefined)[]> {
    await this.#tail?.drain();
    if (this.#isNewer) throw newerVersion(this.#files.current);
    const at = this.#options.clock.now();
    const meant = entries.filter(({ draft, onlyOwn }) => !onlyOwn || this.#isOwn(draft));
    const events = meant.map(({ draft }, i) => ({ seq: this.lastSeq + 1 + i, at, ...draft }));
    const lines = events.map(encodeEvent);
    await this.#makeRoom(lines.reduce((bytes, line) => bytes + Buffer.byteLength(line) + 1, 0));
    await appendLines(this.#files.current, lines);
    this.#tell(events.flatMap((event) => this.#take({ is: 'event', event })));
    return entries.map((entry) => events[meant.indexOf(entry)]);
  }

  #isOwn({ workerId }: EventDraft): boolean {
    const manager = this.records().get(workerId)?.manager;
    return manager !== undefined && isSameProcess(manager, this.#options.me);
  }

  async #makeRoom(bytes: number): Promise<void> {
    const { maxBytes, keepMs, clock, onTrouble } = this.#options;
    const size = (await unlessMissing(stat(this.#files.current)))?.size ?? 0;
    const isFull = size - this.#head.bytes + bytes > maxBytes;
    const isOld = clock.now() - this.#head.at > keepMs;
    if (size === 0) await this.#begin((snapshot) => beginAnew(this.#files, snapshot, onTrouble));
    else if (this.lastSeq > this.#head.seq && (isFull || isOld)) {
      await this.#begin((snapshot) => rotate(this.#files, snapshot));
    }
  }

  async #begin(write: (snapshot: Snapshot) => Promise<void>): Promise<void> {
    const at = this.#options.clock.now();
    const snapshot = { seq: this.lastSeq, at, records: recordsToKeep(this.records().values(), at) };
    await write(snapshot);
    this.#take({ is: 'snapshot', snapshot, lost: 0 });
  }

  /** The events that are new by this line: its own, and before a snapshot those it shows were missed. */
  #take(line: LogLine): CrewEvent[] {
    if (line.is === 'torn') this.#options.onTrouble(`A line of ${this.#files.current} cannot be read; it is left out`);
    if (line.is === 'newer') this.#isNewer = true;
    const missed = line.is === 'snapshot' ? this.#missedBefore(line.snapshot) : [];
    const event = this.#memory.take(line);
    return event ? [...missed, event] : missed;
  }

  #missedBefore(snapshot: Snapshot): CrewEvent[] {
    const { seq, at } = snapshot;
    this.#head = { seq, at, bytes: Buffer.byteLength(encodeSnapshot(snapshot)) + 1 };
    // While opening, what was before the snapshot is nobody's loss.
    if (this.#tail === undefined || seq <= this.lastSeq) return [];
    const missed = this.#readPrevious().filter((event) => event.seq <= seq);
    const gap = (missed.find((event) => event.seq > this.lastSeq)?.seq ?? seq + 1) - this.lastSeq - 1;
    if (gap > 0) this.#options.onTrouble(`${gap} events were rotated away before they were seen here`);
    return missed.flatMap((event) => this.#memory.take({ is: 'event', event }) ?? []);
  }

  #readPrevious(): CrewEvent[] {
    try {
      return eventsOf(decodeLines(readFileSync(this.#files.previous, 'utf8'), this.#files.previous));
    } catch (error) {
      this.#options.onTrouble(messageOf(error));
      return [];
    }
  }

  #tell(events: readonly CrewEvent[]): void {
    if (events.length === 0) return;
    for (const listen of this.#listeners) {
      try {
        listen(events);
      } catch (error) {
        this.#options.onTrouble(`A listener to events failed: ${messageOf(error)}`);
      }
    }
  }

  #locked<T>(act: () => Promise<T>): Promise<T> {
    const { home, me } = this.#options;
    return withLock(join(home, 'events.lock'), act, { me, timeoutMs: lockTimeoutMs });
  }
}

/** The draft as other processes will have it; throws for one that they could not read. */
function asOthersRead(draft: EventDraft): EventDraft {
  const line = encodeEvent({ seq: 0, at: 0, ...draft });
  const read = decodeLine(line);
  if (read.is === 'event' && 'set' in read.event === (draft.set !== undefined)) {
    const { seq: _seq, at: _at, ...readable } = read.event;
    return readable;
  }
  throw new CrewError(
    'internal',
    `A bug in crewmux: this event could not be read back: ${line.slice(0, 300)}`,
    'Please report it.',
  );
}
