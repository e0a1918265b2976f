import { z } from 'zod';
import { list, shortened } from './shapes.ts';
import { defineTool } from './tool.ts';
import { lines } from './words.ts';

export const discoverWorkers = defineTool({
  name: 'discover_workers',
  title: 'Discover workers',
  description: `Finds coding agents that run in any tmux server of this user, also ones that crewmux did not start. Use it to find a pane for adopt_worker. For the crew itself list_workers is enough. It only looks: nothing is adopted, typed or changed.`,
  input: z.strictObject({
    max_age: z
      .number()
      .min(0)
      .max(31_536_000)
      .default(3600)
      .describe('Leave out agents whose conversation has been silent for more than this many seconds.'),
  }),
  output: z.object({
    sessions: list(
      z.object({
        backend_id: z.string(),
        tmux_pane_id: z.string(),
        tmux_socket: z.string(),
        project_path: z.string(),
        agent_type: z.string(),
        agent_session_id: z.string().nullable(),
        status: z.string(),
        last_assistant_preview: z.string().nullable(),
        already_managed: z.boolean(),
        managed_by: z.string().exactOptional(),
        not_adoptable: z.string().exactOptional(),
      }),
    ),
    count: z.number(),
    unmanaged_count: z.number(),
    ...shortened,
  }),
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  handler: (crew, args) => crew.discover(args),
  text: ({ sessions, unmanaged_count }) =>
    lines([
      `${sessions.length} agents found, ${unmanaged_count} without a manager.`,
      ...sessions.map(
        ({ backend_id, agent_type, status, project_path, already_managed }) =>
          `${backend_id}: ${agent_type}, ${status}, in ${project_path}${already_managed ? ', managed' : ''}`,
      ),
    ]),
});
