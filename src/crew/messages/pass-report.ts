// Hands what one worker reported to another, as a note: quoted, named, and without authority.
import type { WorkerRecord } from '../../model/worker.ts';
import { postMail } from '../../store/mailbox.ts';
import type { ReportView } from '../../wire/reports.ts';
import { reportsOf } from '../workers/reports.ts';
import type { CrewContext } from '../workers/roster.ts';

/** What one worker reported, for another. */
export interface ReportOrder {
  readonly worker: string;
  /** The id of the worker that is to read it. */
  readonly to: string;
  /** Of the note; under one id it is told once. */
  readonly id: string;
  readonly about: string;
}

/** Resolves when it is in the mailbox. Under one id it is told once. A worker that said nothing hands over nothing. */
export async function passReport(context: CrewContext, { worker, to, id, about }: ReportOrder): Promise<void> {
  const record = context.roster.resolve(worker);
  const target = context.log.records().get(to);
  const said = await accountOf(context, record);
  if (target === undefined || said === undefined) return;
  const from = { id: record.id, name: record.name };
  const message = `${about}:\n${said}`.slice(0, mostChars);
  const dir = await context.home.workerDir(target.id);
  await postMail(dir, { v: 1, id, at: context.clock.now(), kind: 'note', from, message });
}

/** The most that a note may have. */
const mostChars = 12_000;

/** Its newest report, else its last words. */
async function accountOf(context: CrewContext, record: WorkerRecord): Promise<string | undefined> {
  const report = (await reportsOf(context, record)).find(({ kind }) => kind === 'report');
  return report === undefined ? context.roster.following(record.id)?.conversation.lastWords?.text : reportText(report);
}

/** Pure. */
export const reportText = (report: ReportView): string =>
  (
    [
      ['Done', report.what_done],
      ['Open', report.what_open],
      ['Tested', report.what_tested],
      ['Not tested', report.what_untested],
      ['Next', report.next_steps],
      ['Errors', report.errors_encountered],
    ] as const
  )
    .filter(([, text = '']) => text.trim() !== '')
    .map(([word, text]) => `${word}: ${text}`)
    .join('\n');
