// Which workers exist, and which of them are idle.
import { relative } from 'node:path';
import { defined } from '../../model/defined.ts';
import type { Status, WorkerRecord } from '../../model/worker.ts';
import { exists } from '../../system/disk.ts';
import type { CheckIdleResult } from '../../wire/events.ts';
import { isScarce, type UsageView } from '../../wire/usage.ts';
import type { ListResult, WorkerView } from '../../wire/worker.ts';
import { attentionFor } from '../attention/attention.ts';
import { type CrewContext, visibleTo } from '../workers/crew-context.ts';
import { briefly, sharedBy } from '../workers/view.ts';
import { usageSeen } from './usage.ts';

export interface ListQuery {
  readonly status?: Status;
  readonly project?: string;
  readonly includeClosed: boolean;
  readonly fields: 'brief' | 'full';
}

export async function listWorkers(context: CrewContext, query: ListQuery): Promise<ListResult> {
  const { status, project } = query;
  const wantsClosed = query.includeClosed || status === 'closed';
  const records = (project === undefined ? visibleTo(context) : context.roster.records())
    .filter((record) => record.phase !== 'closed' || wantsClosed)
    .filter((record) => project === undefined || isOfProject(record, project));
  const seen = openFirst(records).map(async (record) => ({
    view: await presentView(context, record),
    needs: attentionFor(context, record),
    scarce: scarceUsage(context, record),
  }));
  const shown = (await Promise.all(seen)).filter(({ view }) => status === undefined || view.status === status);
  const attention = shown.flatMap(({ needs }) => needs);
  const views = shown.map(({ view }) => view);
  const shared = sharedBy(views);
  const workers = shown.map(({ view, scarce }) => ({
    ...(query.fields === 'full' ? view : briefly(view, shared)),
    ...defined({ usage: scarce }),
  }));
  return { workers, count: shown.length, attention, ...shared };
}

function scarceUsage(context: CrewContext, record: WorkerRecord): UsageView | undefined {
  const usage = usageSeen(context, record);
  return usage && isScarce(usage) ? usage : undefined;
}

/** A closed worker shows no worktree that is gone: what it did is in the project. */
export async function presentView(context: CrewContext, record: WorkerRecord): Promise<WorkerView> {
  const view = context.roster.view(record);
  const { worktree_path, ...rest } = view;
  if (view.status !== 'closed' || worktree_path === undefined || (await exists(worktree_path))) return view;
  return { ...rest, project_path: view.main_repo_path ?? view.project_path };
}

/** Open workers first, then the closed ones, newest first: a long answer loses its end. Pure. */
export function openFirst<T extends Pick<WorkerRecord, 'phase' | 'endedAt'>>(records: readonly T[]): readonly T[] {
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

export async function checkIdle(
  context: CrewContext,
  query: { readonly workers: readonly string[] },
): Promise<CheckIdleResult> {
  const asked = query.workers.map((id) => ({ id, record: context.roster.resolve(id) }));
  await Promise.all(asked.map(({ record }) => context.roster.following(record.id)?.drain()));
  const idle = asked.map(({ id, record }): [string, boolean] => [id, context.roster.view(record).is_idle]);
  const attention = asked.flatMap(({ record }) => attentionFor(context, record));
  const idleCount = idle.filter(([, isIdle]) => isIdle).length;
  return {
    session_ids: query.workers,
    idle: Object.fromEntries(idle),
    all_idle: idleCount === asked.length,
    idle_count: idleCount,
    busy_count: asked.length - idleCount,
    attention,
  };
}
