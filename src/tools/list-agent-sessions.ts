import { defined } from '../model/defined.ts';
import { counted } from '../model/plural.ts';
import { sessionsInput, sessionsOutput } from '../wire/sessions.ts';
import { tokensOf, usageWords } from '../wire/usage.ts';
import { defineTool } from './examiner.ts';
import { lines } from './words.ts';

export const listAgentSessions = defineTool({
  name: 'list_agent_sessions',
  set: 'admin',
  title: 'List agent sessions',
  description: `Lists every Claude Code and Codex session of this user, in the crew or not, from their own files: what it works on, its to-do items, whether it lives. Use it to see who else is at work, or to find a past session to resume. For the crew use list_workers, for a pane to adopt discover_workers. It changes nothing.`,
  input: sessionsInput,
  output: sessionsOutput,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  handler: (examiner, args, { here }) => examiner.agentSessions({ ...args, ...defined({ here }) }),
  text: ({ sessions, tasks, overview, cursor, warnings = [] }) =>
    lines([
      ...(sessions === undefined ? [] : [`${counted(sessions.length, 'session')}.`]),
      ...(sessions ?? []).map(
        ({ agent_session_id, agent_type, status, usage, project_path, title }) =>
          `${agent_session_id}: ${agent_type}, ${status}, ${usage === undefined ? '' : `${tokensOf(usage)} tokens, `}in ${project_path}${title === undefined ? '' : `: ${title}`}`,
      ),
      ...(tasks === undefined ? [] : [`${counted(tasks.length, 'to-do item')}.`]),
      ...(tasks ?? []).map(({ agent_session_id, status, subject }) => `${status}: ${subject} (${agent_session_id})`),
      ...Object.entries(overview?.by_status ?? {}).map(([status, count]) => `${status}: ${count}`),
      ...(overview?.usage_today === undefined ? [] : [`Used today: ${usageWords(overview.usage_today)}`]),
      ...(cursor === undefined ? [] : ['There are more; pass the cursor for them.']),
      ...warnings,
    ]),
});
