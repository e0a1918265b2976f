// Types into each worker of ours what its mailbox holds, once: answers as soon as possible, notes between turns, kept messages in their order.

import { followFile } from '../../jsonl/tail.ts';
import { attributedNotes } from '../../model/attributed-note.ts';
import type { Disposer } from '../../model/clock.ts';
import type { RequestAnswer } from '../../model/request.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { answeredBy, claimAnswer } from '../../store/claim.ts';
import { launchPlace } from '../../store/launch-place.ts';
import {
  type Box,
  emptyBox,
  type KeptMail,
  keptIn,
  mailboxPath,
  noteBegunMail,
  type Pending,
  readBox,
  readMailbox,
  settleMail,
} from '../../store/mailbox.ts';
import { appendQuestion } from '../../store/question-line.ts';
import { readAnswer, readRequest } from '../../store/requests.ts';
import { digestOf } from '../../system/digest.ts';
import { oneAtATime } from '../../system/pace.ts';
import { awaitsFirstPrompt } from '../../turn/facts.ts';
import { questionLine } from '../../turn/worker-question.ts';
import { accountOf, limitGate } from '../workers/accounts.ts';
import { boundOnPrompt } from '../workers/budget.ts';
import { type Activity, type CrewContext, forOwnWorkers } from '../workers/crew-context.ts';
import { countKept, keptSet } from './kept.ts';
import { byState } from './preflight.ts';
import { sendsPath, typedUnder, wasTyped } from './send-journal.ts';
import { eventOf, sendInTurn, sendMessage, withRecipient } from './send-message.ts';
import type { Recipient } from './sending.ts';
import { settleTorn } from './torn.ts';

/** A person may have half a line in the prompt box for a while; nothing shows when it is gone. */
const firstRetryMs = 2_000;
const longestRetryMs = 60_000;
/** A manager may wait for it. */
const longestKeptRetryMs = 5_000;
/** A try may take the keyboard from a person while it lasts. */
const restAfterTry = 5;
/** Of several notes, this much goes into one message. */
const longestMessage = 12_000;
/** A tool that still waits reads its answer within milliseconds. */
const toolReadsWithinMs = 3_000;

export const deliverMailboxes = (context: CrewContext): Activity => forOwnWorkers(context, followMailbox);

function followMailbox(context: CrewContext, record: WorkerRecord): Activity {
  let box: Box = emptyBox;
  let closed = false;
  let retryMs = firstRetryMs;
  let stopRetry: Disposer | undefined;
  const deliver = oneAtATime(async () => {
    stopRetry?.();
    if (closed || box.pending.size === 0) return;
    const from = context.clock.now();
    const isHeld = await deliverPending(context, record.id, [...box.pending.values()]);
    await (await opened).drain();
    const tookMs = context.clock.now() - from;
    if (isHeld && !closed) stopRetry = context.clock.after(Math.max(nextTryMs(), tookMs * restAfterTry), start);
    retryMs = isHeld ? Math.min(retryMs * 2, longestRetryMs) : firstRetryMs;
  });
  const nextTryMs = () => Math.min(retryMs, keptIn(box).length > 0 ? longestKeptRetryMs : longestRetryMs);
  const start = () => {
    deliver().catch((error: unknown) =>
      context.logger.write('warn', `the mail of ${record.id} could not be delivered`, error),
    );
  };
  const stopChanges = context.roster.onChange(({ workerId, signal, before, after }) => {
    // A try of ours that is held changes the state, too, and is no reason for another.
    const isOurs = signal.from === 'us' && signal.kind !== 'parked';
    if (workerId !== record.id || box.pending.size === 0 || isOurs) return;
    const isAnswered = signal.from === 'worker' && signal.kind === 'asked';
    if (isAnswered || before.is !== after.is) start();
  });
  const stopGrants = context.log.onEvents((events) => {
    if (box.pending.size > 0 && events.some(({ set }) => set?.grants !== undefined)) start();
  });
  const opened = context.home.workerDir(record.id).then((dir) =>
    followFile(mailboxPath(dir), {
      clock: context.clock,
      onTrouble: (error) => context.logger.write('warn', `the mailbox of ${record.id} could not be read`, error),
      onLines(lines) {
        const known = box.pending.size;
        box = readBox(lines, box);
        if (box.pending.size > known) start();
      },
    }),
  );
  return {
    settled: () => opened.then(() => undefined),
    async close() {
      closed = true;
      stopChanges();
      stopGrants();
      stopRetry?.();
      await (await opened).close();
    },
  };
}

