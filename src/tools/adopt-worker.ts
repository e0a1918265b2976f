import { defined } from '../model/defined.ts';
import { CrewError } from '../model/errors.ts';
import { adoptInput, adoptOutput } from '../wire/starting.ts';
import { defineTool } from './tool.ts';
import { lines, workerLine } from './words.ts';

export const adoptWorker = defineTool({
  name: 'adopt_worker',
  title: 'Adopt a worker',
  description: `Takes over an agent that is already running: one found by discover_workers, or a worker whose manager is gone, with all its fields. Use it to bring such an agent into the crew. Name it by exactly one of session_id, tmux_pane_id or agent_session_id. Workers of a dead manager of the same crew are taken over by themselves, so this is seldom needed after a restart. The worker of another live manager needs force, and that manager is told. It does not start, restart or type into the agent; a new one comes from spawn_workers.`,
  input: adoptInput,
  output: adoptOutput,
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  handler(crew, args) {
    const named = [args.session_id, args.tmux_pane_id, args.agent_session_id].filter((ref) => ref !== undefined);
    const { session_id: worker, tmux_pane_id: paneId, agent_session_id: agentSessionId, session_name: name } = args;
    const { force } = args;
    if (named.length === 1) return crew.adopt({ force, ...defined({ worker, paneId, agentSessionId, name }) });
    throw new CrewError(
      'invalid_argument',
      `${named.length} of session_id, tmux_pane_id and agent_session_id are given; exactly one names the agent.`,
      'Call discover_workers and pass the tmux_pane_id of the one you mean.',
    );
  },
  text: ({ message, session }) => lines([message, workerLine(session)]),
});
