import { defined } from '../model/defined.ts';
import { counted } from '../model/plural.ts';
import { cleanupInput, cleanupOutput } from '../wire/worktrees.ts';
import { defineTool } from './tool.ts';
import { meant, refuseEveryone } from './whom.ts';
import { lines } from './words.ts';

export const cleanupWorktrees = defineTool({
  name: 'cleanup_worktrees',
  set: 'git',
  title: 'Clean up worktrees',
  description: `Removes worktrees that crewmux made and nobody needs any more. Use it when work has landed; dry_run, the default, only tells. What is uncommitted, unmerged (a squash counts as merged), locked, in use or not ours stays, with the reason. What could be lost is saved first, for restore_work.`,
  input: cleanupInput,
  output: cleanupOutput,
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  async handler(crew, { repo_path: repoPath, session_ids: asked, merged, delete_branches, discard, dry_run }) {
    if (discard && asked !== undefined) refuseEveryone(asked, 'discard');
    const workers = asked && (await meant(crew, asked, 'any'));
    const flags = { merged, deleteBranches: delete_branches, discard, dryRun: dry_run };
    return crew.clean({ ...defined({ repoPath, workers }), ...flags });
  },
  text: ({ worktrees, removed_count, dry_run }) =>
    lines([
      dry_run ? 'Dry run: nothing was removed.' : `${counted(removed_count, 'worktree')} removed.`,
      ...worktrees.map(({ path, action, reason, branch, branch_action, branch_deleted, salvage, restore }) =>
        [
          `${path} (${branch ?? 'no branch'}): ${action}, ${reason}.`,
          branch_action === undefined ? '' : `Branch: ${branch_deleted ? 'deleted' : branch_action}.`,
          salvage === undefined ? '' : `Saved as ${salvage} (${restore} brings it back).`,
        ]
          .filter((part) => part !== '')
          .join(' '),
      ),
    ]),
});
