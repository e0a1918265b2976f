// The manager reads what its workers reported, and may go on from there.
import type { ReportsResult } from '../../wire/reports.ts';
import type { Crew } from '../api.ts';
import { reportsOf } from '../workers/reports.ts';
import type { CrewContext } from '../workers/roster.ts';
import { visibleTo } from '../workers/visible.ts';
import { nextTask } from './next-task.ts';

const bytesOfEach = 128 * 1024;

export async function readReports(
  context: CrewContext,
  request: Parameters<Crew['reports']>[0],
): Promise<ReportsResult> {
  const { worker } = request;
  const reports =
    worker === undefined
      ? (await Promise.all(visibleTo(context).map((record) => reportsOf(context, record, bytesOfEach)))).flat()
      : await reportsOf(context, context.roster.resolve(worker));
  const newestFirst = [...reports].sort((a, b) => b.at.localeCompare(a.at));
  const next = request.next ? nextTask(newestFirst) : undefined;
  return { reports: newestFirst, count: newestFirst.length, ...(next === undefined ? {} : { next_task: next }) };
}
