// One message to one worker: look, type, and say only what can be proved.
import type { Agent, ScreenReading, TypingPlan } from '../../agents/agent.ts';
import { asCrewError, CrewError } from '../../model/errors.ts';
import { newNonce } from '../../model/ids.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { withLock } from '../../system/lock.ts';
import type { MessageOutcome } from '../../wire/messages.ts';
import type { House } from '../house.ts';
import { readScreen, readScreenUntil } from '../screen/screen-look.ts';
import { awaitFact } from '../watching/await-state.ts';
import type { Following } from '../watching/following.ts';
import { paneRef } from '../watching/roster.ts';
import { handOver } from './handover.ts';
import { interruptTurn, shortened } from './interrupt.ts';
import { besideDraft, failed, held, leftStanding, outcomeOf, undrawn } from './outcome.ts';
import { byScreen, byState, isReturnedPrompt, type Preflight } from './preflight.ts';
import { commandProof, messageProof } from './proof.ts';
import { digestOf, noteBegun, noteSettled, sendLock, sendsPath } from './sends.ts';
import { type Typed, typeAlone } from './type-alone.ts';

export interface SendRequest {
  readonly text: string;
  readonly delivery: 'queue' | 'steer' | 'interrupt';
  readonly asCommand: boolean;
  /** For the log, beside the verdict. */
  readonly about?: Readonly<Record<string, unknown>>;
}

const startCeilingMs = 8_000;
const screenTries = 15;
// On a busy machine a screen may lag some seconds behind the agent's own records.
const behindTries = 60;
const lockTimeoutMs = 60_000;

export interface Sending {
  readonly house: House;
  readonly record: WorkerRecord;
  readonly following: Following;
  readonly agent: Agent;
  readonly request: SendRequest;
}

/** Never rejects for the worker's sake: what went wrong is the outcome. One send at a time per worker, across servers. */
export async function sendMessage(house: House, record: WorkerRecord, request: SendRequest): Promise<MessageOutcome> {
  const following = house.roster.following(record.id);
  if (following === undefined || record.pane === undefined) {
    return failed(
      house,
      `${record.name} is ${record.phase}`,
      'restart_workers brings it back with the same conversation.',
    );
  }
  const agent = house.agentOf(record);
  const sending: Sending = { house, record, following, agent, request };
  try {
    const outcome = await withLock(sendLock(house, record.id), () => sendInTurn(sending), {
      me: house.me,
      timeoutMs: lockTimeoutMs,
    });
    await logOutcome(sending, outcome);
    return outcome;
  } catch (error) {
    const { message, hint } = asCrewError(error);
    return failed(house, message, hint);
  }
}

async function sendInTurn(sending: Sending): Promise<MessageOutcome> {
  const { agent, request, house, following } = sending;
  const refused = agent.planDelivery(request);
  if ('refused' in refused) return failed(house, refused.refused, refused.hint);
  await following.drain();
  const stop = (await clearedByState(sending)) ?? (await clearedByScreen(sending)) ?? stillCleared(sending);
  if (stop !== undefined) return (await handOver(sending, stop)) ?? stop;
  // One answer for the keys and for the proof: the turn may end, or ask something, while they are prepared.
  const beside = midTurn(sending);
  const plan = agent.planDelivery({ ...request, ...beside });
  if ('refused' in plan) return failed(house, plan.refused, plan.hint);
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
  const { house, following, request } = sending;
  const verdict = byState(following.state, request.delivery);
  if (verdict.may === 'wait') {
    const started = await awaitFact(following, { clock: house.clock, ceilingMs: startCeilingMs }, () =>
      following.state.is === 'starting' ? undefined : true,
    );
    if (started) return clearedByState(sending);
    return held(
      house,
      `${verdict.reason} after ${startCeilingMs / 1000} s`,
      'Nothing was typed. Look at it with read_worker_screen.',
    );
  }
  if (verdict.may === 'interrupt-first') {
    const ended = await interruptTurn(house, sending.record, following);
    return ended.success
      ? undefined
      : failed(house, ended.detail, 'Nothing was typed. Try again, or send with delivery "queue".');
  }
  return stopped(house, verdict);
}

/** It may have begun to wait for somebody while its screen was looked at. */
function stillCleared({ house, following, request }: Sending): MessageOutcome | undefined {
  const verdict = byState(following.state, request.delivery);
  return verdict.may === 'hold' || verdict.may === 'fail' ? stopped(house, verdict) : undefined;
}

