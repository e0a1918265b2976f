// Types what is waiting for a worker: the notes of others together at the end of a turn, an answer as soon as it may be.
import { fenced } from '../model/fence.ts';
import { noteBegunMail, type Pending, settleMail } from '../state/mailbox.ts';
import { sendMessage } from './deliver.ts';
import type { House } from './house.ts';
import { digestOf, sendsPath, wasTyped } from './sends.ts';

/** As much of several notes as goes into one message. */
const longestMessage = 12_000;

/** Resolves with whether something was in the way, so that it is worth another try. */
export async function deliverMail(house: House, workerId: string, pending: readonly Pending[]): Promise<boolean> {
  const fresh = await settleTyped(house, workerId, pending);
  const notes = fresh.flatMap(({ mail }) => (mail.kind === 'answer' ? [] : [mail]));
  if (notes.length === 0 || house.roster.turn(workerId)?.is !== 'idle') return false;
  const batch = together(notes);
  return type(house, workerId, {
    ids: batch.map(({ id }) => id),
    text: fenced(batch),
    from: batch.map(({ from }) => from.name),
  });
}

/** The oldest that fit; always one. Pure. */
export function together<T extends { readonly message: string }>(notes: readonly T[]): readonly T[] {
  let chars = 0;
  return notes.filter(({ message }, index) => {
    chars += message.length;
    return index === 0 || chars <= longestMessage;
  });
}

/** What a killed server had begun to type is never typed again; what it had not is as fresh as ever. */
async function settleTyped(house: House, workerId: string, pending: readonly Pending[]): Promise<readonly Pending[]> {
  const path = await sendsPath(house, workerId);
  const fresh: Pending[] = [];
  for (const one of pending) {
    const typed = one.begun === undefined ? undefined : await wasTyped(path, one.begun);
    if (typed === undefined) fresh.push(one);
    else await settle(house, workerId, { ids: [one.mail.id], verdict: typed });
  }
  return fresh;
}

interface Typing {
  readonly ids: readonly string[];
  readonly text: string;
  readonly from: readonly string[];
}

async function type(house: House, workerId: string, { ids, text, from }: Typing): Promise<boolean> {
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
  const { verdict } = await sendMessage(house, record, { text, delivery: 'queue', asCommand: false, from });
  if (verdict === 'held' || verdict === 'failed') return true;
  await settle(house, workerId, { ids, verdict });
  return false;
}

async function settle(
  house: House,
  workerId: string,
  { ids, verdict }: { readonly ids: readonly string[]; readonly verdict: string },
): Promise<void> {
  await settleMail(await house.home.workerDir(workerId), ids, { verdict, at: house.clock.now() });
}
