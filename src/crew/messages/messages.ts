// Sends one message to several workers, or interrupts several.
import { asCrewError, CrewError } from '../../model/errors.ts';
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
  const asked = workers.map((id) => ({ id, ...found(context, id) }));
  const [unknown] = asked.flatMap(({ error }) => error ?? []);
  if (unknown !== undefined && asked.every(({ error }) => error !== undefined)) throw unknown;
  const once = asked.filter(
    ({ record }, index) => record === undefined || asked.findIndex((one) => one.record?.id === record.id) === index,
  );
  const outcomes = once.map(async ({ id, record, error }) => {
    const { message: reason, hint } = error ?? {};
    return [
      id,
      record ? await sendMessage(context, record, message) : failed(context, reason ?? id, hint ?? ''),
    ] as const;
  });
  return Object.fromEntries(await Promise.all(outcomes));
}

/** The worker that is meant, or why none is. */
function found(context: CrewContext, id: string): { readonly record?: WorkerRecord; readonly error?: CrewError } {
  try {
    return { record: context.roster.resolve(id) };
  } catch (thrown) {
    return { error: asCrewError(thrown) };
  }
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