async function clearedByScreen(sending: Sending): Promise<MessageOutcome | undefined> {
  const { house, record, following, agent } = sending;
  const look = async () => settled(sending, await readScreen(house, record, agent));
  const nobodys = (draft: string) =>
    isReturnedPrompt(draft, following.lastPrompt) || isReturnedPrompt(draft, following.lastQueue);
  // What is typed while the screen still has the turn joins that turn, and comes back into the box when its end is seen.
  const isBehind = ({ busy }: ScreenReading) => busy !== undefined && following.state.is !== 'working';
  const caughtUp = await readScreenUntil(look, (seen) => !isBehind(seen), behindTries);
  if (caughtUp !== undefined && isBehind(caughtUp)) {
    const reason = `its screen still shows a turn ("${caughtUp.busy}") that its records say has ended`;
    return held(house, reason, 'Nothing was typed. Look at it with read_worker_screen, then send again.');
  }
  // Half a redraw can look like a dialog, and the agent has just said that none is open: a real one stays.
  const isWhole = (seen: ScreenReading) => seen.dialog === undefined && byScreen(seen, nobodys).may !== 'wait';
  const reading = await readScreenUntil(look, isWhole, screenTries);
  const verdict = byScreen(reading ?? {}, nobodys);
  if (verdict.may === 'wait')
    return held(house, verdict.reason, 'Nothing was typed. Look at it with read_worker_screen.');
  if (verdict.may !== 'clear-first') return stopped(house, verdict);
  await house.terminal.deliver(paneOf(record), agent.clearDraft);
  const cleared = await readScreenUntil(look, (seen) => byScreen(seen, () => false).may === 'type', screenTries);
  return stopped(
    house,
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

function stopped(house: House, verdict: Preflight): MessageOutcome | undefined {
  if (verdict.may === 'type') return undefined;
  if (verdict.may === 'fail') return failed(house, verdict.reason, verdict.hint);
  if (verdict.may === 'hold') return held(house, verdict.reason, verdict.hint);
  return held(
    house,
    'the screen does not show an empty prompt box',
    'Nothing was typed. Look at it with read_worker_screen.',
  );
}

async function typeMessage(sending: Sending, plan: TypingPlan, midTurn: boolean): Promise<MessageOutcome> {
  const { house, record, following } = sending;
  const id = newNonce();
  const path = await sendsPath(house, record.id);
  const { expect: text } = plan;
  await noteBegun(path, {
    id,
    at: house.clock.now(),
    launch: record.launch.number,
    digest: digestOf(text),
    chars: text.length,
  });
  // From here on the worker is not idle, whatever else is said, until this message is accounted for.
  following.apply({ from: 'us', kind: 'sent', messageId: id, text, at: house.clock.now() });
  const proof = await messageProof(sending, { id, text, midTurn, steers: sending.request.delivery !== 'queue' });
  const outcome = await typed(sending, plan, proof);
  await noteSettled(path, { id, at: house.clock.now(), verdict: outcome.verdict });
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
  const { house } = sending;
  const result = await typeAlone(sending, plan).catch((error: unknown) => asCrewError(error));
  if (!(result instanceof CrewError) && result.is === 'sent') return proof.outcome();
  proof.withdraw();
  if (result instanceof CrewError) {
    const { message, hint, code } = result;
    return code === 'held' ? held(house, message, hint) : failed(house, message, hint);
  }
  return unsent(house, result);
}

function unsent(house: House, result: Exclude<Typed, { readonly is: 'sent' }>): MessageOutcome {
  if (result.is === 'left') return leftStanding(house, result.reason);
  return result.beside === '' ? undrawn(house) : besideDraft(house, result.beside);
}

function paneOf(record: WorkerRecord) {
  if (record.pane !== undefined) return paneRef(record.pane);
  throw new CrewError('worker_dead', `${record.name} has no pane.`, 'restart_workers brings it back.');
}

async function logOutcome({ house, record, request }: Sending, outcome: MessageOutcome): Promise<void> {
  const type =
    outcome.verdict === 'queued' ? 'message_queued' : outcome.verdict === 'held' ? 'message_held' : 'message_sent';
  const data = {
    verdict: outcome.verdict,
    chars: request.text.length,
    detail: outcomeOf(outcome),
    ...request.about,
  };
  await house.log.append([{ type, workerId: record.id, data }]);
}
