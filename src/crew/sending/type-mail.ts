// Types one message of the mailbox, and notes before and after what a successor must know.
import { noteBegunMail, settleMail } from '../../store/mailbox.ts';
import { digestOf } from '../../system/digest.ts';
import type { House } from '../house.ts';
import { sendMessage } from './deliver.ts';

export interface Typing {
  readonly ids: readonly string[];
  readonly text: string;
  /** For the log, beside the verdict. */
  readonly about: Readonly<Record<string, unknown>>;
}

/** Resolves with whether something was in the way, so that it is worth another try. */
export async function typeMail(house: House, workerId: string, { ids, text, about }: Typing): Promise<boolean> {
  const record = house.log.records().get(workerId);
  if (record === undefined || !house.roster.isMine(record)) return false;
  const plan = house.agentOf(record).planDelivery({ text, asCommand: false });
  if ('refused' in plan) {
    house.logger.write('error', `mail of ${record.name} cannot be typed: ${plan.refused}`);
    await settle(house, workerId, { ids, verdict: 'failed' });
    return false;
  }
  const dir = await house.home.workerDir(workerId);
  await noteBegunMail(dir, ids, { digest: digestOf(plan.expect), at: house.clock.now() });
  const { verdict } = await sendMessage(house, record, { text, delivery: 'queue', asCommand: false, about });
  if (verdict === 'held' || verdict === 'failed') return true;
  await settle(house, workerId, { ids, verdict });
  return false;
}

export async function settle(
  house: House,
  workerId: string,
  { ids, verdict }: { readonly ids: readonly string[]; readonly verdict: string },
): Promise<void> {
  await settleMail(await house.home.workerDir(workerId), ids, { verdict, at: house.clock.now() });
}
