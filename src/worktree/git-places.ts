// Which of git's own folders a commit in a linked worktree writes, and which files there nobody but git itself may.
import { join } from 'node:path';

export interface GitDirs {
  /** Of the worktree. */
  readonly gitDir: string;
  /** Of the repository. */
  readonly commonDir: string;
}

/** What a commit on a branch writes; git keeps all branches in one folder. Pure. */
export const writtenByCommit = ({ gitDir, commonDir }: GitDirs): readonly string[] => [
  gitDir,
  ...['objects', 'refs/heads', 'logs/refs/heads'].map((name) => join(commonDir, name)),
];

/** What says where a worktree belongs, what the repository and its main checkout are set to, and refs of others. Pure. */
export const guardedFromCommit = ({ gitDir, commonDir }: GitDirs): readonly string[] => [
  ...['commondir', 'gitdir', 'config.worktree', 'crewmux-worktree.json'].map((name) => join(gitDir, name)),
  ...['HEAD', 'index', 'config', 'config.worktree', 'packed-refs', 'info', 'hooks', 'modules', 'objects/info'].map(
    (name) => join(commonDir, name),
  ),
  ...['refs/remotes', 'refs/tags', 'refs/crewmux'].map((name) => join(commonDir, name)),
];