/** Resolves with whether something was in the way, so that it is worth another try. */
async function deliverPending(context: CrewContext, workerId: string, pending: readonly Pending[]): Promise<boolean> {
  const isBehind = pending.some(({ mail }) => mail.kind === 'message') && (await deliverKept(context, workerId));
  let isHeld = isBehind;
  if (await isTornOpen(context, workerId, pending)) return true;
  const unsent = await settleTyped(context, workerId, pending);
  for (const { id, kind } of unsent) {
    if (kind === 'answer') isHeld = (await deliverAnswer(context, workerId, id)) || isHeld;
  }
  const notes = unsent.flatMap((mail) => (mail.kind === 'note' || mail.kind === 'finding' ? [mail] : []));
  if (isBehind || notes.length === 0 || context.roster.turn(workerId)?.is !== 'idle') return isHeld;
  if (isLimited(context, workerId)) return true;
  const batch = together(notes);
  const ids = batch.map(({ id }) => id);
  const from = [...new Set(batch.map((note) => note.from.name))];
  return (await typeMail(context, workerId, { ids, text: attributedNotes(batch), about: { from } })) || isHeld;
}

const isLimited = (context: CrewContext, workerId: string): boolean =>
  [limitGate, boundOnPrompt].some((gate) => gate(context, context.roster.record(workerId)) !== undefined);

/** What a killed server was typing may stand in the prompt box: nobody knows yet what became of it. */
async function isTornOpen(context: CrewContext, workerId: string, pending: readonly Pending[]): Promise<boolean> {
  const record = context.log.records().get(workerId);
  if (record === undefined || !pending.some(({ begun }) => begun !== undefined)) return false;
  return withRecipient(context, record, settleTorn);
}

/** The oldest that fit; always one. Pure. */
export function together<T extends { readonly message: string }>(notes: readonly T[]): readonly T[] {
  let chars = 0;
  return notes.filter(({ message }, index) => {
    chars += message.length;
    return index === 0 || chars <= longestMessage;
  });
}

/** Settles mail that a killed server had begun to type, which is never typed again; returns the rest. */
async function settleTyped(context: CrewContext, workerId: string, pending: readonly Pending[]) {
  const path = await sendsPath(context, workerId);
  const unsent: Pending['mail'][] = [];
  for (const { mail, begun } of pending) {
    const verdict = begun && (await wasTyped(path, begun));
    if (verdict === undefined) unsent.push(mail);
    else await settle(context, workerId, { ids: [mail.id], verdict });
  }
  return unsent;
}

/** Types an answer for which the worker's tool no longer waits. Resolves with whether something was in the way. */
async function deliverAnswer(context: CrewContext, workerId: string, requestId: string): Promise<boolean> {
  const record = context.roster.record(workerId);
  const { workerDir } = launchPlace(record.launch.dir);
  const [request, answer] = await Promise.all([readRequest(workerDir, requestId), readAnswer(workerDir, requestId)]);
  // Whoever posted it is about to write the answer, or was killed and will be asked again.
  if (answer === undefined) return request !== undefined;
  const now = context.clock.now();
  const isToolGone = now - answer.at >= toolReadsWithinMs;
  const by =
    (await answeredBy(workerDir, requestId)) ??
    (isToolGone ? await claimAnswer(workerDir, requestId, 'message') : undefined);
  if (by === undefined) return true;
  const ids = [requestId];
  const is = context.roster.turn(workerId)?.is;
  let isHeld = false;
  if (by === 'tool') await settle(context, workerId, { ids, verdict: 'told by the tool' });
  else if (answer.decision === 'let-go') await settle(context, workerId, { ids, verdict: 'withdrawn' });
  else if ((is !== 'idle' && is !== 'working') || isLimited(context, workerId)) isHeld = true;
  else {
    const text = answerText(requestId, request?.question?.text ?? '', answer);
    isHeld = await typeMail(context, workerId, { ids, text, about: { answers: requestId } });
  }
  const isOpen = context.roster.turn(workerId)?.questions.some((one) => one.requestId === requestId) ?? false;
  if (isOpen) await appendQuestion(record.launch.dir, { from: 'worker', kind: 'asked', at: now, requestId });
  return isHeld;
}

/** The manager's own words, which is why no fence is around them. Pure. */
export function answerText(requestId: string, question: string, { decision, message = '', by }: RequestAnswer): string {
  const who = by === 'person' ? 'A person' : 'Your manager';
  const reason = message === '' ? '.' : `: ${message}`;
  const answer = decision === 'deny' ? `${who} turned the question down${reason}` : message;
  return `crewmux: the answer to your question ${requestId} ("${questionLine(question)}"):\n${answer}`;
}

