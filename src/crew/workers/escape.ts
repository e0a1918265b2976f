// Which files of a main checkout changed while workers with their own worktree had a turn. Pure.

import { backgroundTasks } from '../../turn/facts.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';

/** A time in which a worker had a turn, or programs of its turn still ran. */
export interface Span {
  readonly workerId: string;
  readonly from: number;
  /** Undefined while it goes on. */
  readonly to?: number;
  /** The worker has no worktree of its own: the main checkout is where it should write. */
  readonly isShared: boolean;
}

export interface Escape {
  /** When the first of the files changed. */
  readonly since: number;
  /** Ids of all that had a turn then; nobody knows which of them, if any, changed the files. */
  readonly workers: readonly string[];
  readonly files: readonly string[];
}

/** The same array where no turn begins or ends. */
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

function isAtWork({ is, turn, facts }: TurnState): boolean {
  if (is === 'gone' || is === 'starting') return false;
  return (is !== 'idle' && turn !== undefined && turn.endedAt === undefined) || backgroundTasks(facts) > 0;
}

/** A file system's clock may be this much behind ours. */
const tickMs = 50;
/** A turn may leave writes behind it for this long. */
const trailMs = 1_500;

/** The workers that had a turn at a moment, or just before it; none when one of them shares the main checkout. */
function workersAt(spans: readonly Span[], at: number): readonly string[] {
  const during = (lateMs: number) =>
    spans.filter(({ from, to }) => from - tickMs <= at && (to === undefined || at <= to + lateMs));
  const then = during(tickMs);
  const hadTurn = then.length > 0 ? then : during(trailMs);
  return hadTurn.some(({ isShared }) => isShared) ? [] : hadTurn.map(({ workerId }) => workerId);
}

export interface Look {
  /** When each uncommitted change was made, by path. */
  readonly changes: ReadonlyMap<string, number>;
  readonly spans: readonly Span[];
  /** Those that crewmux already reported and that are still uncommitted. */
  readonly reported: readonly Escape[];
  /** When crewmux looked last: an older change was judged then. */
  readonly lookedAt?: number | undefined;
}

/** The files that changed since the last look while somebody had a turn; undefined when there are none. */
export function newEscape({ changes, spans, reported, lookedAt = 0 }: Look): Escape | undefined {
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
export const stillChanged = (reported: readonly Escape[], changes: Look['changes']): readonly Escape[] =>
  reported
    .map((one) => ({ ...one, files: one.files.filter((path) => changes.has(path)) }))
    .filter(({ files }) => files.length > 0);
