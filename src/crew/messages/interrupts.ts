// Interrupts several workers, and tells them what to do instead.
import type { InterruptOutcome } from '../../wire/messages.ts';
import type { CallContext } from '../api.ts';
import type { CrewContext } from '../workers/roster.ts';
import { sendMessage } from './deliver.ts';
import { interruptTurn } from './interrupt.ts';

export async function interruptWorkers(
  context: CrewContext,
  request: { readonly session_ids: readonly string[]; readonly then_message?: string },
  call: CallContext,
): Promise<{ session_ids: readonly string[]; results: Record<string, InterruptOutcome>; success: boolean }> {
  const asked = request.session_ids.map((id) => ({ id, record: context.roster.resolve(id) }));
  const outcomes = await Promise.all(
    asked.map(async ({ id, record }): Promise<[string, InterruptOutcome]> => {
      const following = context.roster.following(record.id);
      if (following === undefined) {
        return [id, { success: false, outcome: 'failed', detail: `${record.name} is ${record.phase}` }];
      }
      const outcome = await interruptTurn(context, record, following);
      call.progress(`${record.name}: ${outcome.outcome}`);
      if (request.then_message === undefined || !outcome.success) return [id, outcome];
      const message = await sendMessage(context, record, {
        text: request.then_message,
        delivery: 'queue',
        asCommand: false,
      });
      return [id, { ...outcome, success: message.success, message }];
    }),
  );
  return {
    session_ids: request.session_ids,
    results: Object.fromEntries(outcomes),
    success: outcomes.every(([, outcome]) => outcome.success),
  };
}
