// What appeared in the main checkout while workers were at work in worktrees of their own. Pure.

/** A path that differs from the newest commit, as the disk shows it. */
export interface Mark {
  /** The same for as long as nobody writes to it. */
  readonly print: string;
  /** When the disk saw it change last; undefined where it does not say. */
  readonly at?: number;
}

/** The main checkout at one moment. */
export interface Sight {
  readonly at: number;
  readonly branch?: string;
  /** Undefined before the first commit. */
  readonly head?: string;
  readonly marks: Readonly<Record<string, Mark>>;
}

/** A stretch in which a worker was at work. */
export interface Span {
  readonly workerId: string;
  readonly from: number;
  /** Undefined while it still is. */
  readonly to?: number;
  /** It works in the main checkout itself, by order. */
  readonly isShared: boolean;
}

/** One step of a branch, as git noted it. */
export interface Step {
  readonly commit: string;
  readonly subject: string;
  /** When the second began in which it was made. */
  readonly at?: number;
  /** As likely the user's own: an escape only where a worker's call names it. */
  readonly isDoubtful?: true;
}

interface Witnessed {
  readonly at: number;
  /** Ids of those who worked at that moment; of the one whose own tool call names it, where there is one. */
  readonly workers: readonly string[];
  /** The tool of that call. */
  readonly tool?: string;
  /** One whose place of work is the main checkout worked too: only a call that names it makes it an escape. */
  readonly isDoubtful?: true;
}

export interface EscapedFile extends Witnessed {
  readonly path: string;
}

export interface EscapedCommit extends Witnessed {
  readonly commit: string;
  readonly subject: string;
}

export interface Escapes {
  readonly files: readonly EscapedFile[];
  readonly commits: readonly EscapedCommit[];
  /** What was not committed there and is gone, without a commit that has it. */
  readonly undone: readonly EscapedFile[];
}

/** What a disk dates late or early, and what a turn leaves to be written behind it. */
const before = 50;
const after = 1_500;

const second = 1_000;

/** Who worked elsewhere at a moment, or a while from it on, and whether somebody worked in the main checkout itself. */
export function workAt(spans: readonly Span[], at: number, forMs = 0): Pick<Witnessed, 'workers' | 'isDoubtful'> {
  const then = spans.filter(({ from, to }) => from - before <= at + forMs && (to === undefined || at <= to + after));
  const workers = [...new Set(then.filter(({ isShared }) => !isShared).map(({ workerId }) => workerId))];
  return then.some(({ isShared }) => isShared) ? { workers, isDoubtful: true } : { workers };
}

export interface Between {
  /** Undefined at the first look. */
  readonly before: Sight | undefined;
  readonly now: Sight;
  /** Steps of the branch since then that are not our own. */
  readonly steps: readonly Step[];
  /** Paths in which the newest commits of then and now differ: what moved a branch may leave them behind. */
  readonly moved: ReadonlySet<string>;
  /** Paths that differed before and do not any more, with the time of that. */
  readonly undone: readonly { readonly path: string; readonly at?: number }[];
  readonly spans: readonly Span[];
}

/** What is new and appeared while somebody worked; the user's own edits in quiet times are not. */
export function escapesIn({ before: then, now, steps, moved, undone, spans }: Between): Escapes {
  const files = Object.entries(now.marks).flatMap(([path, { print, at }]): EscapedFile[] => {
    if (at === undefined || moved.has(path) || then?.marks[path]?.print === print) return [];
    return witnessed(spans, at).map((seen) => ({ path, ...seen }));
  });
  const commits = steps.flatMap(({ commit, subject, at = now.at, isDoubtful }) =>
    witnessed(spans, at, second).map((seen) => ({ commit, subject, ...seen, ...(isDoubtful ? { isDoubtful } : {}) })),
  );
  const lost = undone.flatMap(({ path, at }) =>
    at === undefined || moved.has(path)
      ? []
      : witnessed(spans, at).map((seen) => ({ path, ...seen, isDoubtful: true as const })),
  );
  return { files, commits, undone: lost };
}

function witnessed(spans: readonly Span[], at: number, forMs = 0): readonly Witnessed[] {
  const work = workAt(spans, at, forMs);
  return work.workers.length === 0 ? [] : [{ at, ...work }];
}

