// Sends one message to one worker: looks, types, and reports only what it can prove.

import type { ScreenReading, TypingPlan } from '../../agents/agent.ts';
import { defined } from '../../model/defined.ts';
import { asCrewError, CrewError } from '../../model/errors.ts';
import type { EventType } from '../../model/event.ts';
import { newNonce } from '../../model/ids.ts';
import { counted } from '../../model/plural.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { keepLastPrompt } from '../../store/last-prompt.ts';
import { digestOf } from '../../system/digest.ts';
import { withLock } from '../../system/lock.ts';
import type { MessageOutcome } from '../../wire/messages.ts';
import { readScreen, readScreenUntil } from '../screen/screen-look.ts';
import { limitGate } from '../workers/accounts.ts';
import { boundOnPrompt } from '../workers/budget.ts';
import { type CrewContext, paneRef } from '../workers/crew-context.ts';
import { refuseOthers } from '../workers/ownership.ts';
import { awaitFact } from '../workers/timing.ts';
import { handOver } from './agent-queue.ts';
import { interruptTurn, shortened } from './interrupt.ts';
import { behindKept, keepMessage, limitHint, limitWords, sentBefore } from './kept.ts';
import { byScreen, byState, isReturnedPrompt, type Preflight, short } from './preflight.ts';
import { commandProof, messageProof } from './proof.ts';
import { forgetTyping, noteBegun, noteSettled, noteTyping, sendLock, sendsPath, trimSends } from './send-journal.ts';
import {
  failed,
  held,
  leftInBox,
  type MessageSending,
  overLimit,
  type Recipient,
  type SendRequest,
} from './sending.ts';
import { settleTorn } from './torn.ts';
import { type Typed, typeIntoBox } from './type-into-box.ts';

const startCeilingMs = 8_000;
const screenTries = 15;
// On a busy machine a screen may lag some seconds behind the agent's own records.
const behindTries = 60;
const lockTimeoutMs = 60_000;
const lookHint = 'Nothing was typed. Look at it with read_worker_screen.';

/** Where the worker is at fault it resolves with a failed outcome. One send at a time per worker, across servers. */
export async function sendMessage(
  context: CrewContext,
  record: WorkerRecord,
  request: SendRequest,
): Promise<MessageOutcome> {
  try {
    return await withRecipient(context, record, async (to) => {
      const sending: MessageSending = { ...to, request };
      await settleTorn(to);
      const before = await sentBefore(sending);
      if (before !== undefined) return before;
      const limit = atLimit(sending);
      const behind = limit ?? (request.overtakes ? undefined : await behindKept(sending));
      const outcome = behind ?? (await sendInTurn(sending));
      const isKept = request.keep || (limit !== undefined && !request.overtakes);
      if (outcome.verdict === 'held' && isKept) return keepMessage(sending, outcome);
      await logOutcome(sending, outcome);
      return outcome;
    });
  } catch (error) {
    const { message, hint } = asCrewError(error);
    return failed(context, message, hint);
  }
}

/** The limit of the account keeps a new turn from beginning, unless whoever sends knows better. */
function atLimit({ context, record, agent, request }: MessageSending): MessageOutcome | undefined {
  if (request.afterLimit || request.asCommand || request.delivery !== 'queue') return undefined;
  if ('refused' in agent.planDelivery(request)) return undefined;
  const gate = limitGate(context, record);
  return gate && held(context, limitWords(gate), limitHint);
}

/** While it runs, nobody else types into the worker, of any server. */
export async function withRecipient<T>(
  context: CrewContext,
  record: WorkerRecord,
  act: (to: Recipient) => Promise<T>,
): Promise<T> {
  const following = context.roster.following(record.id);
  if (following === undefined || record.pane === undefined) {
    throw new CrewError(
      'worker_dead',
      `${record.name} is ${record.phase}`,
      'restart_workers brings it back with the same conversation.',
    );
  }
  const to: Recipient = { context, record, following, agent: context.agents.of(record) };
  const typing = async () => {
    // Whoever has adopted it meanwhile is the one that types.
    await context.log.catchUp();
    refuseOthers(context, context.roster.record(record.id));
    return act(to);
  };
  return withLock(sendLock(context, record.id), typing, { me: context.me, timeoutMs: lockTimeoutMs });
}

