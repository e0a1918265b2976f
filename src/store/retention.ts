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

/** The same, in each of its launches. */
const wordsOfLaunch: readonly string[] = ['signals.jsonl', 'signals.1.jsonl', 'last-word.json'];

export interface KeptLaunch {
  readonly number: number;
  /** Names in its folder. */
  readonly names: readonly string[];
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
    const launches = oldLaunches(worker, now);
    const words = isOld
      ? wordsIn({ ...worker, launches: worker.launches.filter((one) => !launches.includes(one)) })
      : [];
    const paths = [...launches.map(({ number }) => `launches/${number}`), ...words];
    return paths.map((path) => ({ workerId: id, path }));
  });

const wordsIn = ({ names, launches }: KeptWorker): readonly string[] => [
  ...wordsOfWorker.filter((name) => names.includes(name)),
  ...launches.flatMap((launch) =>
    wordsOfLaunch.filter((name) => launch.names.includes(name)).map((name) => `launches/${launch.number}/${name}`),
  ),
];

const oldLaunches = ({ launches }: KeptWorker, now: number): readonly KeptLaunch[] =>
  launches
    .toSorted((a, b) => b.number - a.number)
    .slice(retention.launches.newest)
    .filter(({ at }) => now - at > retention.launches.ms);

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
