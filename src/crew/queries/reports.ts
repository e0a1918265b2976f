// The reports of workers, newest first, and the draft of a next task from what they leave open.
import { defined } from '../../model/defined.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { ReportsResult, ReportView } from '../../wire/reports.ts';
import type { ReportsQuery } from '../orders.ts';
import { newestReports } from '../workers/reports.ts';
import { type CrewContext, visibleTo } from '../workers/roster.ts';

const bytesOfEach = 128 * 1024;

export async function readReports(
  context: CrewContext,
  { next: wantsNext, ...query }: ReportsQuery,
): Promise<ReportsResult> {
  const asked = recordsOf(context.roster, query);
  const reports =
    asked === undefined
      ? await newestReports(context, visibleTo(context), bytesOfEach)
      : await newestReports(context, asked);
  const draft = wantsNext ? nextTask(reports) : undefined;
  return { reports, count: reports.length, ...defined({ draft, next_task: draft }) };
}

/** Undefined where nobody in particular is asked about. */
export function recordsOf(
  roster: Pick<CrewContext['roster'], 'records' | 'resolve'>,
  { worker, workers }: Pick<ReportsQuery, 'worker' | 'workers'>,
): readonly WorkerRecord[] | undefined {
  if (worker !== undefined) return [roster.resolve(worker)];
  if (workers === undefined) return undefined;
  const ids = new Set(workers);
  return roster.records().filter(({ id }) => ids.has(id));
}

/** From the newest report; undefined when there is none, or when it leaves nothing open. Pure. */
export function nextTask(
  newestFirst: readonly ReportView[],
): { readonly title: string; readonly prompt: string } | undefined {
  const report = newestFirst.find(({ kind }) => kind === 'report');
  if (report === undefined) return undefined;
  const { name, what_done = '', what_open = '', what_untested = '', next_steps = '', errors_encountered = '' } = report;
  const left = [
    ['Still open', what_open],
    ['Not tested yet', what_untested],
    ['Proposed next', next_steps],
    ['What went wrong', errors_encountered],
  ] as const;
  const open = left.filter(([, text]) => text.trim() !== '');
  if (open.every(([title]) => title === 'What went wrong')) return undefined;
  const title = firstLine(what_open || next_steps || what_untested);
  const parts = [
    `Go on from what ${name} reported.`,
    `Done: ${what_done}`,
    ...open.map(([word, text]) => `${word}: ${text}`),
  ];
  return { title, prompt: parts.join('\n\n') };
}

const firstLine = (text: string): string => {
  const [line = ''] = text.trim().split('\n');
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
};
