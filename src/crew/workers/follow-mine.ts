// Does something for each live worker of ours, from when it is ours until it is not.
import type { WorkerRecord } from '../../model/worker.ts';
import type { CrewContext } from './roster.ts';

export interface Attendance {
  /** Resolves when all that was there to be done at the call is done. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** The workers of another living server are its own to attend to. */
export function followMine(
  context: CrewContext,
  attend: (context: CrewContext, record: WorkerRecord) => Attendance,
): Attendance {
  const open = new Map<string, Attendance>();
  const look = () => {
    for (const record of context.roster.records()) {
      const known = open.get(record.id);
      const isMine = record.phase === 'live' && context.roster.isMine(record);
      if (isMine && known === undefined) open.set(record.id, attend(context, record));
      if (isMine || known === undefined) continue;
      open.delete(record.id);
      // What came last may have come just before the end.
      void known.settled().then(() => known.close());
    }
  };
  const stop = context.log.onEvents((events) => {
    if (events.some(({ set }) => set?.phase !== undefined || set?.manager !== undefined)) look();
  });
  look();
  return {
    settled: () => Promise.all([...open.values()].map((one) => one.settled())).then(() => undefined),
    async close() {
      stop();
      await Promise.all([...open.values()].map((one) => one.close()));
    },
  };
}
