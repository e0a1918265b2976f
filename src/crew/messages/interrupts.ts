// Interrupts several workers, and sends them what to do instead.
import type { InterruptOutcome } from '../../wire/messages.ts';
import type { Run } from '../orders.ts';
import type { CrewContext } from '../workers/roster.ts';
import { sendMessage } from './deliver.ts';
import { interruptTurn } from './interrupt.ts';

/** What became of each, by the words that named it. */
export async function interruptWorkers(
  context: CrewContext,
  order: { readonly workers: readonly string[]; readonly thenText?: string },
  run: Run,
): Promise<Readonly<Record<string, InterruptOutcome>>> {
  const asked = order.workers.map((id) => ({ id, record: context.roster.resolve(id) }));
  const outcomes = await Promise.all(
    asked.map(async ({ id, record }): Promise<[string, InterruptOutcome]> => {
      const following = context.roster.following(record.id);
      if (following === undefined) {
        return [id, { success: false, outcome: 'failed', detail: `${record.name} is ${record.phase}` }];
      }
      const outcome = await interruptTurn(context, record, following);
      run.tell(`${record.name}: ${outcome.outcome}`);
      const { thenText: text } = order;
      if (text === undefined || !outcome.success) return [id, outcome];
      const message = await sendMessage(context, record, { text, delivery: 'queue', asCommand: false });
      return [id, { ...outcome, success: message.success, message }];
    }),
  );
  return Object.fromEntries(outcomes);
}
