// What of a repository keeps workers from a worktree, or their work from a branch. Pure.
import { type Finding, ok, warn } from '../../../wire/doctor.ts';
import type { FolderFacts } from '../../../worktree/git/inspect.ts';

const check = 'project';

export interface RepositoryLook {
  readonly folder: Pick<FolderFacts, 'mainRepoPath' | 'isBare' | 'head'>;
  readonly hasSubmodules: boolean;
  /** `worktrees.submodules`. */
  readonly takesSubmodules: boolean;
}

/** Every matter that is not well; one that says so where all is. */
export function repositoryFindings({ folder, hasSubmodules, takesSubmodules }: RepositoryLook): readonly Finding[] {
  const { mainRepoPath: path, isBare, head } = folder;
  const wrong = [
    ...(isBare
      ? [
          warn(
            check,
            `${path} is a bare repository, without a checkout`,
            'Work in a worktree of it (`git worktree add`).',
          ),
        ]
      : []),
    ...(head.sha === undefined
      ? [warn(check, `${path} has no commit yet, so workers get no worktree`, 'Commit once.')]
      : []),
    ...(head.sha !== undefined && head.branch === undefined
      ? [
          warn(
            check,
            `HEAD of ${path} is detached at ${head.sha.slice(0, 12)}: work that begins there has no branch to land on`,
            'Check out a branch, or name a base for each worker.',
          ),
        ]
      : []),
    ...(hasSubmodules && !takesSubmodules
      ? [
          warn(
            check,
            `${path} has submodules, and worktrees of workers begin with empty folders in their place`,
            'Run `crewmux config set worktrees.submodules true`.',
          ),
        ]
      : []),
  ];
  if (wrong.length > 0) return wrong;
  const more = hasSubmodules ? ', and worktrees get its submodules' : '';
  return [ok(check, `${path} is a git repository${more}`)];
}
