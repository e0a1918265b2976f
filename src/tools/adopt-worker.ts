import { defined } from '../model/defined.ts';
import { CrewError } from '../model/errors.ts';
import { adoptInput, adoptOutput } from '../wire/starting.ts';
import { defineTool } from './tool.ts';
import { lines, workerLine } from './words.ts';

export const adoptWorker = defineTool({
  name: 'adopt_worker',
  set: 'admin',
  title: 'Adopt a worker',
  description: `Takes over an agent that already runs: one found by discover_workers, or a worker whose manager is gone. Use it to bring such an agent into the crew. Name it by exactly one of session_id, tmux_pane_id, agent_session_id. Another live manager's worker needs force, and that manager is told. It does not start or type into the agent.`,
  input: adoptInput,
  output: adoptOutput,
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  handler(crew, args) {
    const named = [args.session_id, args.tmux_pane_id, args.agent_session_id].filter((ref) => ref !== undefined);
    const { session_id: worker, tmux_pane_id: paneId, agent_session_id: agentSessionId, session_name: name } = args;
    const { force, max_age: maxAgeSeconds } = args;
    if (named.length === 1)
      return crew.adopt({ force, ...defined({ worker, paneId, agentSessionId, name, maxAgeSeconds }) });
    throw new CrewError(
      'invalid_argument',
      `${named.length} of session_id, tmux_pane_id and agent_session_id are given; exactly one names the agent.`,
      'Call discover_workers and pass the tmux_pane_id of the one you mean.',
    );
  },
  text: ({ message, session }) => lines([message, workerLine(session)]),
});
