// Reports which files of a main checkout changed while workers with their own worktree had a turn; touches none.
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { type Disposer, isoTime } from '../../model/clock.ts';
import { quote } from '../../model/quote.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { readJson, writeJson } from '../../system/atomic.ts';
import { pause } from '../../system/clock.ts';
import { withLock } from '../../system/lock.ts';
import { type Gathered, gather } from '../../system/pace.ts';
import { besidesTracker } from '../../trackers/tracker-folder.ts';
import { backgroundTasks } from '../../turn/facts.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';
import type { EscapeView } from '../../wire/events.ts';
import { changesInCheckout } from '../../worktree/state/checkout.ts';
import type { CrewContext } from './crew-context.ts';
import { trackersIn } from './tracker.ts';

// Several turns may end together, and one look serves them all.
const quietMs = 300;
// Where git takes long, a pause of this many times the last look follows it.
const restShare = 4;
const lockTimeoutMs = 30_000;
const mostSpans = 200;
const mostFiles = 20;
const mostEscapes = 10;

/** What crewmux reported of one main checkout, for every server that has workers there. */
const reportedSchema = z.object({
  v: z.literal(2),
  checkout: z.string(),
  lookedAt: z.number(),
  escapes: z.array(z.object({ since: z.number(), workers: z.array(z.string()), files: z.array(z.string()) })),
});

const keyOf = (checkout: string): string => createHash('sha256').update(checkout).digest('hex').slice(0, 16);

const reportedPath = (context: CrewContext, checkout: string): string =>
  join(context.home.root, 'escapes', `${keyOf(checkout)}.json`);

const readReported = (context: CrewContext, checkout: string) =>
  readJson(reportedPath(context, checkout), reportedSchema, (message) => context.logger.write('warn', message));

/** A time in which a worker had a turn, or programs of its turn still ran. */
export interface TurnSpan {
  readonly workerId: string;
  readonly from: number;
  /** Undefined while it goes on. */
  readonly to?: number;
  /** The worker has no worktree of its own: the main checkout is where it should write. */
  readonly isShared: boolean;
}

interface Escape {
  /** When the first of the files changed. */
  readonly since: number;
  /** Ids of all that had a turn then; nobody knows which of them, if any, changed the files. */
  readonly workers: readonly string[];
  readonly files: readonly string[];
}

/** The same array where no turn begins or ends. */
export function spansAfter(
  known: readonly TurnSpan[],
  state: TurnState,
  whose: Pick<TurnSpan, 'workerId' | 'isShared'>,
): readonly TurnSpan[] {
  const last = known.at(-1);
  const isOpen = last !== undefined && last.to === undefined;
  if (isOpen === isAtWork(state)) return known;
  const { turn, since } = state;
  if (isOpen) return [...known.slice(0, -1), { ...last, to: Math.max(since, turn?.endedAt ?? 0) }];
  // An agent may say that it is busy before its prompt is known: the turn is still the one before.
  const isNew = turn !== undefined && turn.startedAt > (last?.to ?? 0);
  return [...known, { ...whose, from: isNew ? turn.startedAt : since }];
}

/** It has a turn, or programs of its turn still run. */
export function isAtWork({ is, turn, facts }: TurnState): boolean {
  if (is === 'gone' || is === 'starting') return false;
  return (is !== 'idle' && turn !== undefined && turn.endedAt === undefined) || backgroundTasks(facts) > 0;
}

/** A file system's clock may be this much behind ours. */
const tickMs = 50;
/** A turn may leave writes behind it for this long. */
const trailMs = 1_500;

/** The workers that had a turn at a moment, or just before it; none when one of them shares the main checkout. */
function workersAt(spans: readonly TurnSpan[], at: number): readonly string[] {
  const during = (lateMs: number) =>
    spans.filter(({ from, to }) => from - tickMs <= at && (to === undefined || at <= to + lateMs));
  const then = during(tickMs);
  const hadTurn = then.length > 0 ? then : during(trailMs);
  return hadTurn.some(({ isShared }) => isShared) ? [] : hadTurn.map(({ workerId }) => workerId);
}

export interface EscapeLook {
  /** When each uncommitted change was made, by path. */
  readonly changes: ReadonlyMap<string, number>;
  readonly spans: readonly TurnSpan[];
  /** Those that crewmux already reported and that are still uncommitted. */
  readonly reported: readonly Escape[];
  /** When crewmux looked last: an older change was judged then. */
  readonly lookedAt?: number | undefined;
}

/** The files that changed since the last look while somebody had a turn; undefined when there are none. */
export function newEscape({ changes, spans, reported, lookedAt = 0 }: EscapeLook): Escape | undefined {
  const known = new Set(reported.flatMap(({ files }) => files));
  const found = [...changes].flatMap(([path, at]) => {
    const workers = at < lookedAt - tickMs || known.has(path) ? [] : workersAt(spans, at);
    return workers.length === 0 ? [] : [{ path, at, workers }];
  });
  if (found.length === 0) return undefined;
  return {
    since: Math.min(...found.map(({ at }) => at)),
    workers: [...new Set(found.flatMap(({ workers }) => workers))],
    files: found.map(({ path }) => path),
  };
}

/** Escapes with the files that are still uncommitted, without those that have none. */
export const stillChanged = (reported: readonly Escape[], changes: EscapeLook['changes']): readonly Escape[] =>
  reported
    .map((one) => ({ ...one, files: one.files.filter((path) => changes.has(path)) }))
    .filter(({ files }) => files.length > 0);

type SpansOf = (workerId: string) => readonly TurnSpan[];

