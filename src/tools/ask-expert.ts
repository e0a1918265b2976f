import { defined } from '../model/defined.ts';
import { expertInput, expertOutput } from '../wire/experts.ts';
import { defineTool, waitMs } from './tool.ts';
import { lines, warningLines } from './words.ts';

export const askExpert = defineTool({
  name: 'ask_expert',
  set: 'core',
  title: 'Ask an expert',
  description: `Asks another agent one question about the project and returns its answer: no pane, no worktree, no changed file. Use it for a second opinion or a look through unknown code; for work use spawn_workers. timed_out has what came by then; resume asks further.`,
  input: expertInput,
  output: expertOutput,
  hints: { readOnly: true, destructive: false, idempotent: false, openWorld: true },
  handler: (crew, { agent_type: agentType, project_path: project, timeout, ...order }, call) =>
    crew.askExpert(
      { ...order, project, timeoutMs: waitMs(timeout, call), ...defined({ agentType, here: call.here }) },
      call,
    ),
  text: ({ answer, truncated, path, agent_session_id, duration_seconds, warnings = [] }) =>
    lines([
      ...warningLines(warnings),
      `The expert answered after ${duration_seconds} s; ask further with resume: ${agent_session_id}`,
      ...(truncated === true ? [`Shortened; the whole is in ${path ?? 'no file'}.`] : []),
      answer,
    ]),
});
