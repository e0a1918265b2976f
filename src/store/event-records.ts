// The records as they stand on disk, for whoever only looks.
import type { WorkerRecord } from '../model/worker.ts';
import { eventFilesIn, loadLines } from './event-file.ts';
import { EventMemory } from './event-memory.ts';

/** Takes no lock and changes nothing; none when there is no log. Throws `state_unreadable` for a newer version's. */
export async function readRecords(home: string): Promise<readonly WorkerRecord[]> {
  const memory = new EventMemory();
  for (const line of (await loadLines(eventFilesIn(home))).lines) memory.take(line);
  return [...memory.records.values()];
}
