// One message to several workers.
import { CrewError } from '../../model/errors.ts';
import type { MessageOutcome } from '../../wire/messages.ts';
import type { SendOrder } from '../orders.ts';
import type { CrewContext } from '../workers/roster.ts';
import { sendMessage } from './deliver.ts';

/** What became of it for each, by the words that named it first: a worker that is named twice gets it once. */
export async function sendToWorkers(
  context: CrewContext,
  { workers, text, delivery, asCommand }: SendOrder,
): Promise<Readonly<Record<string, MessageOutcome>>> {
  if (text.trim() === '') {
    throw new CrewError(
      'invalid_argument',
      'The message is empty.',
      'Say something, or use interrupt_workers to stop a worker.',
    );
  }
  const asked = workers.map((id) => ({ id, record: context.roster.resolve(id) }));
  const once = asked.filter(({ record }, index) => asked.findIndex((one) => one.record.id === record.id) === index);
  const outcomes = await Promise.all(
    once.map(
      async ({ id, record }): Promise<[string, MessageOutcome]> => [
        id,
        await sendMessage(context, record, { text, delivery, asCommand }),
      ],
    ),
  );
  return Object.fromEntries(outcomes);
}
