// What may be said to workers: one message to several, a note, or an interrupt.
import { advise, call } from '../../model/advice.ts';
import { asCrewError, CrewError } from '../../model/errors.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { postMail } from '../../store/mailbox.ts';
import type { InterruptOutcome, MessageOutcome } from '../../wire/messages.ts';
import type { ReportView } from '../../wire/reports.ts';
import type { Run } from '../orders.ts';
import { type CrewContext, upToDate } from '../workers/crew-context.ts';
import { reportsOf } from '../workers/reports.ts';
import { interruptTurn } from './interrupt.ts';
import { sendMessage, withRecipient } from './send-message.ts';
import { failed, type MessageOrder } from './sending.ts';

interface SendOrder extends MessageOrder {
  readonly workers: readonly string[];
}

interface InterruptOrder {
  readonly workers: readonly string[];
  readonly thenText?: string;
}

/** What became of each worker, by the words that named it. */
export type Outcomes<T> = Readonly<Record<string, T>>;

export interface Messages {
  send(order: SendOrder): Promise<Outcomes<MessageOutcome>>;
  interrupt(order: InterruptOrder, run: Run): Promise<Outcomes<InterruptOutcome>>;
  /** Hands the report of one worker to another, as a note. */
  passReport(order: ReportOrder): Promise<void>;
}

export const verbs = (context: CrewContext): Messages => ({
  send: (order) => upToDate(context, () => sendToWorkers(context, order)),
  interrupt: (order, run) => upToDate(context, () => interruptWorkers(context, order, run)),
  passReport: (order) => passReport(context, order),
});

/** The outcome for each worker, by the word that named it first: a worker that is named twice gets it once. */
async function sendToWorkers(
  context: CrewContext,
  { workers, ...message }: SendOrder,
): Promise<Outcomes<MessageOutcome>> {
  if (message.text.trim() === '') {
    throw new CrewError(
      'invalid_argument',
      'The message is empty.',
      advise`Say something, or ${call('use interrupt_workers', 'press Escape in its pane')} to stop a worker.`,
    );
  }
  const asked = workers.map((id) => ({ id, found: context.roster.tryResolve(id) }));
  const [unknown] = asked.flatMap(({ found }) => ('error' in found ? [found.error] : []));
  if (unknown !== undefined && asked.every(({ found }) => 'error' in found)) throw unknown;
  const sent = new Set<string>();
  const outcomes = asked.flatMap(({ id, found }): Promise<readonly [string, MessageOutcome]>[] => {
    if ('error' in found) return [Promise.resolve([id, failed(context, found.error.message, found.error.hint)])];
    if (sent.has(found.record.id)) return [];
    sent.add(found.record.id);
    return [sendMessage(context, found.record, message).then((outcome) => [id, outcome])];
  });
  return Object.fromEntries(await Promise.all(outcomes));
}

/** Sends each worker whose turn has ended `thenText`; the outcomes by the words that named the workers. */
async function interruptWorkers(
  context: CrewContext,
  { workers, thenText: text }: InterruptOrder,
  run: Run,
): Promise<Outcomes<InterruptOutcome>> {
  const asked = workers.map((id) => ({ id, record: context.roster.resolve(id) }));
  const interruptOne = async (record: WorkerRecord): Promise<InterruptOutcome> => {
    const outcome = besideKept(await interruptBetweenSends(context, record), context.roster.record(record.id));
    run.tell(`${record.name}: ${outcome.outcome}`);
    if (text === undefined || !outcome.success) return outcome;
    const message = await sendMessage(context, record, { text, delivery: 'queue', asCommand: false });
    return { ...outcome, success: message.success, message };
  };
  const outcomes = asked.map(async ({ id, record }) => [id, await interruptOne(record)] as const);
  return Object.fromEntries(await Promise.all(outcomes));
}

/** In the midst of a send the key would be lost or end nothing, and the turn that the send begins would run on. */
const interruptBetweenSends = (context: CrewContext, record: WorkerRecord): Promise<InterruptOutcome> =>
  withRecipient(context, record, ({ following }) => interruptTurn(context, record, following)).catch(
    (error: unknown) => ({ success: false, outcome: 'failed', detail: asCrewError(error).message }),
  );

function besideKept(outcome: InterruptOutcome, { kept = [] }: WorkerRecord): InterruptOutcome {
  if (kept.length === 0) return outcome;
  const words =
    kept.length === 1 ? '1 kept message stays kept and goes' : `${kept.length} kept messages stay kept and go`;
  return { ...outcome, detail: `${outcome.detail}; ${words} next, when nothing is in the way` };
}

/** What one worker reported, for another. */
interface ReportOrder {
  readonly worker: string;
  /** The id of the worker that is to read it. */
  readonly to: string;
  /** Of the note; under one id it is told once. */
  readonly id: string;
  readonly about: string;
}

/** Resolves when it is in the mailbox. Under one id it is told once. A worker that said nothing hands over nothing. */
async function passReport(context: CrewContext, { worker, to, id, about }: ReportOrder): Promise<void> {
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
const reportText = (report: ReportView): string =>
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
