import { counted } from '../model/plural.ts';
import { discoverInput, discoverOutput } from '../wire/starting.ts';
import { defineTool } from './tool.ts';
import { lines } from './words.ts';

export const discoverWorkers = defineTool({
  name: 'discover_workers',
  set: 'admin',
  title: 'Discover workers',
  description: `Finds coding agents that run in any tmux server of this user, also ones that crewmux did not start. Use it to find a pane for adopt_worker. For the crew itself list_workers is enough. It only looks: nothing is adopted, typed or changed.`,
  input: discoverInput,
  output: discoverOutput,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  handler: (crew, args) => crew.discover({ maxAgeSeconds: args.max_age }),
  text: ({ sessions, unmanaged_count }) =>
    lines([
      `${counted(sessions.length, 'agent')} found, ${unmanaged_count} without a manager.`,
      ...sessions.map(
        ({ backend_id, agent_type, status, project_path, already_managed }) =>
          `${backend_id}: ${agent_type}, ${status}, in ${project_path}${already_managed ? ', managed' : ''}`,
      ),
    ]),
});
