// Messages that wait with crewmux while something is in the way of typing them: each is typed once, in their order.
import { isoTime } from '../../model/clock.ts';
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { newUuid } from '../../model/ids.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { type Box, type KeptMail, keptIn, postMail, readMailbox, settleMail } from '../../store/mailbox.ts';
import { digestOf } from '../../system/digest.ts';
import { withLock } from '../../system/lock.ts';
import type { LimitGate } from '../../turn/account.ts';
import type { MessageOutcome } from '../../wire/messages.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { shortened } from './interrupt.ts';
import { sendLock, sendsPath, typedUnder } from './send-journal.ts';
import { failed, held, keptAlready, type MessageSending, typedAlready, unconfirmed } from './sending.ts';

const closeTimeoutMs = 10_000;

export const readKept = async ({ home }: CrewContext, workerId: string): Promise<readonly KeptMail[]> =>
  keptIn(await readMailbox(await home.workerDir(workerId)));

/** The obstacle that older messages are: none overtakes them. */
export async function behindKept(sending: MessageSending): Promise<MessageOutcome | undefined> {
  const { context, record, following, agent, request } = sending;
  // What can never be typed says so itself.
  if (following.state.is === 'gone' || 'refused' in agent.planDelivery(request)) return undefined;
  const { length } = await readKept(context, record.id);
  if (length === 0) return undefined;
  return held(
    context,
    `${countOf(length)} for it ${length === 1 ? 'waits' : 'wait'} to be typed first`,
    'Nothing was typed. Pass keep: true to have this one typed after them.',
  );
}

export const limitWords = ({ until }: LimitGate): string =>
  `the usage limit of its account is over at ${isoTime(until)}`;

export const limitHint =
  'Nothing was typed yet. crewmux types it once, after that time. If the account works again sooner, send with delivery "steer".';

/** Keeps what is held, on disk when it resolves. A later turn is never interrupted for it. */
export async function keepMessage(sending: MessageSending, obstacle: MessageOutcome): Promise<MessageOutcome> {
  const { context, record, following, agent, request } = sending;
  const { text, asCommand } = request;
  const plan = agent.planDelivery(request);
  // Another server may type it.
  if ('expect' in plan) following.noteSent(digestOf(plan.expect));
  const delivery = request.delivery === 'steer' ? 'steer' : 'queue';
  const id = request.id ?? newUuid();
  const mail: KeptMail = { v: 1, id, at: context.clock.now(), kind: 'message', text, delivery, asCommand };
  await postMail(await context.home.workerDir(record.id), mail);
  const kept = (await readKept(context, record.id)).map(({ id }) => id);
  const data = { verdict: 'kept', kept: mail.id, chars: text.length, detail: obstacle.evidence.detail };
  await context.log.append([{ type: 'message_kept', workerId: record.id, data, set: { kept } }]);
  const { evidence } = obstacle;
  if (obstacle.hint === limitHint) return { success: true, verdict: 'kept', turn: null, evidence, hint: limitHint };
  const hint = `Nothing was typed yet. crewmux types it once, when nothing is in the way${kept.length > 1 ? ` and the ${kept.length - 1} before it are typed` : ''}; pending_messages counts it, and an event tells what became of it.`;
  const { reason } = obstacle;
  const more = reason === undefined ? hint : `${hint} ${obstacle.hint ?? ''}`;
  return { success: true, verdict: 'kept', turn: null, evidence, hint: more, ...defined({ reason }) };
}

/** The record may have missed what a killed server kept or typed. */
export async function countKept(context: CrewContext, workerId: string, kept: readonly KeptMail[]): Promise<void> {
  const ids = kept.map(({ id }) => id);
  const isKnown = () => ids.join() === (context.log.records().get(workerId)?.kept ?? []).join();
  if (!isKnown()) await context.log.catchUp();
  if (isKnown()) return;
  await context.log.append([{ type: 'reconciled', workerId, data: { kept: ids.length }, set: keptSet(ids) }]);
}

export const keptSet = (ids: readonly string[]) => ({ kept: ids.length === 0 ? null : ids });

