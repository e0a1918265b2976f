// What was true of one worker, laid beside what its client was told: pure, and the whole judgement of the suite.

/** When something is known to have become true: not yet at `notYet`, surely at `at`; both by `performance.now()`. */
export interface Fact {
  readonly notYet: number;
  readonly at: number;
}

/** A stretch in which one state was true. Between two stretches either state is right. */
export interface Truth {
  /** `working: tool`, `waiting: permission`, `idle`: a status, and behind the colon which sort of it. */
  readonly state: string;
  readonly from: number;
  readonly to: number;
  /** How the turn before really ended, where it has just ended. */
  readonly ended?: string;
}

/** What a client was told between `from` and `to`. */
export interface Told {
  readonly from: number;
  readonly to: number;
  /** The status; for a waiting worker with what it waits for. */
  readonly state: string;
  readonly ended?: string | undefined;
}

export interface Cell {
  readonly truth: string;
  readonly told: string;
  readonly count: number;
  /** How far into its stretch of truth the latest of these samples was taken. */
  readonly latestMs: number;
}

export interface Transition {
  readonly from: string;
  readonly to: string;
  /** From the fact to the end of the first call that tells it; 0 when it was told before anyone else could see it. */
  readonly latencyMs: number;
}

/** A client is told no sort of work. */
export const tellable = (state: string): string => state.replace(/^(?!waiting: )(\w+): .*$/, '$1');

const within = ({ from, to }: Told, truth: Truth): boolean => truth.from <= from && to <= truth.to;

export function cellsOf(told: readonly Told[], truths: readonly Truth[]): Cell[] {
  const cells = new Map<string, Cell>();
  for (const truth of truths) {
    for (const sample of told.filter((one) => within(one, truth))) {
      const key = `${truth.state}\n${sample.state}`;
      const { count = 0, latestMs = 0 } = cells.get(key) ?? {};
      const lateMs = Math.max(latestMs, sample.from - truth.from);
      cells.set(key, { truth: truth.state, told: sample.state, count: count + 1, latestMs: lateMs });
    }
  }
  return [...cells.values()];
}

/** One transition for each change of what can be told; a change that nobody was ever told has no latency to give. */
export function transitionsOf(told: readonly Told[], truths: readonly Truth[]): Transition[] {
  return truths.flatMap((truth, i): Transition[] => {
    const before = truths[i - 1];
    if (before === undefined || tellable(before.state) === tellable(truth.state)) return [];
    const right = told.find((one) => one.from >= before.to && one.state === tellable(truth.state));
    if (right === undefined || right.from > truth.to) return [];
    const from = tellable(before.state);
    const to = truth.ended === undefined ? tellable(truth.state) : `${tellable(truth.state)} (${truth.ended})`;
    return [{ from, to, latencyMs: Math.max(0, right.to - truth.from) }];
  });
}

/** Told idle of a worker that was at work for the whole time the question took. */
export const isFalseIdle = ({ truth, told }: Cell): boolean => told === 'idle' && truth.startsWith('working');

/** Told something else than the truth, longer than a change may take to be noticed. */
export const isStale = ({ truth, told, latestMs }: Cell, toleranceMs: number): boolean =>
  told !== tellable(truth) && latestMs > toleranceMs;

export const addCells = (cells: readonly Cell[]): Cell[] => {
  const sums = new Map<string, Cell>();
  for (const cell of cells) {
    const key = `${cell.truth}\n${cell.told}`;
    const held = sums.get(key);
    const count = (held?.count ?? 0) + cell.count;
    sums.set(key, { ...cell, count, latestMs: Math.max(held?.latestMs ?? 0, cell.latestMs) });
  }
  return [...sums.values()];
};
