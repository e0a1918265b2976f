// A log that knows some workers.
import type { WorkerRecord } from '../../src/model/worker.ts';
import { openEventLog } from '../../src/store/event-log.ts';
import { systemClock } from '../../src/system/clock.ts';

export async function eventLogWith(home: string, records: readonly WorkerRecord[]): Promise<void> {
  const log = await openEventLog({
    home,
    me: { pid: process.pid, processStart: '1' },
    maxBytes: Number.MAX_SAFE_INTEGER,
    keepMs: Number.MAX_SAFE_INTEGER,
    clock: systemClock,
    onTrouble: (message) => {
      throw new Error(message);
    },
  });
  await log.append(records.map((set) => ({ type: 'worker_started', workerId: set.id, data: {}, set })));
  await log.close();
}
