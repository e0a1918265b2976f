// The reports of workers, newest first, and the draft of a next task from what they leave open.
import { defined } from '../../model/defined.ts';
import type { Span } from '../../model/task-state.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { ReportsResult, ReportView } from '../../wire/reports.ts';
import { type CrewContext, visibleTo } from '../workers/crew-context.ts';
import { newestReports } from '../workers/reports.ts';

export interface ReportsQuery {
  readonly worker?: string;
  /** Several, each for as long as it was at what is asked about; one that nobody knows is passed over. */
  readonly workers?: readonly WorkerSpan[];
  readonly next: boolean;
}

export interface WorkerSpan extends Span {
  /** Its id. */
  readonly worker: string;
}

const bytesOfEach = 128 * 1024;

export async function readReports(
  context: CrewContext,
  { next: wantsNext, ...query }: ReportsQuery,
): Promise<ReportsResult> {
  const asked = recordsOf(context.roster, query);
  const all =
    asked === undefined
      ? await newestReports(context, visibleTo(context), bytesOfEach)
      : await newestReports(context, asked);
  const reports = query.workers === undefined ? all : reportsWithin(query.workers, all);
  const roleOf = (id: string) => context.roster.record(id).role;
  const draft = wantsNext ? nextTask(reports, roleOf) : undefined;
  return { reports, count: reports.length, ...defined({ draft, next_task: draft }) };
}

/** Undefined where nobody in particular is asked about. */
export function recordsOf(
  roster: Pick<CrewContext['roster'], 'records' | 'resolve'>,
  { worker, workers }: Pick<ReportsQuery, 'worker' | 'workers'>,
): readonly WorkerRecord[] | undefined {
  if (worker !== undefined) return [roster.resolve(worker)];
  if (workers === undefined) return undefined;
  const ids = new Set(workers.map(({ worker: id }) => id));
  return roster.records().filter(({ id }) => ids.has(id));
}

/** Those that were made in one of its worker's spans. Pure. */
export const reportsWithin = (spans: readonly WorkerSpan[], reports: readonly ReportView[]): readonly ReportView[] =>
  reports.filter(({ session_id, at }) =>
    spans.some(({ worker, from, until }) => worker === session_id && Date.parse(at) >= from && Date.parse(at) < until),
  );

/** Of a draft that is not cut; what submit_task takes is counted in bytes. */
const longestPrompt = 39_000;

/** From the newest report; undefined when there is none, or when it leaves nothing open. Pure. */
export function nextTask(
  newestFirst: readonly ReportView[],
  roleOf: (worker: string) => string | undefined = () => undefined,
): ReportsResult['draft'] {
  const report = newestFirst.find(({ kind }) => kind === 'report');
  if (report === undefined) return undefined;
  const { what_open: open, what_untested: untested, next_steps: next, errors_encountered: errors } = report;
  const [subject] = [open, next, untested].filter(saysSomething);
  if (subject === undefined) return undefined;
  const parts = [
    ['Done', report.what_done],
    ['Still open', open],
    ['Not tested yet', untested],
    ['Proposed next', next],
    ['What went wrong', errors],
  ] as const;
  const told = parts.flatMap(([word, text]) => (saysSomething(text) ? [`${word}: ${text}`] : []));
  const prompt = [`Go on from what ${report.name} reported.`, ...told].join('\n\n').slice(0, longestPrompt);
  return {
    title: firstLine(subject),
    prompt: prompt.replace(/[\uD800-\uDBFF]$/, ''),
    ...defined({ role: roleOf(report.session_id) }),
  };
}

/** A worker that has nothing to say often says so. */
const saysSomething = (text: string | undefined): text is string =>
  text !== undefined && !/^[\s\p{P}]*(?:none|nothing|n\/a|not applicable)?[\s\p{P}]*$/iu.test(text);

const firstLine = (text: string): string => {
  const [line = ''] = text.trim().split('\n');
  return line.length > 80 ? `${line.slice(0, 79).replace(/[\uD800-\uDBFF]$/, '')}…` : line;
};
