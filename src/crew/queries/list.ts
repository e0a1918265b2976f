// Who there is, and who of them is idle.
import { relative } from 'node:path';
import type { Status, WorkerRecord } from '../../model/worker.ts';
import type { AttentionView } from '../../wire/attention.ts';
import type { WorkerView } from '../../wire/worker.ts';
import { attentionFor } from '../attention/attention.ts';
import type { CrewContext } from '../workers/roster.ts';
import { visibleTo } from '../workers/visible.ts';

export interface ListRequest {
  readonly status_filter?: Status;
  readonly project_filter?: string;
  readonly include_closed: boolean;
}

export async function listWorkers(
  context: CrewContext,
  request: ListRequest,
): Promise<{ workers: readonly WorkerView[]; count: number; attention: readonly AttentionView[] }> {
  const { status_filter, project_filter } = request;
  const wantsClosed = request.include_closed || status_filter === 'closed';
  const records = (project_filter === undefined ? visibleTo(context) : context.roster.records())
    .filter((record) => record.phase !== 'closed' || wantsClosed)
    .filter((record) => project_filter === undefined || isOfProject(record, project_filter));
  const shown = openFirst(records)
    .map((record) => ({ view: context.roster.view(record), needs: attentionFor(context, record) }))
    .filter(({ view }) => status_filter === undefined || view.status === status_filter);
  const attention = shown.flatMap(({ needs }) => needs);
  return { workers: shown.map(({ view }) => view), count: shown.length, attention };
}

/** A long answer is cut at its end: what is open stands first, and of the closed what was closed last. Pure. */
export function openFirst<Listed extends Pick<WorkerRecord, 'phase' | 'endedAt'>>(
  records: readonly Listed[],
): readonly Listed[] {
  const closed = records.filter(({ phase }) => phase === 'closed');
  const open = records.filter(({ phase }) => phase !== 'closed');
  return [...open, ...closed.toSorted((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0))];
}

/** A path means that project and what is below it; any other text is looked for in the project's path. */
export function isOfProject(record: Pick<WorkerRecord, 'projectPath' | 'mainRepoPath'>, filter: string): boolean {
  const paths = [record.projectPath, record.mainRepoPath].filter((path) => path !== undefined);
  if (!filter.startsWith('/')) return paths.some((path) => path.toLowerCase().includes(filter.toLowerCase()));
  return paths.some((path) => !relative(filter, path).startsWith('..'));
}

export async function checkIdle(context: CrewContext, request: { readonly session_ids: readonly string[] }) {
  const asked = request.session_ids.map((id) => ({ id, record: context.roster.resolve(id) }));
  await Promise.all(asked.map(({ record }) => context.roster.following(record.id)?.drain()));
  const idle = asked.map(({ id, record }): [string, boolean] => [id, context.roster.view(record).is_idle]);
  const attention = asked.flatMap(({ record }) => attentionFor(context, record));
  const idleCount = idle.filter(([, isIdle]) => isIdle).length;
  return {
    session_ids: request.session_ids,
    idle: Object.fromEntries(idle),
    all_idle: idleCount === asked.length,
    idle_count: idleCount,
    busy_count: asked.length - idleCount,
    attention,
  };
}