/** Looks after each turn of a worker with its own worktree, and when this server becomes its manager. */
export function watchEscapes(context: CrewContext): Disposer {
  const spans = new Map<string, readonly TurnSpan[]>();
  const looks = new Map<string, Gathered>();
  const spansOf: SpansOf = (id) => spans.get(id) ?? [];
  const requestLook = (id: string) => {
    const record = context.log.records().get(id);
    const checkout = record?.mainRepoPath;
    if (record?.worktreePath === undefined || checkout === undefined || !context.roster.isMine(record)) return;
    const known = looks.get(checkout) ?? looksAt(context, checkout, spansOf);
    looks.set(checkout, known);
    known.request();
  };
  const stops = [
    context.roster.onChange(({ workerId: id, after }) => {
      const record = context.log.records().get(id);
      if (record === undefined) return;
      const before = spansOf(id);
      const now = spansAfter(before, after, { workerId: id, isShared: record.worktreePath === undefined });
      if (now === before) return;
      spans.set(id, now.slice(-mostSpans));
      if (now.at(-1)?.to !== undefined) requestLook(id);
    }),
    // It may have had a turn while no server ran.
    context.log.onEvents((events) => {
      for (const { workerId, set } of events) if (set?.manager !== undefined) requestLook(workerId);
    }),
  ];
  return () => {
    for (const stop of stops) stop();
    for (const { stop } of looks.values()) stop();
  };
}

const looksAt = (context: CrewContext, checkout: string, spansOf: SpansOf): Gathered =>
  gather(
    {
      clock: context.clock,
      gatherMs: quietMs,
      restMs: (tookMs) => restShare * tookMs,
      onTrouble: (error) => context.logger.write('warn', `changes in ${checkout} could not be looked for`, error),
    },
    () => lookAt(context, checkout, spansOf),
  );

function lookAt(context: CrewContext, checkout: string, spansOf: SpansOf): Promise<void> {
  const look = async () => {
    const lookedAt = context.clock.now();
    const changes = await changesNow(context, checkout);
    if (changes === undefined) return;
    // A turn may still be unread: without it the change would be the user's.
    const ids = context.roster.records().flatMap(({ id, mainRepoPath }) => (mainRepoPath === checkout ? id : []));
    await Promise.all(ids.map((id) => context.roster.following(id)?.drain()));
    const before = await readReported(context, checkout);
    const reported = stillChanged(before?.escapes ?? [], changes);
    const seen = newEscape({ changes, spans: ids.flatMap(spansOf), reported, lookedAt: before?.lookedAt });
    const found = seen && (await lasting(context, checkout, seen));
    if (found !== undefined) await report(context, checkout, found);
    const escapes = found === undefined ? reported : [...reported, found];
    const path = reportedPath(context, checkout);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeJson(path, { v: 2, checkout, lookedAt, escapes });
  };
  // Of several servers one reports what is new.
  const lock = context.home.lockPath(`escapes-${keyOf(checkout)}`);
  return withLock(lock, look, { me: context.me, timeoutMs: lockTimeoutMs });
}

/** What is changed a moment later too: a landing brings its files to the checkout just before it moves the branch. */
async function lasting(context: CrewContext, checkout: string, seen: Escape): Promise<Escape | undefined> {
  await pause(quietMs);
  const changes = await changesNow(context, checkout);
  return changes === undefined ? seen : stillChanged([seen], changes)[0];
}

async function changesNow(context: CrewContext, checkout: string): Promise<ReadonlyMap<string, number> | undefined> {
  const worktrees = context.roster.records().flatMap(({ worktreePath }) => worktreePath ?? []);
  const folder = resolve(checkout, context.settingsFor(checkout).settings.worktrees.dir);
  const changes = await changesInCheckout({ path: checkout, env: context.environment.git }, [folder, ...worktrees]);
  if (changes === undefined) return undefined;
  let escaped = changes;
  for (const tracker of await trackersIn(context, checkout))
    escaped = await besidesTracker(tracker, { checkout, changes: escaped });
  return escaped;
}

async function report(context: CrewContext, checkout: string, one: Escape): Promise<void> {
  const [workerId] = one.workers;
  if (workerId === undefined) return;
  const { workers, files, file_count } = viewOf(context, checkout, one);
  await context.log.append([{ type: 'escaped', workerId, data: { in: checkout, files, file_count, workers } }]);
}

/** What is still uncommitted in the main checkouts of these workers; looks only where something was reported. */
export async function escapesOf(
  context: CrewContext,
  records: readonly WorkerRecord[],
): Promise<readonly EscapeView[]> {
  const own = records.filter(({ worktreePath }) => worktreePath !== undefined);
  const checkouts = [...new Set(own.flatMap(({ mainRepoPath }) => mainRepoPath ?? []))];
  const views = await Promise.all(
    checkouts.map(async (checkout) => {
      const reported = (await readReported(context, checkout))?.escapes ?? [];
      if (reported.length === 0) return [];
      const changes = await changesNow(context, checkout).catch(() => undefined);
      const left = changes === undefined ? reported : stillChanged(reported, changes);
      return left.map((one) => viewOf(context, checkout, one));
    }),
  );
  return views.flat().slice(-mostEscapes);
}

function viewOf(context: CrewContext, checkout: string, { since, workers, files }: Escape): EscapeView {
  const records = context.log.records();
  const names = workers.map((id) => records.get(id)?.name ?? id).sort();
  const who = new Intl.ListFormat('en').format(names);
  return {
    checkout,
    workers: names,
    files: files.slice(0, mostFiles),
    file_count: files.length,
    since: isoTime(since),
    detail:
      `These files of the main checkout changed while ${who} had a turn; who changed them is not known. ` +
      `crewmux left them as they are. Look with: git -C ${quote(checkout)} status`,
  };
}
