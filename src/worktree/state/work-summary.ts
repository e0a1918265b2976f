// Branch, commits ahead and files not committed of many worktrees, with as few calls of git as that takes.
import { defined } from '../../model/defined.ts';
import { repoPlace } from '../git/branch.ts';
import { gitFoldersOf, movedLink } from '../git/git-link.ts';
import type { Repo } from '../git/inspect.ts';
import { untouchedPrepared } from '../git/prepared.ts';
import { readGit } from '../git/repo.ts';
import { readStatus } from './status.ts';
import { type Base, BaseTips } from './work-state.ts';

export interface WorkSummary {
  /** Undefined where HEAD is detached. */
  readonly branch?: string;
  /** Undefined before the first commit. */
  readonly headSha?: string;
  /** Commits that the base lacks; 0 where there is nothing to compare with. */
  readonly ahead: number;
  /** Files that differ from HEAD or are new; without those that are marked for git to overlook. */
  readonly changedFiles: number;
}

export interface Worktree {
  readonly path: string;
  readonly mainRepoPath: string;
  readonly base?: Base;
}

/** In the order of the worktrees; undefined where git cannot tell of one. */
export async function summarizeWork(
  worktrees: readonly Worktree[],
  env: Repo['env'],
): Promise<readonly (WorkSummary | undefined)[]> {
  const seen = await Promise.all(worktrees.map((one) => statusOf(one, env).catch(() => undefined)));
  const counts = await countAhead(seen.filter((one) => one !== undefined)).catch(() => new Map<string, number>());
  return seen.map((one) => {
    if (one === undefined) return undefined;
    const { branch, headSha, changedFiles } = one;
    return { ...defined({ branch, headSha }), changedFiles, ahead: counts.get(keyOf(one)) ?? 0 };
  });
}

interface Seen extends Omit<WorkSummary, 'ahead'> {
  readonly repo: Repo;
  readonly base: Base | undefined;
}

async function statusOf({ path, mainRepoPath, base }: Worktree, env: Repo['env']): Promise<Seen> {
  const folders = gitFoldersOf(path);
  if (folders?.root !== path || movedLink(path) !== undefined) throw new Error(`${path} is no worktree of its own.`);
  const { sha, branch, changes } = await readStatus({ path, env });
  const isNew = changes.some(({ kind }) => kind === 'untracked');
  const ours = isNew ? await untouchedPrepared(folders.gitDir, path) : new Set<string>();
  return {
    ...defined({ branch, headSha: sha }),
    changedFiles: changes.filter((one) => !ours.has(one.path)).length,
    repo: { mainRepoPath, gitCommonDir: folders.commonDir, env },
    base,
  };
}

const keyOf = ({ repo, base, headSha }: Seen): string =>
  JSON.stringify([repo.gitCommonDir, base?.ref, base?.sha, headSha]);

/** One walk for all heads that have the same base. */
async function countAhead(all: readonly Seen[]): Promise<ReadonlyMap<string, number>> {
  const tips = new BaseTips();
  const groups = new Map<string, Seen[]>();
  for (const one of all) {
    const key = JSON.stringify([one.repo.gitCommonDir, one.base?.ref, one.base?.sha]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const counted = await Promise.all(
    [...groups.values()].map(async (group) => {
      const [first] = group;
      const tip = first && (await tips.of(repoPlace(first.repo), first.repo, first.base));
      const heads = group.flatMap(({ headSha }) => headSha ?? []);
      if (first === undefined || tip === undefined || heads.length === 0) return [];
      const listed = await readGit(repoPlace(first.repo), ['rev-list', '--parents', '--stdin'], {
        input: [...new Set(heads), `^${tip}`, ''].join('\n'),
      });
      const parents = parentsIn(listed);
      return group.map((one): [string, number] => [keyOf(one), aheadOf(one.headSha ?? '', parents)]);
    }),
  );
  return new Map(counted.flat());
}

const parentsIn = (listed: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    listed
      .split('\n')
      .filter((line) => line !== '')
      .map((line): [string, readonly string[]] => {
        const [sha = '', ...parents] = line.split(' ');
        return [sha, parents];
      }),
  );

/** How many commits of a listing a head reaches. Pure. */
export function aheadOf(head: string, parents: ReadonlyMap<string, readonly string[]>): number {
  const reached = new Set<string>();
  const open = [head];
  for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
    const next = parents.get(sha);
    if (next === undefined || reached.has(sha)) continue;
    reached.add(sha);
    open.push(...next);
  }
  return reached.size;
}
