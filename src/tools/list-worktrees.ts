import { defined } from '../model/defined.ts';
import { CrewError } from '../model/errors.ts';
import { counted } from '../model/plural.ts';
import { type WorktreesRequest, worktreesInput, worktreesOutput } from '../wire/worktrees.ts';
import { worktreeLine } from './git-words.ts';
import { defineTool } from './tool.ts';
import { lines } from './words.ts';

export const listWorktrees = defineTool({
  name: 'list_worktrees',
  set: 'git',
  title: 'List worktrees',
  description: `Lists the worktrees of a repository: branch, whose they are, who works there, uncommitted work, ahead and behind, merged, locked, orphaned (git no longer knows it), foreign (crewmux did not make it). Use it to see what is left over. remove_orphans removes only orphans that hold no work; it never touches foreign ones.`,
  input: worktreesInput,
  output: worktreesOutput,
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  async handler(crew, args, { here }) {
    const { project, repoPath = project } = await crew.place({ project: folderIn(args), ...defined({ here }) });
    return crew.worktrees({ repoPath, removeOrphans: args.remove_orphans });
  },
  text: ({ worktrees, orphan_count, removed_count }) =>
    lines([
      `${counted(worktrees.length, 'worktree')}, ${counted(orphan_count, 'orphan')}, ${removed_count} removed.`,
      ...worktrees.map(worktreeLine),
    ]),
});

function folderIn({ repo_path: repo, project_path: project }: WorktreesRequest): string {
  if (repo === undefined || project === undefined || repo === project) return repo ?? project ?? 'auto';
  throw new CrewError(
    'invalid_argument',
    `repo_path is ${JSON.stringify(repo)} and project_path is ${JSON.stringify(project)}: they name one folder.`,
    'Pass one of them.',
  );
}
