// Which pieces of work would not merge, found without any worktree and with one git for many pairs.
import pLimit from 'p-limit';
import { repoPlace } from '../git/branch.ts';
import type { Repo } from '../git/inspect.ts';
import { gitFailed, readGit, tryGit, tryReadGit } from '../git/repo.ts';
import { type History, historyOf, ownCommits, sharedWith } from './history.ts';
import { foldersOf } from './in-the-way.ts';
import { type LandedWork, targetKnowing } from './stage.ts';

export interface Clash {
  /** Files on which a merge would stop. */
  readonly conflicts: readonly string[];
  /** Files that both have changed in their own work; some of them may merge all the same. */
  readonly bothEdited: readonly string[];
}

export interface Pair {
  readonly repo: Repo;
  readonly ours: string;
  readonly theirs: string;
  /** Commits that are not of its own work, such as its base now and at its start; what it shares with the other counts. */
  readonly oursFrom?: readonly string[];
  readonly theirsFrom?: readonly string[];
}

const keyOf = ({ repo, ours, theirs, oursFrom, theirsFrom }: Pair): string => {
  const sides = [[ours, ...(oursFrom ?? [])].join(' '), [theirs, ...(theirsFrom ?? [])].join(' ')];
  return [repo.gitCommonDir, ...sides.sort()].join('\n');
};

const none: Clash = { conflicts: [], bothEdited: [] };
const mostKept = 20_000;

/** Keeps what it has found: the same two commits never clash in another way. */
export class Clashes {
  readonly #known = new Map<string, Clash>();
  readonly #knowing = new Map<string, string>();

