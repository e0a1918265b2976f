// Reads the event log without a lock and changes nothing: for a process that is no server.
import { type FollowOptions, followFile } from '../jsonl/tail.ts';
import { defined } from '../model/defined.ts';
import { CrewError } from '../model/errors.ts';
import type { CrewEvent } from '../model/event.ts';
import type { WorkerRecord } from '../model/worker.ts';
import { eventFilesIn, loadLines, storedSince } from './event-file.ts';
import { decodeLine } from './event-line.ts';
import type { EventLog } from './event-log.ts';
import { EventMemory } from './event-memory.ts';

export interface LogReading {
  readonly records: ReadonlyMap<string, WorkerRecord>;
  /** The newest events, oldest first. */
  readonly recent: readonly CrewEvent[];
}

/** Empty when there is no log. Throws `state_unreadable` for a newer version's. */
export async function readLog(home: string): Promise<LogReading> {
  const { records, recent } = await loadMemory(home);
  return { records, recent };
}

async function loadMemory(home: string): Promise<EventMemory> {
  const memory = new EventMemory();
  for (const line of (await loadLines(eventFilesIn(home))).lines) memory.take(line);
  return memory;
}

async function refuseWriting(): Promise<never> {
  throw new CrewError('internal', 'A bug in crewmux: whoever only looks wrote to the log.', 'Please report it.');
}

type LookOptions = Pick<FollowOptions, 'clock' | 'onTrouble'>;

/** The log as it stands now; nothing can be appended, and it goes on only while somebody listens. */
export async function lookAtLog(home: string, { clock, onTrouble }: LookOptions): Promise<EventLog> {
  const memory = await loadMemory(home);
  return {
    append: refuseWriting,
    appendOwn: refuseWriting,
    records: () => memory.records,
    get lastSeq() {
      return memory.recent.at(-1)?.seq ?? 0;
    },
    since: async (seq, limit) => memory.recent.filter((event) => event.seq > seq).slice(0, limit),
    sinceTime: (at) => storedSince(eventFilesIn(home), memory.recent, at),
    catchUp: async () => undefined,
    onEvents(listen) {
      const tail = followFile(eventFilesIn(home).current, {
        clock,
        ...defined({ onTrouble }),
        // Lines that it has already taken change nothing.
        onLines: (lines) => listen(lines.flatMap((line) => memory.take(decodeLine(line)) ?? [])),
      });
      return () => void tail.close();
    },
    close: async () => undefined,
  };
}