const countOf = (length: number): string => (length === 1 ? 'a kept message' : `${length} kept messages`);

/** Of a worker whose agent has ended for good: nothing kept is typed any more. Resolves with what is to be said of it. */
export async function dropKept(context: CrewContext, record: WorkerRecord): Promise<string | undefined> {
  const dir = await context.home.workerDir(record.id);
  if (keptIn(await readMailbox(dir)).length === 0) return undefined;
  const drop = async () => {
    const kept = await readKept(context, record.id);
    const path = await sendsPath(context, record.id);
    const ends = await Promise.all(kept.map(async (mail) => ({ mail, typed: await typedUnder(path, mail.id) })));
    const drafts = ends.map(({ mail, typed }) => {
      const detail = 'its worker was closed';
      const data = { verdict: typed ?? 'failed', kept: mail.id, chars: mail.text.length, detail };
      return { type: typed === undefined ? 'message_held' : 'message_sent', workerId: record.id, data } as const;
    });
    await context.log.append(drafts);
    await settleMail(
      dir,
      kept.map(({ id }) => id),
      { verdict: 'closed', at: context.clock.now() },
    );
    return droppedWords(ends.map(({ mail: { text }, typed }) => ({ text, ...defined({ typed }) })));
  };
  return withLock(sendLock(context, record.id), drop, { me: context.me, timeoutMs: closeTimeoutMs }).catch(
    (error: unknown) => {
      const words = error instanceof CrewError ? error.message : String(error);
      return `What became of its kept messages is not known: ${words}`;
    },
  );
}

/** What became of kept messages at the end of their worker. Pure. */
export function droppedWords(ends: readonly { readonly text: string; readonly typed?: string }[]): string | undefined {
  const quote = (texts: readonly string[]) => JSON.stringify(shortened(texts));
  const lost = ends.filter(({ typed }) => typed === undefined).map(({ text }) => text);
  const unknown = ends.filter(({ typed }) => typed !== undefined).map(({ text }) => text);
  const words = [
    lost.length === 0
      ? ''
      : `${countOf(lost.length)} ${lost.length === 1 ? 'was' : 'were'} not delivered: ${quote(lost)}.`,
    unknown.length === 0 ? '' : `Being typed at the end, and perhaps not read: ${quote(unknown)}.`,
  ].filter(Boolean);
  return words.length === 0 ? undefined : words.join(' ');
}

/** Undefined for a message without an id, and for one of which nothing was kept or typed yet. */
export async function sentBefore({
  context,
  record,
  following,
  request,
}: MessageSending): Promise<MessageOutcome | undefined> {
  const { id } = request;
  // Nothing is typed into it any more, as the ordinary way tells.
  if (id === undefined || following.state.is === 'gone') return undefined;
  const box = await readMailbox(await context.home.workerDir(record.id));
  const typed = await typedUnder(await sendsPath(context, record.id), id);
  const before = becameOf(id, { box, typed });
  switch (before) {
    case undefined:
      return undefined;
    case 'kept':
      return keptAlready(context);
    case 'submitted':
    case 'queued':
      return typedAlready(context, before);
    case 'unconfirmed':
      return unconfirmed({ source: 'us', at: context.clock.now(), detail: 'begun before under this id' });
    case 'failed':
      return failed(context, 'it was kept under this id and could not be typed', 'Send it again under another id.');
  }
}

/** Kept before settled before begun. Pure. */
export function becameOf(
  id: string,
  { box, typed }: { readonly box: Box; readonly typed: string | undefined },
): 'kept' | 'submitted' | 'queued' | 'unconfirmed' | 'failed' | undefined {
  if (box.pending.has(id)) return 'kept';
  // The journal learns of a queued message's turn after the mailbox has its verdict.
  const verdict = typed ?? box.done.get(id);
  if (verdict === undefined || verdict === 'submitted' || verdict === 'queued') return verdict;
  return typed === undefined && (verdict === 'failed' || verdict === 'closed') ? 'failed' : 'unconfirmed';
}