  /** The pairs as they were given, with how each clashes. Starts no git where it knows them all. */
  async among<P extends Pair>(pairs: readonly P[]): Promise<readonly (P & Clash)[]> {
    const unknown = new Map(
      pairs.flatMap((pair) => (pair.ours === pair.theirs || this.#known.has(keyOf(pair)) ? [] : [[keyOf(pair), pair]])),
    );
    const repos = new Map([...unknown.values()].map(({ repo }) => [repo.gitCommonDir, repo]));
    for (const repo of repos.values()) {
      const here = [...unknown.values()].filter((pair) => pair.repo.gitCommonDir === repo.gitCommonDir);
      for (const pair of await clashesOf(repo, here)) keep(this.#known, keyOf(pair), pair);
    }
    return pairs.map((pair) => {
      const { conflicts, bothEdited } = this.#known.get(keyOf(pair)) ?? none;
      return { ...pair, conflicts, bothEdited };
    });
  }

  /** As `targetKnowing`, asked of git once. */
  async targetKnowing(
    repo: Repo,
    tips: { readonly target: string; readonly source: string },
    landed: LandedWork | undefined,
  ): Promise<string> {
    const key = JSON.stringify([repo.gitCommonDir, tips, landed]);
    const known = this.#knowing.get(key) ?? (await targetKnowing(repo, tips, landed));
    keep(this.#knowing, key, known);
    return known;
  }
}

function keep<T>(known: Map<string, T>, key: string, value: T): void {
  known.set(key, value);
  for (const oldest of known.keys()) {
    if (known.size <= mostKept) break;
    known.delete(oldest);
  }
}

async function clashesOf(repo: Repo, pairs: readonly Pair[]): Promise<readonly (Pair & Clash)[]> {
  if (pairs.length === 0) return [];
  const tips = pairs.flatMap((pair) => [pair.ours, pair.theirs, ...(pair.oursFrom ?? []), ...(pair.theirsFrom ?? [])]);
  const history = await historyOf(repo, [...new Set(tips)]);
  if (history === undefined) return clashesByMerge(repo, pairs);
  const touched = await touchedIn(repo, history);
  const meets = ({ ours, theirs, oursFrom, theirsFrom }: Pair) =>
    mayMeet(touched(ours, oursFrom), touched(theirs, theirsFrom));
  const apart = pairs.filter((pair) => !meets(pair)).map((pair) => ({ ...pair, ...none }));
  const merged = await mergesOf(repo, pairs.filter(meets));
  return [...apart, ...(await ownOf(repo, merged, async (tip, others) => sharedWith(tip, others, history)))];
}

/** Where the history is long, git is asked only of what would conflict. */
async function clashesByMerge(repo: Repo, pairs: readonly Pair[]): Promise<readonly (Pair & Clash)[]> {
  const merged = await mergesOf(repo, pairs);
  const calm = merged.filter(({ conflicts }) => conflicts.length === 0).map((pair) => ({ ...pair, ...none }));
  const fewAtOnce = pLimit(4);
  const startsOf: StartsOf = (tip, others) => fewAtOnce(() => bestOf(repo, tip, others));
  const rest = merged.filter(({ conflicts }) => conflicts.length > 0);
  return [...calm, ...(await ownOf(repo, rest, startsOf))];
}

type Merged = Pair & Pick<Clash, 'conflicts'>;
type StartsOf = (tip: string, others: readonly string[]) => Promise<readonly string[]>;

/** As `sharedWith`, asked of git. */
async function bestOf(repo: Repo, tip: string, others: readonly string[]): Promise<readonly string[]> {
  const found = await tryReadGit(repoPlace(repo), ['merge-base', tip, ...others]);
  return found.exitCode === 0 ? [found.stdout.trim()] : [];
}

/** Keeps of each conflict what both sides have a part in. */
async function ownOf(repo: Repo, merged: readonly Merged[], startsOf: StartsOf): Promise<readonly (Pair & Clash)[]> {
  const sides = await Promise.all(
    merged.map(async (pair) => ({
      pair,
      mine: await startsOf(pair.ours, [pair.theirs, ...(pair.oursFrom ?? [])]),
      hers: await startsOf(pair.theirs, [pair.ours, ...(pair.theirsFrom ?? [])]),
    })),
  );
  const lineOf = (tip: string) => (start: string) => `${tip} ${start}`;
  const changes = await changesOf(
    repo,
    sides.flatMap(({ pair, mine, hers }) => [...mine.map(lineOf(pair.ours)), ...hers.map(lineOf(pair.theirs))]),
  );
  const pathsOf = (tip: string, starts: readonly string[]) =>
    inAll(starts.map(lineOf(tip)).map((line) => (changes.get(line) ?? []).map(({ path }) => path)));
  const told = sides.map(({ pair, mine, hers }) => {
    const [my, her] = [pathsOf(pair.ours, mine), pathsOf(pair.theirs, hers)];
    const bothEdited = my === undefined || her === undefined ? pair.conflicts : [...my].filter((path) => her.has(path));
    const isIdle = my?.size === 0 || her?.size === 0;
    const others = pair.conflicts.filter((path) => !bothEdited.includes(path));
    return { pair, mine, hers, bothEdited, conflicts: isIdle ? [] : pair.conflicts, others: isIdle ? [] : others };
  });
  const before = await mergesOf(
    repo,
    told.flatMap(({ pair: { ours, theirs }, mine, hers, others }) =>
      others.length === 0
        ? []
        : [
            ...mine.map((start) => ({ repo, ours: start, theirs })),
            ...hers.map((start) => ({ repo, ours, theirs: start })),
          ],
    ),
  );
  const known = new Map(before.map((pair) => [keyOf(pair), pair.conflicts]));
  return told.map(({ pair, mine, hers, bothEdited, conflicts, others }) => {
    const { ours, theirs } = pair;
    // What stops without the work of one of them is between the other and the base.
    const stale = new Set([
      ...mine.flatMap((start) => known.get(keyOf({ repo, ours: start, theirs })) ?? []),
      ...hers.flatMap((start) => known.get(keyOf({ repo, ours, theirs: start })) ?? []),
    ]);
    return { ...pair, bothEdited, conflicts: conflicts.filter((path) => !others.includes(path) || !stale.has(path)) };
  });
}

/** What is in each of the lists; undefined without a list. */
function inAll(lists: readonly (readonly string[])[]): ReadonlySet<string> | undefined {
  const [first, ...rest] = lists;
  return first && new Set(first.filter((path) => rest.every((one) => one.includes(path))));
}

/** What the commits of a branch have touched, and how. */
interface Touched {
  readonly paths: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
  readonly adds: boolean;
  readonly removes: boolean;
}

/** False only where a merge surely has nothing to say. */
function mayMeet(one: Touched, other: Touched): boolean {
  // A folder that one has renamed takes along what another adds to it.
  const moves = ({ adds, removes }: Touched) => adds && removes;
  if ((moves(one) && other.adds) || (moves(other) && one.adds)) return true;
  const share = (a: ReadonlySet<string>, b: ReadonlySet<string>) => [...a].some((path) => b.has(path));
  return share(one.paths, other.paths) || share(one.paths, other.folders) || share(one.folders, other.paths);
}

/** All that the commits of a tip's own have touched, merges against each parent. */
async function touchedIn(
  repo: Repo,
  history: History,
): Promise<(tip: string, from: readonly string[] | undefined) => Touched> {
  const { parents } = history;
  const lines = [...parents].flatMap(([commit, before]) =>
    before.length === 0 ? [commit] : before.map((parent) => `${commit} ${parent}`),
  );
  const byCommit = new Map<string, Touch[]>();
  for (const [line, touches] of await changesOf(repo, lines)) {
    const commit = line.split(' ')[0] ?? '';
    byCommit.set(commit, [...(byCommit.get(commit) ?? []), ...touches]);
  }
  const known = new Map<string, Touched>();
  return (tip, from = []) => {
    const key = [tip, ...from].join(' ');
    const found =
      known.get(key) ?? touchedBy(ownCommits(tip, from, history).flatMap((commit) => byCommit.get(commit) ?? []));
    known.set(key, found);
    return found;
  };
}

const touchedBy = (touches: readonly Touch[]): Touched => ({
  paths: new Set(touches.map(({ path }) => path)),
  folders: new Set(touches.flatMap(({ path }) => foldersOf(path))),
  adds: touches.some(({ letter }) => letter === 'A'),
  removes: touches.some(({ letter }) => letter === 'D'),
});

interface Touch {
  /** As git names the change. */
  readonly letter: string;
  readonly path: string;
}

/** Of each line, a commit and another that it is compared with; one without another began a history. */
async function changesOf(repo: Repo, lines: readonly string[]): Promise<ReadonlyMap<string, readonly Touch[]>> {
  const found = new Map<string, Touch[]>();
  const asked = [...new Set(lines)];
  if (asked.length === 0) return found;
  const args = ['diff-tree', '--stdin', '--always', '-r', '--root', '-z', '--name-status', '--no-renames'];
  const input = asked.map((line) => `${line}\n`).join('');
  const parts = (await readGit(repoPlace(repo), args, { input })).split('\0').values();
  let touches: Touch[] = [];
  for (const part of parts) {
    if (part.length === 1) touches.push({ letter: part, path: parts.next().value ?? '' });
    else if (part !== '') {
      touches = [];
      found.set(asked[found.size] ?? '', touches);
    }
  }
  if (found.size !== asked.length) throw new Error(`git diff-tree told of ${found.size} of ${asked.length} commits.`);
  return found;
}

const atOnce = 200;

/** One git merges many pairs, and writes no more than objects that nothing names. */
async function mergesOf(repo: Repo, pairs: readonly Pair[]): Promise<readonly Merged[]> {
  const some = pairs.slice(0, atOnce);
  if (some.length === 0) return [];
  const args = ['merge-tree', '--write-tree', '--stdin', '-z', '--name-only', '--no-messages'];
  const input = some.map(({ ours, theirs }) => `${ours} ${theirs}\n`).join('');
  const result = await tryGit(repoPlace(repo), [...args, '--allow-unrelated-histories'], { input });
  const conflicts = decodeMerges(result.stdout);
  if (conflicts.length !== some.length) throw gitFailed(repoPlace(repo), args, result);
  const merged = conflicts.flatMap((paths, at) =>
    some.slice(at, at + 1).map((pair) => ({ ...pair, conflicts: paths })),
  );
  return [...merged, ...(await mergesOf(repo, pairs.slice(atOnce)))];
}

/** Of each merge git prints how it ended, a tree, the paths in conflict and an empty part. Pure. */
function decodeMerges(printed: string): readonly (readonly string[])[] {
  const parts = printed.split('\0').values();
  const next = () => parts.next().value ?? '';
  const found: (readonly string[])[] = [];
  while (next() !== '') {
    next();
    const conflicts = new Set<string>();
    for (let path = next(); path !== ''; path = next()) conflicts.add(path);
    found.push([...conflicts]);
  }
  return found;
}
