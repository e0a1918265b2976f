// Types one message of the mailbox, and notes before and after what a successor must know.
import { noteBegunMail, settleMail } from '../../store/mailbox.ts';
import { digestOf } from '../../system/digest.ts';
import type { CrewContext } from '../workers/roster.ts';
import { sendMessage } from './deliver.ts';

export interface Typing {
  readonly ids: readonly string[];
  readonly text: string;
  /** For the log, beside the verdict. */
  readonly about: Readonly<Record<string, unknown>>;
}

/** Resolves with whether something was in the way, so that it is worth another try. */
export async function typeMail(context: CrewContext, workerId: string, { ids, text, about }: Typing): Promise<boolean> {
  const record = context.log.records().get(workerId);
  if (record === undefined || !context.roster.isMine(record)) return false;
  const plan = context.agentOf(record).planDelivery({ text, asCommand: false });
  if ('refused' in plan) {
    context.logger.write('error', `mail of ${record.name} cannot be typed: ${plan.refused}`);
    await settle(context, workerId, { ids, verdict: 'failed' });
    return false;
  }
  const dir = await context.home.workerDir(workerId);
  await noteBegunMail(dir, ids, { digest: digestOf(plan.expect), at: context.clock.now() });
  const { verdict } = await sendMessage(context, record, { text, delivery: 'queue', asCommand: false, about });
  if (verdict === 'held' || verdict === 'failed') return true;
  await settle(context, workerId, { ids, verdict });
  return false;
}

export async function settle(
  context: CrewContext,
  workerId: string,
  { ids, verdict }: { readonly ids: readonly string[]; readonly verdict: string },
): Promise<void> {
  await settleMail(await context.home.workerDir(workerId), ids, { verdict, at: context.clock.now() });
}