/** Without what is as likely the work of one who was meant to work there. */
export const certain = ({ files, commits, undone }: Escapes): Escapes => ({
  files: files.filter(isCertain),
  commits: commits.filter(isCertain),
  undone: undone.filter(isCertain),
});

/** Without what is doubtful since before a time: no call has named it. */
export const settled = ({ files, commits, undone }: Escapes, since: number): Escapes => {
  const isKept = (one: Witnessed) => isCertain(one) || one.at >= since;
  return { files: files.filter(isKept), commits: commits.filter(isKept), undone: undone.filter(isKept) };
};

const isCertain = ({ isDoubtful, tool }: Witnessed): boolean => isDoubtful === undefined || tool !== undefined;

/** What was noted before and is still so, with what is new; a path or commit is in it once, with all its witnesses. */
export function joined(noted: Escapes, found: Escapes): Escapes {
  return {
    files: merged(noted.files, found.files, ({ path }) => path),
    commits: merged(noted.commits, found.commits, ({ commit }) => commit),
    undone: merged(noted.undone, found.undone, ({ path }) => path),
  };
}

function merged<T extends Witnessed>(old: readonly T[], found: readonly T[], keyOf: (one: T) => string): readonly T[] {
  const all = new Map(old.map((one) => [keyOf(one), one]));
  for (const one of found) {
    const known = all.get(keyOf(one));
    const workers = new Set([...(known?.tool === undefined ? (known?.workers ?? []) : []), ...one.workers]);
    all.set(
      keyOf(one),
      known?.tool !== undefined && one.tool === undefined ? known : { ...one, workers: [...workers] },
    );
  }
  return [...all.values()];
}

/** What of the second is not in the first. */
export const newIn = (known: Escapes, now: Escapes): Escapes => ({
  files: now.files.filter(({ path }) => !known.files.some((one) => one.path === path)),
  commits: now.commits.filter(({ commit }) => !known.commits.some((one) => one.commit === commit)),
  undone: now.undone.filter(({ path }) => !known.undone.some((one) => one.path === path)),
});

export interface Standing {
  readonly now: Sight;
  readonly isThere: (commit: EscapedCommit) => boolean;
  /** Somebody may still be asked. */
  readonly isOpen: (workerId: string) => boolean;
}

/** What still stands of what was noted: files that are not clean again, commits that are still there, and what nobody wrote anew. */
export const standing = (noted: Escapes, { now, isThere, isOpen }: Standing): Escapes => ({
  files: noted.files.filter(({ path }) => Object.hasOwn(now.marks, path)),
  commits: noted.commits.filter((commit) => commit.workers.some(isOpen) && isThere(commit)),
  undone: noted.undone.filter(({ path, workers }) => workers.some(isOpen) && !Object.hasOwn(now.marks, path)),
});

export const isNothing = ({ files, commits, undone }: Escapes): boolean =>
  files.length + commits.length + undone.length === 0;

export const noEscapes: Escapes = { files: [], commits: [], undone: [] };

export interface WitnessedEscapes extends Escapes {
  readonly workers: readonly string[];
  readonly tool?: string;
}

interface Group extends WitnessedEscapes {
  readonly files: EscapedFile[];
  readonly commits: EscapedCommit[];
  readonly undone: EscapedFile[];
}

/** Those with the same witnesses together, in the order in which they appeared. */
export function byWitnesses({ files, commits, undone }: Escapes): readonly WitnessedEscapes[] {
  const groups = new Map<string, Group>();
  const groupOf = ({ workers, tool }: Witnessed): Group => {
    const sorted = [...workers].sort();
    const key = JSON.stringify([tool, ...sorted]);
    const made = { workers: sorted, ...(tool === undefined ? {} : { tool }), files: [], commits: [], undone: [] };
    const group = groups.get(key) ?? made;
    groups.set(key, group);
    return group;
  };
  for (const file of files) groupOf(file).files.push(file);
  for (const commit of commits) groupOf(commit).commits.push(commit);
  for (const file of undone) groupOf(file).undone.push(file);
  return [...groups.values()];
}
