// What of the state folder has had its time. Pure: ages and counts in, paths out.

const dayMs = 24 * 60 * 60 * 1000;

/** How long what is kept, and how many of it in any case. */
export const retention = {
  launches: { newest: 3, ms: 7 * dayMs },
  closedWorker: { ms: 30 * dayMs },
  endedWork: { newest: 500, ms: 30 * dayMs },
} as const;

/** What a closed worker said and was told, and how it came there. */
export const wordsOfWorker = ['requests', 'mailbox.jsonl', 'outbox.jsonl', 'sends.jsonl'] as const;

export interface KeptLaunch {
  readonly number: number;
  /** When something in its folder was last written, epoch ms. */
  readonly at: number;
}

export interface KeptWorker {
  readonly id: string;
  /** When it was closed, or last wrote where no record is left of it; undefined for one that is not closed. */
  readonly closedAt: number | undefined;
  /** There is a record of it, so that it can be restarted. */
  readonly isKnown: boolean;
  readonly launches: readonly KeptLaunch[];
  /** Names in its folder. */
  readonly names: readonly string[];
}

/** One to remove. */
export interface Removable {
  readonly workerId: string;
  /** Below the folder of the worker; empty for the folder itself. */
  readonly path: string;
}

/** Nothing of a worker that is not closed. */
export const outlived = (workers: readonly KeptWorker[], now: number): readonly Removable[] =>
  workers.flatMap((worker) => {
    const { id, closedAt } = worker;
    if (closedAt === undefined) return [];
    const isOld = now - closedAt > retention.closedWorker.ms;
    if (!worker.isKnown) return isOld ? [{ workerId: id, path: '' }] : [];
    const words = isOld ? wordsOfWorker : [];
    const paths = [...oldLaunches(worker, now), ...words.filter((name) => worker.names.includes(name))];
    return paths.map((path) => ({ workerId: id, path }));
  });

const oldLaunches = ({ launches }: KeptWorker, now: number): readonly string[] =>
  launches
    .toSorted((a, b) => b.number - a.number)
    .slice(retention.launches.newest)
    .filter(({ at }) => now - at > retention.launches.ms)
    .map(({ number }) => `launches/${number}`);

interface Ending {
  readonly id: string;
  readonly endedAt?: number;
}

/** Those that have ended for good too long ago, and are not among the newest. */
export function endedLongAgo(ended: readonly Ending[], now: number): ReadonlySet<string> {
  const endOf = ({ endedAt = now }: Ending) => endedAt;
  const old = ended
    .toSorted((a, b) => endOf(b) - endOf(a))
    .slice(retention.endedWork.newest)
    .filter((one) => now - endOf(one) > retention.endedWork.ms);
  return new Set(old.map(({ id }) => id));
}
