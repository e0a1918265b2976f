// Sends one message to several workers, or interrupts several.
import { asCrewError, CrewError } from '../../model/errors.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { InterruptOutcome, MessageOutcome } from '../../wire/messages.ts';
import type { Run, SendOrder } from '../orders.ts';
import type { CrewContext } from '../workers/roster.ts';
import { interruptTurn } from './interrupt.ts';
import { sendMessage, withRecipient } from './send-message.ts';
import { failed } from './sending.ts';

/** The outcome for each worker, by the word that named it first: a worker that is named twice gets it once. */
export async function sendToWorkers(
  context: CrewContext,
  { workers, ...message }: SendOrder,
): Promise<Readonly<Record<string, MessageOutcome>>> {
  if (message.text.trim() === '') {
    throw new CrewError(
      'invalid_argument',
      'The message is empty.',
      'Say something, or use interrupt_workers to stop a worker.',
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
export async function interruptWorkers(
  context: CrewContext,
  { workers, thenText: text }: { readonly workers: readonly string[]; readonly thenText?: string },
  run: Run,
): Promise<Readonly<Record<string, InterruptOutcome>>> {
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
