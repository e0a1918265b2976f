// One message to one worker: look, type, and say only what can be proved.
import type { ScreenReading, TypingPlan } from '../../agents/agent.ts';
import { asCrewError, CrewError } from '../../model/errors.ts';
import { newNonce } from '../../model/ids.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { digestOf } from '../../system/digest.ts';
import { withLock } from '../../system/lock.ts';
import type { MessageOutcome } from '../../wire/messages.ts';
import { readScreen, readScreenUntil } from '../screen/screen-look.ts';
import type { CrewContext } from '../workers/roster.ts';
import { paneRef } from '../workers/roster.ts';
import { awaitFact } from '../workers/timing.ts';
import { handOver } from './handover.ts';
import { interruptTurn, shortened } from './interrupt.ts';
import { besideDraft, failed, held, leftStanding, outcomeOf, undrawn } from './outcome.ts';
import { byScreen, byState, isReturnedPrompt, type Preflight } from './preflight.ts';
import { commandProof, messageProof } from './proof.ts';
import type { Sending, SendRequest } from './sending.ts';
import { noteBegun, noteSettled, sendLock, sendsPath } from './sends.ts';
import { type Typed, typeAlone } from './type-alone.ts';

const startCeilingMs = 8_000;
const screenTries = 15;
// On a busy machine a screen may lag some seconds behind the agent's own records.
const behindTries = 60;
const lockTimeoutMs = 60_000;

/** Never rejects for the worker's sake: what went wrong is the outcome. One send at a time per worker, across servers. */
export async function sendMessage(
  context: CrewContext,
  record: WorkerRecord,
  request: SendRequest,
): Promise<MessageOutcome> {
  const following = context.roster.following(record.id);
  if (following === undefined || record.pane === undefined) {
    return failed(
      context,
      `${record.name} is ${record.phase}`,
      'restart_workers brings it back with the same conversation.',
    );
  }
  const agent = context.agentOf(record);
  const sending: Sending = { context, record, following, agent, request };
  try {
    const outcome = await withLock(sendLock(context, record.id), () => sendInTurn(sending), {
      me: context.me,
      timeoutMs: lockTimeoutMs,
    });
    await logOutcome(sending, outcome);
    return outcome;
  } catch (error) {
    const { message, hint } = asCrewError(error);
    return failed(context, message, hint);
  }
}

async function sendInTurn(sending: Sending): Promise<MessageOutcome> {
  const { agent, request, context, following } = sending;
  const refused = agent.planDelivery(request);
  if ('refused' in refused) return failed(context, refused.refused, refused.hint);
  await following.drain();
  const stop = (await clearedByState(sending)) ?? (await clearedByScreen(sending)) ?? stillCleared(sending);
  if (stop !== undefined) return (await handOver(sending, stop)) ?? stop;
  // One answer for the keys and for the proof: the turn may end, or ask something, while they are prepared.
  const beside = midTurn(sending);
  const plan = agent.planDelivery({ ...request, ...beside });
  if ('refused' in plan) return failed(context, plan.refused, plan.hint);
  const { returned } = following.state.facts;
  const isMidTurn = beside.midTurn !== undefined;
  const typedOutcome = await (request.asCommand ? typeCommand(sending, plan) : typeMessage(sending, plan, isMidTurn));
  const outcome = (await handOver(sending, typedOutcome)) ?? typedOutcome;
  return request.delivery === 'interrupt' && returned.length > 0 ? withReturned(outcome, returned) : outcome;
}

const withReturned = (outcome: MessageOutcome, returned: readonly string[]): MessageOutcome => ({
  ...outcome,
  hint: [
    outcome.hint,
    `${returned.length} queued messages were dropped with the turn and will not run: ${JSON.stringify(shortened(returned))}.`,
  ]
    .filter(Boolean)
    .join(' '),
});

/** How a message goes in beside the turn that runs; nothing when none does. */
function midTurn({ following, request }: Sending): { readonly midTurn?: 'steer' | 'queue' } {
  if (following.state.is !== 'working') return {};
  return { midTurn: request.delivery === 'queue' ? 'queue' : 'steer' };
}

/** Undefined when the way is clear. */
async function clearedByState(sending: Sending): Promise<MessageOutcome | undefined> {
  const { context, following, request } = sending;
  const verdict = byState(following.state, request.delivery);
  if (verdict.may === 'wait') {
    const started = await awaitFact(following, { clock: context.clock, ceilingMs: startCeilingMs }, () =>
      following.state.is === 'starting' ? undefined : true,
    );
    if (started) return clearedByState(sending);
    return held(
      context,
      `${verdict.reason} after ${startCeilingMs / 1000} s`,
      'Nothing was typed. Look at it with read_worker_screen.',
    );
  }
  if (verdict.may === 'interrupt-first') {
    const ended = await interruptTurn(context, sending.record, following);
    return ended.success
      ? undefined
      : failed(context, ended.detail, 'Nothing was typed. Try again, or send with delivery "queue".');
  }
  return stopped(context, verdict);
}

/** It may have begun to wait for somebody while its screen was looked at. */
function stillCleared({ context, following, request }: Sending): MessageOutcome | undefined {
  const verdict = byState(following.state, request.delivery);
  return verdict.may === 'hold' || verdict.may === 'fail' ? stopped(context, verdict) : undefined;
}

