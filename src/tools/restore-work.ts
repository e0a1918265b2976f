import { defined } from '../model/defined.ts';
import { counted } from '../model/plural.ts';
import { restoreInput, restoreOutput } from '../wire/worktrees.ts';
import { defineTool } from './tool.ts';
import { lines } from './words.ts';

export const restoreWork = defineTool({
  name: 'restore_work',
  set: 'git',
  title: 'Restore saved work',
  description: `Lists what was saved before worktrees or branches were removed, or brings one of them back as a worktree: files, index, HEAD, branch. Use it when work closed by force or cleaned up is wanted again. ours: false means crewmux has no record of it; it comes into a new folder, on no branch. Overwrites nothing, starts no worker.`,
  input: restoreInput,
  output: restoreOutput,
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  handler: (crew, { salvage_id: salvageId, repo_path: repoPath }) => crew.restore(defined({ salvageId, repoPath })),
  text: ({ salvages, count, restored }) =>
    restored === undefined
      ? lines([
          `${counted(count, 'salvage')}.`,
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
