import { closeInput, closeOutput } from '../wire/starting.ts';
import { atMostOne, exactlyOne } from './job-tool.ts';
import { defineTool } from './tool.ts';
import { alike, meant, refuseEveryone } from './whom.ts';
import { lines } from './words.ts';

export const closeWorkers = defineTool({
  name: 'close_workers',
  set: 'core',
  title: 'Close workers',
  description: `Ends workers for good: agent, process tree, pane. Use it when their work is done and read. Branches are always kept; a worktree goes only when nothing would be lost. force also closes a working or another manager's worker, and saves its worktree for restore_work before it goes. To stop only the turn use interrupt_workers. It merges nothing.`,
  input: closeInput,
  output: closeOutput,
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  async handler(crew, { session_ids: asked, role, status, force }, call) {
    exactlyOne({ session_ids: asked, role, status });
    atMostOne({ role, force: force || undefined });
    atMostOne({ status, force: force || undefined });
    if (force && asked !== undefined) refuseEveryone(asked, 'force');
    const session_ids = asked === undefined ? await alike(crew, { role, status }) : await meant(crew, asked);
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
