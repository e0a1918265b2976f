import type { ReportsResult } from '../../wire/reports.ts';
import type { ReportsQuery } from '../orders.ts';
import { reportsOf } from '../workers/reports.ts';
import { type CrewContext, visibleTo } from '../workers/roster.ts';
import { nextTask } from './next-task.ts';

const bytesOfEach = 128 * 1024;

export async function readReports(
  context: CrewContext,
  { worker, next: wantsNext }: ReportsQuery,
): Promise<ReportsResult> {
  const reports =
    worker === undefined
      ? (await Promise.all(visibleTo(context).map((record) => reportsOf(context, record, bytesOfEach)))).flat()
      : await reportsOf(context, context.roster.resolve(worker));
  const newestFirst = [...reports].sort((a, b) => b.at.localeCompare(a.at));
  const next = wantsNext ? nextTask(newestFirst) : undefined;
  return { reports: newestFirst, count: newestFirst.length, ...(next === undefined ? {} : { next_task: next }) };
}
