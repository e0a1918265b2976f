import { worktreesInput, worktreesOutput } from '../wire/worktrees.ts';
import { worktreeLine } from './git-words.ts';
import { defineTool } from './tool.ts';
import { lines } from './words.ts';

export const listWorktrees = defineTool({
  name: 'list_worktrees',
  title: 'List worktrees',
  description: `Lists the worktrees of a repository: branch, commit, whose they are and who works there, uncommitted work, commits ahead of and behind their base, merged (also by squash or rebase), detached, locked, prunable, an unfinished merge or rebase. An orphan is a folder that git no longer knows; a foreign one crewmux did not make. Use it to see what is left over. With remove_orphans those that hold no work are removed; ones with uncommitted or unreachable work stay, and branches always stay. To end a worker with its worktree use close_workers. It never touches worktrees that crewmux did not make.`,
  input: worktreesInput,
  output: worktreesOutput,
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  handler: (crew, args) => crew.worktrees({ repoPath: args.repo_path, removeOrphans: args.remove_orphans }),
  text: ({ worktrees, orphan_count, removed_count }) =>
    lines([
      `${worktrees.length} worktrees, ${orphan_count} orphans, ${removed_count} removed.`,
      ...worktrees.map(worktreeLine),
    ]),
});
