// Reads the event log without a lock and changes nothing: for a process that is no server.
import type { CrewEvent } from '../model/event.ts';
import type { WorkerRecord } from '../model/worker.ts';
import { eventFilesIn, loadLines } from './event-file.ts';
import { EventMemory } from './event-memory.ts';

export interface LogReading {
  readonly records: ReadonlyMap<string, WorkerRecord>;
  /** The newest events, oldest first. */
  readonly recent: readonly CrewEvent[];
}

/** Empty when there is no log. Throws `state_unreadable` for a newer version's. */
export async function readLog(home: string): Promise<LogReading> {
  const memory = new EventMemory();
  for (const line of (await loadLines(eventFilesIn(home))).lines) memory.take(line);
  return { records: memory.records, recent: memory.recent };
}
