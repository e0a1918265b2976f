// The manager reads what its workers reported, and may go on from there.

import type { ReportsResult } from '../../wire/reports.ts';
import type { Crew } from '../api.ts';
import type { House } from '../house.ts';
import { nextTask } from './next-task.ts';
import { reportsOf } from './reports.ts';
import { visibleTo } from './visible.ts';

const bytesOfEach = 128 * 1024;

export async function readReports(house: House, request: Parameters<Crew['reports']>[0]): Promise<ReportsResult> {
  const { worker } = request;
  const reports =
    worker === undefined
      ? (await Promise.all(visibleTo(house).map((record) => reportsOf(house, record, bytesOfEach)))).flat()
      : await reportsOf(house, house.roster.resolve(worker));
  const newestFirst = [...reports].sort((a, b) => b.at.localeCompare(a.at));
  const next = request.next ? nextTask(newestFirst) : undefined;
  return { reports: newestFirst, count: newestFirst.length, ...(next === undefined ? {} : { next_task: next }) };
}
