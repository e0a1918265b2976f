// The three views on a look: sessions, to-do items and an overview, by pages. Pure but for the reading of to-do items and usage.
import type { Todo } from '../agents/agent-sessions.ts';
import { defined, unlessEmpty } from '../model/defined.ts';
import type { SessionsQuery, SessionsResult, SessionView, TodoView } from '../wire/sessions.ts';
import type { Session, SessionsLook } from './look.ts';
import type { UsageLook, UsageToday } from './usage-look.ts';

export interface SessionsViewQuery extends SessionsQuery {
  /** The folder that is asked for, absolute and real. */
  readonly folder?: string;
  /** The id of a worker of ours, by that of its conversation. */
  readonly workerOf: (agentSessionId: string) => string | undefined;
  readonly usage: UsageLook;
}

const newestChanges = 20;
/** An answer has room for so much JSON. */
const pageChars = 38_000;

export async function viewOf({ sessions, warnings }: SessionsLook, asked: SessionsViewQuery): Promise<SessionsResult> {
  const wanted = sessions.filter((one) => isWanted(one, asked));
  const said = defined({ warnings: unlessEmpty(warnings) });
  if (asked.view === 'overview') {
    const today = await asked.usage.today(sessions.filter((one) => isWanted(one, { ...asked, active_only: false })));
    const all = defined({ warnings: unlessEmpty([...warnings, ...today.warnings]) });
    return { overview: overviewOf(wanted, today), ...all };
  }
  if (asked.view === 'tasks') {
    const rows = (await Promise.all(wanted.map(todoRows))).flat();
    const { page: tasks, cursor } = await pageOf(rows, asked, async ({ view }) => view);
    return { tasks, ...defined({ cursor }), ...said };
  }
  const rows = wanted.map((session) => ({ key: keyOf(session), session }));
  const { page, cursor } = await pageOf(rows, asked, ({ session }) => viewed(session, asked));
  return { sessions: page, ...defined({ cursor }), ...said };
}

/** A session that is asked for by its id is shown ended too. */
function isWanted(session: Session, { session_id: id, active_only: isActive, folder }: SessionsViewQuery): boolean {
  const { projectPath } = session;
  if (folder !== undefined && projectPath !== folder && !projectPath.startsWith(`${folder}/`)) return false;
  if (id !== undefined) return session.agentSessionId === id || session.parent === id;
  return !isActive || session.status !== 'ended';
}

/** Sorts the newest first, and does not change while a session rests. */
const keyOf = ({ lastActivityAt, agentSessionId }: Session): string =>
  `${String(1e15 - Math.floor(lastActivityAt)).padStart(16, '0')} ${agentSessionId}`;

/** The rows behind the cursor, as many as are asked for and fit. */
async function pageOf<Row extends { readonly key: string }, View>(
  rows: readonly Row[],
  { cursor, limit }: Pick<SessionsViewQuery, 'cursor' | 'limit'>,
  view: (row: Row) => Promise<View>,
): Promise<{ readonly page: readonly View[]; readonly cursor?: string }> {
  const sorted = rows.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const rest = cursor === undefined ? sorted : sorted.filter(({ key }) => key > cursor);
  const views = await Promise.all(rest.slice(0, limit).map(view));
  let room = pageChars;
  const full = views.findIndex((one, at) => {
    room -= JSON.stringify(one).length + 1;
    return room < 0 && at > 0;
  });
  const page = full < 0 ? views : views.slice(0, full);
  return { page, ...defined({ cursor: page.length < rest.length ? rest[page.length - 1]?.key : undefined }) };
}

const iso = (at: number): string => new Date(at).toISOString();

async function viewed(
  session: Session,
  { workerOf, usage }: Pick<SessionsViewQuery, 'workerOf' | 'usage'>,
): Promise<SessionView> {
  const { agentSessionId, judged, todos } = session;
  const { evidence, pid } = judged;
  const [items, used] = await Promise.all([todos(), usage.of(session)]);
  const doing = items.find(({ status }) => status === 'in_progress');
  const count = (wanted: Todo['status']) => items.filter(({ status }) => status === wanted).length;
  return {
    ...shortly(session),
    kind: session.kind,
    started_at: iso(session.startedAt),
    evidence: { ...evidence, at: iso(evidence.at) },
    tasks: { pending: count('pending'), in_progress: count('in_progress'), completed: count('completed') },
    ...defined({
      branch: session.branch,
      pid,
      current_task: doing && clip(doing.activeForm ?? doing.subject),
      usage: used,
      worker: workerOf(agentSessionId),
    }),
  };
}

const shortly = ({ agentSessionId, agentType, projectPath, status, lastActivityAt, title }: Session) => ({
  agent_session_id: agentSessionId,
  agent_type: agentType,
  project_path: projectPath,
  status,
  last_activity: iso(lastActivityAt),
  ...defined({ title }),
});

const ranks = { in_progress: 0, pending: 1, completed: 2 } as const;
const longestItem = 300;
const clip = (text: string): string => (text.length > longestItem ? `${text.slice(0, longestItem - 1)}…` : text);

async function todoRows(session: Session): Promise<readonly { readonly key: string; readonly view: TodoView }[]> {
  const items = await session.todos();
  return items.map(({ subject, activeForm, status, blockedBy }, at) => ({
    key: `${ranks[status]} ${keyOf(session)} ${String(at).padStart(6, '0')}`,
    view: {
      agent_session_id: session.agentSessionId,
      project_path: session.projectPath,
      subject: clip(subject),
      status,
      blocked_by: blockedBy,
      ...defined({ active_form: activeForm && clip(activeForm) }),
    },
  }));
}

function overviewOf(sessions: readonly Session[], today: UsageToday): NonNullable<SessionsResult['overview']> {
  const countsBy = (word: (one: Session) => string): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const one of sessions) counts[word(one)] = (counts[word(one)] ?? 0) + 1;
    return counts;
  };
  return {
    by_status: countsBy(({ status }) => status),
    by_project: countsBy(({ projectPath }) => projectPath),
    by_agent: countsBy(({ agentType }) => agentType),
    ...defined({ usage_today: today.usage }),
    newest: sessions.slice(0, newestChanges).map(shortly),
  };
}
