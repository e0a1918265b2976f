// Every session of the agents of this user, in a crew or not.
import { z } from 'zod';
import { sessionKinds, sessionStates, todoStates } from '../model/session-words.ts';
import { evidenceSources } from '../model/turn.ts';
import { list, path, type Shape, workerRef } from './parts.ts';
import { usage } from './usage.ts';

export const sessionsInput = z.strictObject({
  project_path: path.exactOptional().describe('Only sessions in this folder or below; "auto" is this project.'),
  session_id: workerRef.exactOptional().describe("One agent session, ended or not, with its subagents; or a worker's."),
  active_only: z.boolean().default(true).describe('Leave out sessions that have ended.'),
  view: z
    .enum(['sessions', 'tasks', 'overview'])
    .default('sessions')
    .describe('tasks: their to-do items. overview: counts, and what changed last.'),
  limit: z.int().min(1).max(500).default(50).describe('Rows at most.'),
  cursor: z.string().min(1).max(500).exactOptional().describe('Of the answer before, for its next rows.'),
});
export type SessionsQuery = Shape<typeof sessionsInput>;

const counts = z.record(z.string(), z.number());
const tasks = z.object({ pending: z.number(), in_progress: z.number(), completed: z.number() });
const status = z.enum(sessionStates);
const time = z.string();

const session = z.object({
  agent_session_id: z.string(),
  agent_type: z.string(),
  project_path: z.string(),
  branch: z.string().exactOptional(),
  status,
  evidence: z.object({ source: z.enum(evidenceSources), at: time, detail: z.string() }),
  pid: z.number().exactOptional(),
  started_at: time,
  last_activity: time,
  title: z.string().exactOptional(),
  current_task: z.string().exactOptional(),
  tasks,
  usage: usage.exactOptional(),
  worker: z.string().exactOptional(),
  kind: z.enum(sessionKinds),
});
export type SessionView = Shape<typeof session>;

const todo = z.object({
  agent_session_id: z.string(),
  project_path: z.string(),
  subject: z.string(),
  active_form: z.string().exactOptional(),
  status: z.enum(todoStates),
  blocked_by: list(z.string()),
});
export type TodoView = Shape<typeof todo>;

const change = session.pick({
  agent_session_id: true,
  agent_type: true,
  project_path: true,
  status: true,
  last_activity: true,
  title: true,
});

export const sessionsOutput = z.object({
  sessions: list(session).exactOptional(),
  tasks: list(todo).exactOptional(),
  overview: z
    .object({
      by_status: counts,
      by_project: counts,
      by_agent: counts,
      usage_today: usage.exactOptional(),
      newest: list(change),
    })
    .exactOptional(),
  cursor: z.string().exactOptional(),
  warnings: list(z.string()).exactOptional(),
});
export type SessionsResult = Shape<typeof sessionsOutput>;
