// Changes in the main checkout while workers work in worktrees of their own: noticed at the ends of turns, never touched.
import { type Disposer, isoTime } from '../../model/clock.ts';
import { byWitnesses, certain, type Escapes, isNothing, type Span } from '../../model/escape.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { backgroundTasks } from '../../turn/facts.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';
import type { EscapeView } from '../../wire/events.ts';
import type { CrewContext } from '../workers/roster.ts';
import { readBook } from './escape-book.ts';
import { checkoutOf, lookForEscapes } from './escape-look.ts';
import { escapeDetail } from './escape-words.ts';

// Several turns begin or end together, and files are written a moment before a turn's end is known.
const quietMs = 300;
const mostSpans = 200;

/** When each worker was at work, as far as it still matters. */
export class Spans {
  readonly #of = new Map<string, readonly Span[]>();

  /** True where the work of one begins or ends. */
  note(record: WorkerRecord, state: TurnState): boolean {
    const known = this.#of.get(record.id) ?? [];
    const next = spansAfter(known, state, { workerId: record.id, isShared: record.worktreePath === undefined });
    this.#of.set(record.id, next.slice(-mostSpans));
    return next !== known;
  }

  of(ids: readonly string[]): readonly Span[] {
    return ids.flatMap((id) => this.#of.get(id) ?? []);
  }
}

/** The same where no work begins or ends. Pure. */
export function spansAfter(
  known: readonly Span[],
  state: TurnState,
  whose: Pick<Span, 'workerId' | 'isShared'>,
): readonly Span[] {
  const last = known.at(-1);
  const isOpen = last !== undefined && last.to === undefined;
  if (isOpen === isAtWork(state)) return known;
  const { turn, since } = state;
  if (isOpen) return [...known.slice(0, -1), { ...last, to: Math.max(since, turn?.endedAt ?? 0) }];
  // An agent may say that it is busy before its prompt is known: the turn is still the one before.
  const isNew = turn !== undefined && turn.startedAt > (last?.to ?? 0);
  return [...known, { ...whose, from: isNew ? turn.startedAt : since }];
}

/** What an agent left running behind its turn works as well. */
function isAtWork({ is, turn, facts }: TurnState): boolean {
  if (is === 'gone' || is === 'starting') return false;
  return (is !== 'idle' && turn !== undefined && turn.endedAt === undefined) || backgroundTasks(facts) > 0;
}

const isWatched = (record: WorkerRecord): boolean =>
  record.worktreePath !== undefined && record.mainRepoPath !== undefined && record.phase !== 'closed';

/** Looks when a worker of ours comes, begins or ends a turn; nothing runs in between. */
export function watchEscapes(context: CrewContext): Disposer {
  const looks = new Map<string, Looks>();
  const soon = (record: WorkerRecord | undefined) => {
    const path = record?.mainRepoPath;
    if (record === undefined || path === undefined || !isWatched(record) || !context.roster.isMine(record)) return;
    const known = looks.get(path) ?? lookInTurn(context, path);
    looks.set(path, known);
    known.soon();
  };
  const recordOf = (id: string) => context.log.records().get(id);
  const stops = [
    context.roster.onChange(({ workerId, after }) => {
      const record = recordOf(workerId);
      if (record !== undefined && context.escapeSpans.note(record, after)) soon(record);
    }),
    context.roster.onFollow(({ workerId }) => soon(recordOf(workerId))),
    context.log.onEvents((events) => {
      for (const { type, workerId } of events) if (type === 'worker_spawning') soon(recordOf(workerId));
    }),
  ];
  return () => {
    for (const stop of stops) stop();
    for (const { stop } of looks.values()) stop();
  };
}

interface Looks {
  soon(): void;
  stop(): void;
}

// Where git takes long, most of the time is left to others.
const restShare = 4;

/** One look of a checkout at a time; what happens meanwhile is looked at once more. */
function lookInTurn(context: CrewContext, path: string): Looks {
  let cancel: Disposer | undefined;
  let isLooking = false;
  let isMissed = false;
  let isStopped = false;
  const wait = (delayMs: number) => {
    cancel ??= context.clock.after(delayMs, () => void look());
  };
  const look = async () => {
    [cancel, isLooking, isMissed] = [undefined, true, false];
    const begun = context.clock.now();
    await lookNow(context, path).catch((error: unknown) =>
      context.logger.write('warn', `changes in ${path} could not be looked for`, error),
    );
    isLooking = false;
    if (isMissed && !isStopped) wait(Math.max(quietMs, restShare * (context.clock.now() - begun)));
  };
  return {
    soon() {
      if (isLooking) isMissed = true;
      else if (!isStopped) wait(quietMs);
    },
    stop() {
      isStopped = true;
      cancel?.();
    },
  };
}

async function lookNow(context: CrewContext, path: string): Promise<Escapes | undefined> {
  const repo = await checkoutOf(context, path);
  if (repo === undefined) return undefined;
  const ids = context.roster
    .records()
    .filter(({ mainRepoPath }) => mainRepoPath === path)
    .map(({ id }) => id);
  return lookForEscapes(context, repo, async () => {
    // What a worker did is told by its transcript: taken in first, or the work would seem nobody's.
    await Promise.all(ids.map((id) => context.roster.following(id)?.drain()));
    return context.escapeSpans.of(ids);
  });
}

/** What stands now in the main checkouts of these workers. Looks again only where something stood before. */
export async function escapesOf(
  context: CrewContext,
  records: readonly WorkerRecord[],
): Promise<readonly EscapeView[]> {
  const repos = [...new Set(records.filter(isWatched).flatMap(({ mainRepoPath }) => mainRepoPath ?? []))];
  const views = await Promise.all(
    repos.map(async (path) => {
      const noted = await readBook(context, { mainRepoPath: path });
      if (noted === undefined || isNothing(noted.escapes)) return [];
      const now = await lookNow(context, path).catch(() => undefined);
      return byWitnesses(now ?? certain(noted.escapes)).map((group) => viewOf(context, path, group));
    }),
  );
  return views.flat().slice(-mostGroups);
}

const mostFiles = 20;
const mostGroups = 10;

function viewOf(context: CrewContext, path: string, group: ReturnType<typeof byWitnesses>[number]): EscapeView {
  const { workers, tool, files, commits, undone } = group;
  const records = context.log.records();
  const names = workers.map((id) => records.get(id)?.name ?? id).sort();
  return {
    checkout: path,
    workers: names,
    ...(tool === undefined ? {} : { named_by: tool }),
    files: files.slice(0, mostFiles).map((file) => file.path),
    file_count: files.length,
    commits: commits.slice(0, mostFiles).map(({ commit, subject, at }) => ({ commit, subject, at: isoTime(at) })),
    ...(undone.length === 0 ? {} : { undone: undone.slice(0, mostFiles).map((file) => file.path) }),
    since: isoTime(Math.min(...[...files, ...commits, ...undone].map(({ at }) => at))),
    detail: escapeDetail({ checkout: path, names, tool }),
  };
}
