// What commits were made of since some tips parted, read with two gits for all of them.
import { repoPlace } from '../git/branch.ts';
import type { Repo } from '../git/inspect.ts';
import { readGit, tryReadGit } from '../git/repo.ts';

/** The commits since the last one that all of the tips share. */
export interface History {
  readonly shared: string;
  /** Children first, each with its parents. */
  readonly parents: ReadonlyMap<string, readonly string[]>;
  /** By tip, what it was made from, itself among it. */
  readonly reached: ReadonlyMap<string, ReadonlySet<string>>;
}

const mostCommits = 2_000;

/** Undefined where the tips share nothing, or where too much was done since. */
export async function historyOf(repo: Repo, tips: readonly string[]): Promise<History | undefined> {
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

/** The newest commits that the tip shares with the others; none of them was made from another. Pure. */
export function sharedWith(tip: string, others: readonly string[], history: History): readonly string[] {
  const { shared, parents, reached } = history;
  const mine = reached.get(tip);
  const newest = others.map((other) => {
    const hers = reached.get(other);
    return [...parents.keys()].find((commit) => mine?.has(commit) && hers?.has(commit)) ?? shared;
  });
  const all = [...new Set(newest)];
  return all.filter((one) => !all.some((other) => other !== one && reachedFrom(other, parents).has(one)));
}

/** The commits of the tip that none of the others has. Pure. */
export function ownCommits(tip: string, others: readonly string[], { reached }: History): readonly string[] {
  const sets = others.flatMap((other) => reached.get(other) ?? []);
  return [...(reached.get(tip) ?? [])].filter((commit) => !sets.some((set) => set.has(commit)));
}
