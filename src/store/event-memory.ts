// What the events read so far add up to.
import { applyChange, type CrewEvent, type RecordChange } from '../model/event.ts';
import type { WorkerRecord } from '../model/worker.ts';
import type { LogLine, Snapshot } from './event-line.ts';

const recentEvents = 2_000;

/** Takes lines in the order of the log. A line it has already taken changes nothing. */
export class EventMemory {
  readonly #records = new Map<string, WorkerRecord>();
  #recent: CrewEvent[] = [];
  #lastSeq = 0;

  get records(): ReadonlyMap<string, WorkerRecord> {
    return this.#records;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** The newest events, oldest first; bounded. */
  get recent(): readonly CrewEvent[] {
    return this.#recent;
  }

  /** The event, if the line is one that was not yet taken. */
  take(line: LogLine): CrewEvent | undefined {
    if (line.is === 'event') return this.#takeEvent(line.event);
    if (line.is === 'change' && line.seq > this.#lastSeq) this.#change(line.seq, line.workerId, line.set);
    if (line.is === 'snapshot') this.takeSnapshot(line.snapshot, line.lost > 0);
    return undefined;
  }

  /** Records the snapshot does not have are forgotten, unless it is known to have lost some. */
  takeSnapshot(snapshot: Snapshot, hasLost = false): void {
    if (snapshot.seq < this.#lastSeq) return;
    this.#lastSeq = snapshot.seq;
    if (!hasLost) this.#records.clear();
    for (const record of snapshot.records) this.#records.set(record.id, record);
  }

  #takeEvent(event: CrewEvent): CrewEvent | undefined {
    if (event.seq <= this.#lastSeq) return undefined;
    this.#change(event.seq, event.workerId, event.set);
    this.#recent.push(event);
    // Twice the bound before a cut, so that a cut is rare.
    if (this.#recent.length >= 2 * recentEvents) this.#recent = this.#recent.slice(-recentEvents);
    return event;
  }

  #change(seq: number, workerId: string, set: RecordChange | undefined): void {
    this.#lastSeq = seq;
    const record = applyChange(this.#records.get(workerId), set);
    if (record !== undefined) this.#records.set(workerId, record);
  }
}

const endedForMs = 30 * 24 * 60 * 60 * 1000;
const endedAtMost = 500;

/** The records worth carrying on: all that have not ended, and the latest of those that have. */
export function recordsToKeep(records: Iterable<WorkerRecord>, now: number): WorkerRecord[] {
  const all = [...records];
  const ended = all
    .filter((record) => hasEnded(record) && now - endOf(record) <= endedForMs)
    .sort((a, b) => endOf(b) - endOf(a));
  const kept = new Set(ended.slice(0, endedAtMost));
  return all.filter((record) => !hasEnded(record) || kept.has(record));
}

const hasEnded = ({ phase }: WorkerRecord): boolean => phase === 'dead' || phase === 'closed';
const endOf = (record: WorkerRecord): number => record.endedAt ?? record.createdAt;
