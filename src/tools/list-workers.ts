import { z } from 'zod';
import { statuses } from '../model/worker.ts';
import { path } from './parameters.ts';
import { attention, list, shortened, spareWorkerFields, worker } from './shapes.ts';
import { defineTool } from './tool.ts';
import { attentionLines, lines, workerLine } from './words.ts';

export const listWorkers = defineTool({
  name: 'list_workers',
  title: 'List workers',
  description: `Lists the workers of the crew with their status, the evidence for it, where they work, and who needs someone. Use it to find ids and names, also after a restart: workers outlive this server. For one worker in depth use examine_worker, for a summary with suggested next calls crew_status, for agents crewmux did not start discover_workers. It does not wait.`,
  input: z.strictObject({
    status_filter: z.enum(statuses).exactOptional().describe('Only workers with this status.'),
    project_filter: path
      .exactOptional()
      .describe('Only workers whose project, repository or worktree path contains this.'),
    include_closed: z.boolean().default(false).describe('List closed workers too.'),
  }),
  output: z.object({ workers: list(worker), count: z.number(), attention: list(attention), ...shortened }),
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  alwaysLoad: true,
  shed: spareWorkerFields,
  handler: (crew, args) => crew.list(args),
  text: ({ workers, attention }) =>
    lines(workers.length === 0 ? ['No workers.'] : [...workers.map(workerLine), ...attentionLines(attention)]),
});
