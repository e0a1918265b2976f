import { closeInput, closeOutput } from '../wire/starting.ts';
import { defineTool } from './tool.ts';
import { lines } from './words.ts';

export const closeWorkers = defineTool({
  name: 'close_workers',
  title: 'Close workers',
  description: `Ends workers for good: the agent politely, then its whole process tree, then the pane. Use it when their work is done and read. Branches are always kept; a worktree goes only when nothing would be lost. A working worker, or one of another live manager, is refused without force. force closes it all the same and removes the worktree after saving everything in it; restore_work brings it back. To stop only the turn use interrupt_workers; to start again restart_workers. It merges nothing.`,
  input: closeInput,
  output: closeOutput,
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  async handler(crew, { session_ids, force }, call) {
    const results = await crew.close({ workers: session_ids, force }, call);
    const outcomes = Object.values(results);
    const success_count = outcomes.filter(({ success }) => success).length;
    return { session_ids, results, success_count, failure_count: outcomes.length - success_count };
  },
  text: ({ results }) =>
    lines(
      Object.entries(results).map(([ref, { success, worktree, branch, salvage, warning }]) =>
        [
          `${ref}: ${success ? 'closed' : 'not closed'}, worktree ${worktree}, branch ${branch ?? 'none'}.`,
          salvage === undefined ? '' : `Saved as ${salvage}`,
          warning ?? '',
        ]
          .filter((part) => part !== '')
          .join(' '),
      ),
    ),
});
