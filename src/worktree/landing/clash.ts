// Whether two pieces of work would merge, found without any worktree.
import pLimit from 'p-limit';
import { repoPlace } from '../branch.ts';
import type { Repo } from '../inspect.ts';
import { nulEnded } from '../porcelain.ts';
import { readGit, tryReadGit } from '../repo.ts';
import { mergeTrees } from './stage.ts';

export interface Clash {
  /** Files on which a merge would stop. */
  readonly conflicts: readonly string[];
  /** Files that both have changed since they parted; some of them may merge all the same. */
  readonly bothEdited: readonly string[];
}

const atOnce = pLimit(4);
const mostKept = 2_000;

/** Keeps what it has found: the same two commits never clash in another way. */
export class Clashes {
  readonly #known = new Map<string, Promise<Clash>>();

  between(repo: Repo, ours: string, theirs: string): Promise<Clash> {
    const key = [repo.gitCommonDir, ...[ours, theirs].sort()].join(' ');
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const found = atOnce(() => clashOf(repo, ours, theirs));
    this.#known.set(key, found);
    // What failed may succeed the next time.
    found.catch(() => this.#known.delete(key));
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= mostKept) break;
      this.#known.delete(oldest);
    }
    return found;
  }
}

async function clashOf(repo: Repo, ours: string, theirs: string): Promise<Clash> {
  const result = await tryReadGit(repoPlace(repo), ['merge-base', ours, theirs]);
  const base = result.exitCode === 0 ? result.stdout.trim() : undefined;
  if (base === ours || base === theirs) return { conflicts: [], bothEdited: [] };
  const [merged, mine, yours] = await Promise.all([
    mergeTrees(repo, ours, theirs),
    base === undefined ? [] : editedSince(repo, base, ours),
    base === undefined ? [] : editedSince(repo, base, theirs),
  ]);
  const hers = new Set(yours);
  return { conflicts: merged.conflicts, bothEdited: mine.filter((path) => hers.has(path)) };
}

async function editedSince(repo: Repo, base: string, tip: string): Promise<readonly string[]> {
  const printed = await readGit(repoPlace(repo), ['diff-tree', '-r', '--name-only', '--no-renames', '-z', base, tip]);
  return nulEnded(printed);
}
