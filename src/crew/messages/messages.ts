// Sends one message to several workers, or interrupts several.
import { CrewError } from '../../model/errors.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { InterruptOutcome, MessageOutcome } from '../../wire/messages.ts';
import type { Run, SendOrder } from '../orders.ts';
import type { CrewContext } from '../workers/roster.ts';
import { interruptTurn } from './interrupt.ts';
import { sendMessage } from './send-message.ts';
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
    const following = context.roster.following(record.id);
    if (following === undefined)
      return { success: false, outcome: 'failed', detail: `${record.name} is ${record.phase}` };
    const outcome = await interruptTurn(context, record, following);
    run.tell(`${record.name}: ${outcome.outcome}`);
    if (text === undefined || !outcome.success) return outcome;
    const message = await sendMessage(context, record, { text, delivery: 'queue', asCommand: false });
    return { ...outcome, success: message.success, message };
  };
  const outcomes = asked.map(async ({ id, record }) => [id, await interruptOne(record)] as const);
  return Object.fromEntries(await Promise.all(outcomes));
}