/** One try, for who holds the lock: `held` and `failed` typed nothing. */
export async function sendInTurn(sending: MessageSending): Promise<MessageOutcome> {
  const { agent, request, context, following } = sending;
  const refused = agent.planDelivery(request);
  if ('refused' in refused) return failed(context, refused.refused, refused.hint);
  await following.drain();
  const bound = beginsTurn(sending) ? boundOnPrompt(context, context.roster.record(following.workerId)) : undefined;
  if (bound !== undefined) return overLimit(context, sending.record, bound);
  const obstacle = (await inState(sending)) ?? (await onScreen(sending)) ?? inStateSince(sending);
  if (obstacle !== undefined) return (await handOver(sending, obstacle)) ?? obstacle;
  // One answer for the keys and for the proof: the turn may end, or ask something, while they are prepared.
  const midTurn = midTurnWay(sending);
  const plan = agent.planDelivery({ ...request, ...defined({ midTurn }) });
  if ('refused' in plan) return failed(context, plan.refused, plan.hint);
  const { returned } = following.state.facts;
  const typed = await typeMessage(sending, plan, midTurn !== undefined);
  const outcome = (await handOver(sending, typed)) ?? typed;
  if (request.delivery !== 'interrupt' || returned.length === 0) return outcome;
  const dropped = `${counted(returned.length, 'queued message')} ${returned.length === 1 ? 'was' : 'were'} dropped with the turn and will not run: ${JSON.stringify(shortened(returned))}.`;
  return { ...outcome, hint: [outcome.hint, dropped].filter(Boolean).join(' ') };
}

/** A text that the running turn takes in begins none. */
const beginsTurn = ({ following, request }: MessageSending): boolean =>
  following.state.is !== 'gone' && !(following.state.is === 'working' && request.delivery === 'steer');

/** How a message goes in beside the turn that runs; undefined when none does. */
function midTurnWay({ following, request }: MessageSending): 'steer' | 'queue' | undefined {
  if (following.state.is !== 'working') return undefined;
  return request.delivery === 'queue' ? 'queue' : 'steer';
}

/** The obstacle that the worker's state is to typing; undefined when there is none. */
async function inState(sending: MessageSending): Promise<MessageOutcome | undefined> {
  const { context, record, following, request } = sending;
  const verdict = byState(following.state, request.delivery);
  if (verdict.may === 'wait') {
    const started = await awaitFact(following, { clock: context.clock, ceilingMs: startCeilingMs }, () =>
      following.state.is === 'starting' ? undefined : true,
    );
    if (started) return inState(sending);
    return held(context, `${verdict.reason} after ${startCeilingMs / 1000} s`, lookHint);
  }
  if (verdict.may === 'interrupt-first') {
    const { success, detail } = await interruptTurn(context, record, following);
    return success
      ? undefined
      : failed(context, detail, 'Nothing was typed. Try again, or send with delivery "queue".');
  }
  return refusal(context, verdict);
}

/** It may have begun to wait for somebody while its screen was looked at. */
function inStateSince({ context, following, request }: MessageSending): MessageOutcome | undefined {
  const verdict = byState(following.state, request.delivery);
  return verdict.may === 'hold' || verdict.may === 'fail' ? refusal(context, verdict) : undefined;
}

/** The obstacle that the screen shows; undefined when it shows an empty prompt box, or now does. */
async function onScreen(sending: MessageSending): Promise<MessageOutcome | undefined> {
  const { context, record, following, agent } = sending;
  const look = async () => withoutQueue(sending, await readScreen(context, record, agent));
  const isNobodys = (draft: string) =>
    [following.lastPrompt, following.lastQueue].some((prompt) => isReturnedPrompt(draft, prompt));
  // Text typed while the screen still shows the turn joins that turn, and the agent puts it back when the turn ends.
  const isBehind = ({ busy }: ScreenReading) => busy !== undefined && following.state.is !== 'working';
  const caughtUp = await readScreenUntil(look, (seen) => !isBehind(seen), behindTries);
  if (caughtUp !== undefined && isBehind(caughtUp)) {
    const reason = `its screen still shows a turn ("${caughtUp.busy}") that its records say has ended`;
    return held(context, reason, 'Nothing was typed. Look at it with read_worker_screen, then send again.');
  }
  // Half a redraw can look like a dialog, and the agent has just said that none is open: a real one stays.
  const isWhole = (seen: ScreenReading) => seen.dialog === undefined && byScreen(seen, isNobodys).may !== 'wait';
  const verdict = byScreen((await readScreenUntil(look, isWhole, screenTries)) ?? {}, isNobodys);
  if (verdict.may === 'wait') return held(context, verdict.reason, lookHint);
  if (verdict.may !== 'clear-first') return refusal(context, verdict);
  await context.terminal.deliver(paneOf(record), agent.clearDraft);
  const afterClear = (seen: ScreenReading) => byScreen(seen, () => false);
  const cleared = await readScreenUntil(look, (seen) => afterClear(seen).may === 'type', screenTries);
  return refusal(context, afterClear(cleared ?? {}));
}