async function clearedByScreen(sending: Sending): Promise<MessageOutcome | undefined> {
  const { context, record, following, agent } = sending;
  const look = async () => settled(sending, await readScreen(context, record, agent));
  const nobodys = (draft: string) =>
    isReturnedPrompt(draft, following.lastPrompt) || isReturnedPrompt(draft, following.lastQueue);
  // What is typed while the screen still has the turn joins that turn, and comes back into the box when its end is seen.
  const isBehind = ({ busy }: ScreenReading) => busy !== undefined && following.state.is !== 'working';
  const caughtUp = await readScreenUntil(look, (seen) => !isBehind(seen), behindTries);
  if (caughtUp !== undefined && isBehind(caughtUp)) {
    const reason = `its screen still shows a turn ("${caughtUp.busy}") that its records say has ended`;
    return held(context, reason, 'Nothing was typed. Look at it with read_worker_screen, then send again.');
  }
  // Half a redraw can look like a dialog, and the agent has just said that none is open: a real one stays.
  const isWhole = (seen: ScreenReading) => seen.dialog === undefined && byScreen(seen, nobodys).may !== 'wait';
  const reading = await readScreenUntil(look, isWhole, screenTries);
  const verdict = byScreen(reading ?? {}, nobodys);
  if (verdict.may === 'wait')
    return held(context, verdict.reason, 'Nothing was typed. Look at it with read_worker_screen.');
  if (verdict.may !== 'clear-first') return stopped(context, verdict);
  await context.terminal.deliver(paneOf(record), agent.clearDraft);
  const cleared = await readScreenUntil(look, (seen) => byScreen(seen, () => false).may === 'type', screenTries);
  return stopped(
    context,
    byScreen(cleared ?? {}, () => false),
  );
}

/** Between turns nothing is queued: it is on its way into the box, and what was typed now would join it. */
function settled({ following }: Sending, reading: ScreenReading | undefined): ScreenReading | undefined {
  const isMoving = following.state.facts.transcript?.open !== true && (reading?.queued?.length ?? 0) > 0;
  if (reading === undefined || !isMoving) return reading;
  const { draft: _, ...rest } = reading;
  return rest;
}

function stopped(context: CrewContext, verdict: Preflight): MessageOutcome | undefined {
  if (verdict.may === 'type') return undefined;
  if (verdict.may === 'fail') return failed(context, verdict.reason, verdict.hint);
  if (verdict.may === 'hold') return held(context, verdict.reason, verdict.hint);
  return held(
    context,
    'the screen does not show an empty prompt box',
    'Nothing was typed. Look at it with read_worker_screen.',
  );
}

async function typeMessage(sending: Sending, plan: TypingPlan, midTurn: boolean): Promise<MessageOutcome> {
  const { context, record, following } = sending;
  const id = newNonce();
  const path = await sendsPath(context, record.id);
  const { expect: text } = plan;
  await noteBegun(path, {
    id,
    at: context.clock.now(),
    launch: record.launch.number,
    digest: digestOf(text),
    chars: text.length,
  });
  // From here on the worker is not idle, whatever else is said, until this message is accounted for.
  following.apply({ from: 'us', kind: 'sent', messageId: id, text, at: context.clock.now() });
  const proof = await messageProof(sending, { id, text, midTurn, steers: sending.request.delivery !== 'queue' });
  const outcome = await typed(sending, plan, proof);
  await noteSettled(path, { id, at: context.clock.now(), verdict: outcome.verdict });
  return outcome;
}

async function typeCommand(sending: Sending, plan: TypingPlan): Promise<MessageOutcome> {
  return typed(sending, plan, commandProof(sending));
}

interface Proof {
  /** What the agent shows of it, once everything was typed. */
  outcome(): Promise<MessageOutcome>;
  /** Nothing was sent, so nothing is to be expected. */
  withdraw(): void;
}

async function typed(sending: Sending, plan: TypingPlan, proof: Proof): Promise<MessageOutcome> {
  const { context } = sending;
  const result = await typeAlone(sending, plan).catch((error: unknown) => asCrewError(error));
  if (!(result instanceof CrewError) && result.is === 'sent') return proof.outcome();
  proof.withdraw();
  if (result instanceof CrewError) {
    const { message, hint, code } = result;
    return code === 'held' ? held(context, message, hint) : failed(context, message, hint);
  }
  return unsent(context, result);
}

function unsent(context: CrewContext, result: Exclude<Typed, { readonly is: 'sent' }>): MessageOutcome {
  if (result.is === 'left') return leftStanding(context, result.reason);
  return result.beside === '' ? undrawn(context) : besideDraft(context, result.beside);
}

function paneOf(record: WorkerRecord) {
  if (record.pane !== undefined) return paneRef(record.pane);
  throw new CrewError('worker_dead', `${record.name} has no pane.`, 'restart_workers brings it back.');
}

async function logOutcome({ context, record, request }: Sending, outcome: MessageOutcome): Promise<void> {
  const type =
    outcome.verdict === 'queued' ? 'message_queued' : outcome.verdict === 'held' ? 'message_held' : 'message_sent';
  const data = {
    verdict: outcome.verdict,
    chars: request.text.length,
    detail: outcomeOf(outcome),
    ...request.about,
  };
  await context.log.append([{ type, workerId: record.id, data }]);
}
