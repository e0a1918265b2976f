// Which pieces of work would not merge, found without any worktree and with one git for many pairs.
import { repoPlace } from '../branch.ts';
import type { Repo } from '../inspect.ts';
import { gitFailed, readGit, tryGit, tryReadGit } from '../repo.ts';
import { foldersOf } from './in-the-way.ts';
import { type LandedWork, targetKnowing } from './stage.ts';

export interface Clash {
  /** Files on which a merge would stop. */
  readonly conflicts: readonly string[];
  /** Files that both have changed since they parted; some of them may merge all the same. */
  readonly bothEdited: readonly string[];
}

export interface Pair {
  readonly repo: Repo;
  readonly ours: string;
  readonly theirs: string;
}

const keyOf = ({ repo, ours, theirs }: Pair): string => [repo.gitCommonDir, ...[ours, theirs].sort()].join(' ');

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
  const history = await historyOf(repo, [...new Set(pairs.flatMap(({ ours, theirs }) => [ours, theirs]))]);
  if (history === undefined) return mergesOf(repo, pairs);
  const touched = await touchedIn(repo, history);
  const meets = ({ ours, theirs }: Pair) => mayMeet(touched(ours), touched(theirs));
  const apart = pairs.filter((pair) => !meets(pair)).map((pair) => ({ ...pair, ...none }));
  const merged = await mergesOf(repo, pairs.filter(meets));
  const lines = merged.map((pair) => ({ ...pair, since: partingOf(pair, history) }));
  const edited = await changesOf(
    repo,
    lines.flatMap(({ ours, theirs, since }) => [`${ours} ${since}`, `${theirs} ${since}`]),
  );
  const pathsOf = (line: string) => (edited.get(line) ?? []).map(({ path }) => path);
  const told = lines.map(({ since, ...pair }) => {
    const hers = new Set(pathsOf(`${pair.theirs} ${since}`));
    return { ...pair, bothEdited: pathsOf(`${pair.ours} ${since}`).filter((path) => hers.has(path)) };
  });
  return [...apart, ...told];
}

/** The commits since the last one that all of the tips share. */
interface History {
  readonly shared: string;
  /** Children first, each with its parents. */
  readonly parents: ReadonlyMap<string, readonly string[]>;
  /** By tip, what it was made from, itself among it. */
  readonly reached: ReadonlyMap<string, ReadonlySet<string>>;
}

const mostCommits = 2_000;

/** Undefined where the tips share nothing, or where too much was done since. */
async function historyOf(repo: Repo, tips: readonly string[]): Promise<History | undefined> {
  const place = repoPlace(repo);
  const found = await tryReadGit(place, ['merge-base', '--octopus', ...tips]);
  if (found.exitCode !== 0) return undefined;
  const shared = found.stdout.trim();
  const args = ['rev-list', '--topo-order', '--parents', '-n', String(mostCommits + 1), '--stdin'];
  const input = [...tips, `^${shared}`].map((line) => `${line}\n`).join('');
  const rows = (await readGit(place, args, { input })).split('\n').filter((line) => line !== '');
  if (rows.length > mostCommits) return undefined;
  const parents = new Map(rows.map((row) => row.split(' ')).map(([commit = '', ...before]) => [commit, before]));
  return { shared, parents, reached: new Map(tips.map((tip) => [tip, reachedFrom(tip, parents)])) };
}

function reachedFrom(tip: string, parents: History['parents']): ReadonlySet<string> {
  const seen = new Set([tip]);
  // The loop comes to what is added meanwhile.
  for (const commit of seen) for (const parent of parents.get(commit) ?? []) seen.add(parent);
  return seen;
}

/** Where the two parted last. */
function partingOf({ ours, theirs }: Pair, { shared, parents, reached }: History): string {
  const [mine, hers] = [reached.get(ours), reached.get(theirs)];
  return [...parents.keys()].find((commit) => mine?.has(commit) && hers?.has(commit)) ?? shared;
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

/**
 * All that a tip and the commits before it have touched, merges against each parent: it holds whatever two tips differ
 * in from any commit that they share.
 */
async function touchedIn(repo: Repo, { parents, reached }: History): Promise<(tip: string) => Touched> {
  const lines = [...parents].flatMap(([commit, before]) =>
    before.length === 0 ? [commit] : before.map((parent) => `${commit} ${parent}`),
  );
  const byCommit = new Map<string, Touch[]>();
  for (const [line, touches] of await changesOf(repo, lines)) {
    const commit = line.split(' ')[0] ?? '';
    byCommit.set(commit, [...(byCommit.get(commit) ?? []), ...touches]);
  }
  const all = new Map(
    [...reached].map(([tip, commits]) => [tip, touchedBy([...commits].flatMap((one) => byCommit.get(one) ?? []))]),
  );
  return (tip) => all.get(tip) ?? touchedBy([]);
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
async function mergesOf(repo: Repo, pairs: readonly Pair[]): Promise<readonly (Pair & Clash)[]> {
  const some = pairs.slice(0, atOnce);
  if (some.length === 0) return [];
  const args = ['merge-tree', '--write-tree', '--stdin', '-z', '--name-only', '--no-messages'];
  const input = some.map(({ ours, theirs }) => `${ours} ${theirs}\n`).join('');
  const result = await tryGit(repoPlace(repo), [...args, '--allow-unrelated-histories'], { input });
  const conflicts = decodeMerges(result.stdout);
  if (conflicts.length !== some.length) throw gitFailed(repoPlace(repo), args, result);
  const merged = conflicts.flatMap((paths, at) =>
    some.slice(at, at + 1).map((pair) => ({ ...pair, conflicts: paths, bothEdited: paths })),
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