/** Between turns a queued text is on its way into the box, and would join what is typed now: no box is free then. */
function withoutQueue({ following }: MessageSending, reading: ScreenReading | undefined): ScreenReading | undefined {
  const isMoving = following.state.facts.transcript?.open !== true && (reading?.queued?.length ?? 0) > 0;
  if (reading === undefined || !isMoving) return reading;
  const { draft: _, ...rest } = reading;
  return rest;
}

function refusal(context: CrewContext, verdict: Preflight): MessageOutcome | undefined {
  if (verdict.may === 'type') return undefined;
  if (verdict.may === 'fail') return failed(context, verdict.reason, verdict.hint);
  if (verdict.may === 'hold') return held(context, verdict.reason, verdict.hint);
  return held(context, 'the screen does not show an empty prompt box', lookHint);
}

async function typeMessage(sending: MessageSending, plan: TypingPlan, midTurn: boolean): Promise<MessageOutcome> {
  const { context, record, following, request } = sending;
  const { asCommand: isCommand } = request;
  const id = request.id ?? newNonce();
  const path = await sendsPath(context, record.id);
  const { expect: text } = plan;
  const send = { launch: record.launch.number, digest: digestOf(text), chars: text.length };
  await noteTyping(context, record.id, { id, text: request.text, asCommand: isCommand });
  await noteBegun(path, { id, at: context.clock.now(), ...send });
  // From here on the worker is not idle, whatever any source says, until this message is accounted for.
  following.apply({ from: 'us', kind: 'sent', messageId: id, text: isCommand ? '' : text, at: context.clock.now() });
  const proof = isCommand
    ? commandProof(sending, id)
    : await messageProof(sending, { id, text, midTurn, steers: request.delivery !== 'queue' });
  const outcome = await typeAndProve(sending, plan, proof);
  await noteSettled(path, { id, at: context.clock.now(), verdict: outcome.verdict });
  if (!isCommand && request.overtakes !== true && outcome.success)
    await keepLastPrompt(await context.home.workerDir(record.id), request.text);
  await forgetTyping(context, record.id);
  await trimSends(path).catch((error: unknown) => context.logger.write('warn', `${path} is long`, error));
  return outcome;
}

interface Proof {
  /** What the agent shows of it, once everything was typed. */
  outcome(): Promise<MessageOutcome>;
  /** Nothing was sent, so that the agent shows nothing of it. */
  withdraw(): void;
}

async function typeAndProve(sending: MessageSending, plan: TypingPlan, proof: Proof): Promise<MessageOutcome> {
  const { context, following } = sending;
  following.noteSent(digestOf(plan.expect));
  const result = await typeIntoBox(sending, plan).catch((error: unknown) => asCrewError(error));
  if (!(result instanceof CrewError) && result.is === 'sent') return proof.outcome();
  proof.withdraw();
  if (!(result instanceof CrewError)) return unsent(context, result);
  const { message, hint, code } = result;
  return code === 'held' ? held(context, message, hint) : failed(context, message, hint);
}

function unsent(context: CrewContext, typed: Exclude<Typed, { readonly is: 'sent' }>): MessageOutcome {
  if (typed.is === 'left') return leftInBox(context, typed.reason);
  // The program may be stopped: our keys lie in its input, and behind them those that take them back.
  if (typed.beside === '')
    return held(
      context,
      'it draws nothing of what is typed into it',
      'Nothing was sent: what had been typed was taken back unseen. Its program may be stopped or very busy; look with read_worker_screen, then send again.',
    );
  // A person's draft showed only when the message was behind it, and is in the box as it was.
  return held(
    context,
    `somebody's half-typed text is in the prompt box: "${short(typed.beside)}"`,
    'Nothing was sent: what had been typed beside that text was taken back. Let the person finish, or clear the box in the pane, then send again.',
  );
}

function paneOf({ pane, name }: WorkerRecord) {
  if (pane !== undefined) return paneRef(pane);
  throw new CrewError('worker_dead', `${name} has no pane.`, 'restart_workers brings it back.');
}

async function logOutcome(
  { context, record, request }: MessageSending,
  { verdict, evidence, reason }: MessageOutcome,
): Promise<void> {
  const detail = `${evidence.source}: ${evidence.detail}`;
  const data = { verdict, chars: request.text.length, detail, ...defined({ reason }), ...request.about };
  await context.log.append([{ type: eventOf(verdict), workerId: record.id, data }]);
}

export function eventOf(verdict: string): EventType {
  if (verdict === 'queued') return 'message_queued';
  return verdict === 'held' ? 'message_held' : 'message_sent';
}
