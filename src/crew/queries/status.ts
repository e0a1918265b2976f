// The crew at a glance: the workers by state, who needs somebody, and the next calls to make.

import type { Status, WorkerRecord } from '../../model/worker.ts';
import { statuses } from '../../model/worker.ts';
import { readTasks } from '../../store/task-list.ts';
import type { AttentionView } from '../../wire/attention.ts';
import type { Foreseen } from '../../wire/landing.ts';
import type { StatusResult } from '../../wire/status.ts';
import { taskView } from '../../wire/tasks.ts';
import { attentionFor } from '../attention/attention.ts';
import { goOnSuggestions } from '../attention/limit-remedy.ts';
import { escapesOf } from '../workers/escapes.ts';
import { reportsOf, wordOf } from '../workers/reports.ts';
import { type CrewContext, visibleTo } from '../workers/roster.ts';
import { eventView } from './changes.ts';

const recentEvents = 10;
const recentReports = 5;
const reportBytes = 64 * 1024;
const mostTasks = 20;
const failureTypes = new Set<string>(['worker_dead', 'message_held']);

export async function crewStatus(context: CrewContext, conflicts: readonly Foreseen[]): Promise<StatusResult> {
  const records = visibleTo(context).filter((record) => record.phase !== 'closed');
  const views = records.map((record) => context.roster.view(record));
  const attention = records.flatMap((record) => attentionFor(context, record));
  const ids = new Set(records.map((record) => record.id));
  const events = (await context.log.since(Math.max(0, context.log.lastSeq - 500))).filter((event) =>
    ids.has(event.workerId),
  );
  const totals = records
    .map((record) => context.roster.following(record.id)?.conversation.totals)
    .filter((t) => t !== undefined);
  const sum = (pick: (t: (typeof totals)[number]) => number) => totals.reduce((all, one) => all + pick(one), 0);
  const costs = totals.map((one) => one.costUsd).filter((cost) => cost !== undefined);
  const inStatus = (status: Status) => views.filter((view) => view.status === status);
  const reports = (await Promise.all(records.map((record) => reportsOf(context, record, reportBytes)))).flat();
  const pane = records.find((record) => record.pane !== undefined)?.pane;
  return {
    workers: mapStatuses((status) =>
      inStatus(status).map((view) => ({ session_id: view.session_id, name: view.name, detail: view.evidence.detail })),
    ),
    counts: mapStatuses((status) => inStatus(status).length),
    attention,
    recent: events.slice(-recentEvents).map(eventView),
    reports: reports
      .sort((a, b) => b.at.localeCompare(a.at))
      .slice(0, recentReports)
      .map(wordOf),
    tasks: await openTasks(context, records),
    conflicts,
    escapes: await escapesOf(context, records),
    failures: events
      .filter((event) => failureTypes.has(event.type))
      .slice(-recentEvents)
      .map(eventView),
    cost_usd: costs.length === 0 ? null : costs.reduce((all, one) => all + one, 0),
    tokens: { input: sum((t) => t.inputTokens), output: sum((t) => t.outputTokens), cache: sum((t) => t.cacheTokens) },
    suggested_calls: suggestions(attention, {
      working: inStatus('working').map((view) => view.name),
      idle: inStatus('idle').map((view) => view.name),
    }),
    attach: pane === undefined ? null : context.roster.attach(pane),
  };
}

async function openTasks(context: CrewContext, records: readonly WorkerRecord[]): Promise<StatusResult['tasks']> {
  const crews = [...new Set(records.map(({ crew }) => crew))];
  const tasks = await Promise.all(crews.map((crew) => readTasks({ home: context.home.root, crew })));
  return tasks
    .flat()
    .filter(({ status }) => status === 'queued' || status === 'running')
    .slice(-mostTasks)
    .map(taskView);
}

function mapStatuses<T>(value: (status: Status) => T): Record<Status, T> {
  const [starting, idle, working, waiting, dead, closed] = statuses;
  return {
    starting: value(starting),
    idle: value(idle),
    working: value(working),
    waiting: value(waiting),
    dead: value(dead),
    closed: value(closed),
  };
}

/** Pure: the next calls worth making, most pressing first. */
export function suggestions(
  attention: readonly AttentionView[],
  workers: { readonly working: readonly string[]; readonly idle: readonly string[] },
): readonly string[] {
  const isLimited = ({ waiting_for, options }: AttentionView) => waiting_for === 'limit' && options === undefined;
  const calls = [
    ...attention.filter((need) => !isLimited(need)).map((need) => `${need.name}: ${need.answer_with}`),
    ...goOnSuggestions(attention.filter(isLimited)),
  ];
  if (workers.working.length > 0) calls.push(`wait_idle_workers ${JSON.stringify({ session_ids: workers.working })}`);
  for (const name of workers.idle.slice(0, 3)) calls.push(`read_worker_logs ${JSON.stringify({ session_id: name })}`);
  if (calls.length === 0) calls.push('spawn_workers to begin');
  return calls;
}
