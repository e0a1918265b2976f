import { mergeInput, mergeOutput } from '../wire/landing.ts';
import { defineTool } from './tool.ts';
import { lines } from './words.ts';

export const mergeWorker = defineTool({
  name: 'merge_worker',
  title: 'Land a worker',
  description: `Merges a worker's branch into the branch it was begun from. Use it when an idle worker's work is done and reviewed with diff_worker. What is uncommitted is committed on its branch first; merge and tests run in a scratch worktree, and the target moves only when all is well. Conflicts change nothing: the answer names the files, both sides' commits and a prompt for the worker, which send_back sends. A checkout of the target comes along with its edits of other files; a file in the way there refuses the landing by name. Pushes nothing; the worker's branch is kept and not rewritten.`,
  input: mergeInput,
  output: mergeOutput,
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  shed: ['tests'],
  handler: (crew, args, call) => crew.merge(args, call),
  text: ({ outcome, branch, target, to_commit, tests, conflicts, file_count, checkout, reason }) =>
    lines([
      `${branch} -> ${target}: ${outcome} at ${to_commit.slice(0, 12)}, ${file_count} files, tests ${tests.status}, checkout ${checkout}.`,
      ...conflicts.map(({ file }) => `conflict: ${file}`),
      ...(reason === undefined ? [] : [reason]),
    ]),
});
