// `crewmux sessions`: every session of the agents of this user in a table, or their to-do items.
import type { Examiner } from '../crew/api.ts';
import { cell } from '../draw/terminal-text.ts';
import { oneLine, plainJson } from '../model/plain-text.ts';
import { counted } from '../model/plural.ts';
import type { SessionsResult } from '../wire/sessions.ts';
import { tokensOf } from '../wire/usage.ts';
import { age, inOneLine } from './paint.ts';

export interface SessionsOrder {
  readonly tasks: boolean;
  readonly all: boolean;
  readonly json: boolean;
}

export interface SessionsWorld {
  readonly examiner: Pick<Examiner, 'agentSessions'>;
  readonly now: number;
  readonly columns?: number;
  readonly userHome: string;
  readonly write: (text: string) => number;
}

const most = 200;

export async function sessions({ tasks, all, json }: SessionsOrder, world: SessionsWorld): Promise<number> {
  const { examiner, write } = world;
  const query = { view: tasks ? 'tasks' : 'sessions', active_only: !all, limit: most } as const;
  const result = await examiner.agentSessions(query);
  return write(json ? plainJson(result) : `${textOf(result, world).join('\n')}\n`);
}

/** Pure. */
function textOf(result: SessionsResult, world: Pick<SessionsWorld, 'now' | 'columns' | 'userHome'>): readonly string[] {
  const rows = result.tasks === undefined ? sessionRows(result, world) : taskRows(result, world);
  const more = result.cursor === undefined ? [] : ['There are more; --json gives the cursor for a tool call.'];
  const warnings = (result.warnings ?? []).map((warning) => oneLine(warning));
  const below = [...more, ...warnings];
  return [...rows, ...(below.length === 0 ? [] : ['', ...below])];
}

function sessionRows(
  { sessions = [] }: SessionsResult,
  { now, columns = 200, userHome }: Omit<SessionsWorld, 'write' | 'examiner'>,
) {
  if (sessions.length === 0) return ['No session is open. `crewmux sessions --all` shows those that have ended.'];
  const isCounted = sessions.some(({ usage }) => usage !== undefined);
  const rows = sessions.map((one) => {
    const { pending, in_progress, completed } = one.tasks;
    const total = pending + in_progress + completed;
    return [
      one.status,
      one.kind === 'interactive' ? one.agent_type : `${one.agent_type}, ${one.kind}`,
      age(now - Date.parse(one.last_activity)),
      one.agent_session_id,
      total === 0 ? '-' : `${completed}/${total}`,
      ...(isCounted ? [one.usage === undefined ? '-' : tokensOf(one.usage)] : []),
      homely(one.project_path, userHome),
      one.current_task ?? one.title ?? '',
    ];
  });
  const strangers = sessions.filter(({ worker, status }) => worker === undefined && status !== 'ended').length;
  return [
    ...table(
      ['STATE', 'AGENT', 'AGE', 'SESSION', 'DONE', ...(isCounted ? ['TOKENS'] : []), 'PROJECT', 'WORKS ON'],
      rows,
      columns,
    ),
    ...(strangers === 0
      ? []
      : ['', `${counted(strangers, 'session')} in no crew: \`crewmux adopt <session>\` takes one that runs in tmux.`]),
  ];
}

function taskRows(
  { tasks = [] }: SessionsResult,
  { columns = 200, userHome }: Omit<SessionsWorld, 'write' | 'examiner'>,
) {
  if (tasks.length === 0) return ['No to-do items.'];
  const rows = tasks.map((one) => [
    one.status.replace('_', ' '),
    one.agent_session_id,
    homely(one.project_path, userHome),
    one.blocked_by.length === 0 ? one.subject : `${one.subject} (waits for ${one.blocked_by.join(', ')})`,
  ]);
  return table(['STATE', 'SESSION', 'PROJECT', 'ITEM'], rows, columns);
}

const widest = 44;
const leastLast = 20;

/** The last column takes what is left. */
function table(head: readonly string[], rows: readonly (readonly string[])[], columns: number): readonly string[] {
  const plainRows = [head, ...rows].map((row) => row.map(oneLine));
  const widths = head
    .slice(0, -1)
    .map((_, at) => Math.min(widest, Math.max(...plainRows.map((row) => row[at]?.length ?? 0))));
  const left = Math.max(leastLast, columns - widths.reduce((sum, one) => sum + one + 2, 0) - 1);
  return plainRows.map((row) =>
    [...widths.map((width, at) => cell(row[at] ?? '', width)), inOneLine(row.at(-1) ?? '', left)].join('  ').trimEnd(),
  );
}

const homely = (path: string, userHome: string): string =>
  path.startsWith(`${userHome}/`) ? `~${path.slice(userHome.length)}` : path;
