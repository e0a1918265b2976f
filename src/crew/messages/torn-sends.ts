// Settles what a killed server was typing into a worker of ours, as soon as its prompt box can be seen.
import type { WorkerRecord } from '../../model/worker.ts';
import { looksInTurn } from '../../system/pace.ts';
import { type Activity, type CrewContext, forOwnWorkers } from '../workers/crew-context.ts';
import { readTyping } from './send-journal.ts';
import { withRecipient } from './send-message.ts';
import { settleTorn } from './torn.ts';

const firstRetryMs = 1_000;
const longestRetryMs = 60_000;

/** A message that is sent meanwhile settles it first, too. */
export const settleTornSends = (context: CrewContext): Activity => forOwnWorkers(context, settleTornSend);

function settleTornSend(context: CrewContext, record: WorkerRecord): Activity {
  let retryMs = firstRetryMs;
  let last: Promise<boolean> = Promise.resolve(false);
  const isOpen = async () => {
    if ((await readTyping(context, record.id)) === undefined) return false;
    return withRecipient(context, record, settleTorn);
  };
  const looks = looksInTurn(context.clock, async () => {
    last = isOpen().catch((error: unknown) => {
      context.logger.write('warn', `what was being typed into ${record.name} could not be settled`, error);
      return true;
    });
    if (!(await last)) return undefined;
    retryMs = Math.min(retryMs * 2, longestRetryMs);
    return retryMs;
  });
  return {
    settled: async () => void (await last),
    async close() {
      looks.stop();
      await last;
    },
  };
}