interface MailText {
  readonly ids: readonly string[];
  readonly text: string;
  /** Goes into the log beside the verdict. */
  readonly about: Readonly<Record<string, unknown>>;
}

/** Resolves with whether something was in the way, so that it is worth another try. */
async function typeMail(context: CrewContext, workerId: string, { ids, text, about }: MailText): Promise<boolean> {
  const record = context.log.records().get(workerId);
  if (record === undefined || !context.roster.isMine(record)) return false;
  const plan = context.agents.of(record).planDelivery({ text, asCommand: false });
  if ('refused' in plan) {
    context.logger.write('error', `mail of ${record.name} cannot be typed: ${plan.refused}`);
    await settle(context, workerId, { ids, verdict: 'failed' });
    return false;
  }
  const dir = await context.home.workerDir(workerId);
  await noteBegunMail(dir, ids, { digest: digestOf(plan.expect), at: context.clock.now() });
  const { verdict } = await sendMessage(context, record, {
    text,
    delivery: 'queue',
    asCommand: false,
    about,
    overtakes: true,
  });
  if (verdict === 'held' || verdict === 'failed') return true;
  await settle(context, workerId, { ids, verdict });
  return false;
}

async function settle(
  { home, clock }: CrewContext,
  workerId: string,
  { ids, verdict }: { readonly ids: readonly string[]; readonly verdict: string },
): Promise<void> {
  await settleMail(await home.workerDir(workerId), ids, { verdict, at: clock.now() });
}

/** Resolves with whether something is in the way, so that it is worth another try. */
async function deliverKept(context: CrewContext, workerId: string): Promise<boolean> {
  for (;;) {
    const state = context.roster.turn(workerId);
    if (state === undefined || byState(state, 'queue').may !== 'type' || awaitsFirstPrompt(state.facts)) return true;
    if (isLimited(context, workerId)) return true;
    const record = context.roster.record(workerId);
    const step = await withRecipient(context, record, async (to) => {
      const { closing } = context.roster;
      const isOurs = context.roster.isMine(context.roster.record(workerId)) && !closing.has(workerId);
      return isOurs ? deliverFirst(to) : 'held';
    }).catch((error: unknown): Step => {
      context.logger.write('warn', `the kept messages of ${record.name} could not be typed`, error);
      return 'held';
    });
    if (step !== 'gone') return step === 'held';
  }
}

type Step = 'gone' | 'held' | 'none';

async function deliverFirst(to: Recipient): Promise<Step> {
  const { context, record, agent } = to;
  const dir = await context.home.workerDir(record.id);
  if (await settleTorn(to)) return 'held';
  const kept = keptIn(await readMailbox(dir));
  await countKept(context, record.id, kept);
  const [first, ...rest] = kept;
  if (first === undefined) return 'none';
  const { verdict, detail } = (await begunBefore(to, first)) ?? (await attempt(to, first));
  const isHopeless = 'refused' in agent.planDelivery(first);
  if (verdict === 'held' || (verdict === 'failed' && !isHopeless)) return 'held';
  const data = { verdict, kept: first.id, chars: first.text.length, detail };
  const set = keptSet(rest.map(({ id }) => id));
  await context.log.append([{ type: eventOf(verdict), workerId: record.id, data, set }]);
  await settleMail(dir, [first.id], { verdict, at: context.clock.now() });
  return 'gone';
}

/** What a server that was killed has begun to type is not typed again, unless it was seen unsent and taken back. */
async function begunBefore({ context, record }: Recipient, { id }: KeptMail) {
  const verdict = await typedUnder(await sendsPath(context, record.id), id);
  return verdict === undefined ? undefined : { verdict, detail: 'begun by a server that ended' };
}

async function attempt(to: Recipient, { id, text, delivery, asCommand }: KeptMail) {
  const { roster, clock } = to.context;
  // Another worker of the account may have been sent on meanwhile.
  if (isLimited(to.context, to.record.id)) return { verdict: 'held', detail: 'the limit of its account' };
  const outcome = await roster.accounts.sendOn(accountOf(to.record), {
    at: clock.now(),
    send: () => sendInTurn({ ...to, request: { text, delivery, asCommand, id } }),
  });
  const { verdict, evidence } = outcome;
  const plan = to.agent.planDelivery({ text, asCommand });
  if (verdict !== 'held' && 'expect' in plan) to.following.noteOutcome(digestOf(plan.expect), outcome);
  return { verdict, detail: `${evidence.source}: ${evidence.detail}` };
}
