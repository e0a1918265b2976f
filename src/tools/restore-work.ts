import { defined } from '../model/defined.ts';
import { restoreInput, restoreOutput } from '../wire/worktrees.ts';
import { defineTool } from './tool.ts';
import { lines } from './words.ts';

export const restoreWork = defineTool({
  name: 'restore_work',
  title: 'Restore saved work',
  description: `Lists what was saved before worktrees or branches were removed, or brings one of them back. Use it when work that was closed by force or cleaned up is wanted again; commits of a closed worker are still on its branch. It makes a worktree with files, index, HEAD and branch as they were, at another path or branch where those are taken. One that crewmux has no record of (ours: false) comes into a new folder, on no branch. Overwrites nothing, keeps the salvage, starts no worker.`,
  input: restoreInput,
  output: restoreOutput,
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  handler: (crew, { salvage_id: salvageId, repo_path: repoPath }) => crew.restore(defined({ salvageId, repoPath })),
  text: ({ salvages, count, restored }) =>
    restored === undefined
      ? lines([
          `${count} salvages.`,
          ...salvages.map(
            ({ salvage_id, ours, name, session_id, saved_at, reason, branch, files_changed, files_untracked }) =>
              `${salvage_id}${ours ? '' : ' (not ours, by its own words)'}: ${name ?? session_id ?? 'no worker'} at ${saved_at}, ${reason}; branch ${branch ?? 'none'}, ${files_changed} changed, ${files_untracked} untracked`,
          ),
        ])
      : lines([
          `Restored at ${restored.path} on ${restored.branch ?? 'no branch'}, ${restored.exact ? 'as it was' : 'not wholly as it was'}.`,
          ...restored.notes,
          restored.next,
        ]),
});
