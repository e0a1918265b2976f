// Hands a message to the agent's own queue where nothing can be typed: without a keystroke, beside any draft.
import { newNonce } from '../../model/ids.ts';
import type { Evidence, Signal } from '../../model/turn.ts';
import { digestOf } from '../../system/digest.ts';
import { run } from '../../system/exec.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';
import type { MessageOutcome } from '../../wire/messages.ts';
import { agentEnvironment } from '../workers/private-options.ts';
import { type BegunSend, handedVerdict, noteBegun, noteSettled, sendsPath } from './send-journal.ts';
import { type MessageSending, proved, type Recipient, unconfirmed } from './sending.ts';

const ceilingMs = 30_000;
const restLookMs = 5_000;
// An agent at rest looks into its queue every ten seconds.
const restCeilingMs = 60_000;

const isStartUp = new Set(['trust', 'login', 'update', 'mcp_approval', 'limit']);

/** Whether the agent would serve its queue once the obstacle to typing is gone. Pure. */
export function servesQueue({ is, waitingFor, facts }: TurnState): boolean {
  const isThere = is !== 'gone' && is !== 'unknown' && is !== 'starting';
  if (!isThere || (waitingFor !== undefined && isStartUp.has(waitingFor))) return false;
  return facts.transcript !== undefined && facts.witness.end?.how !== 'interrupted';
}

/** Undefined where the agent has no such queue or would not serve it: then the obstacle is the outcome. */
export async function handOver(sending: MessageSending, obstacle: MessageOutcome): Promise<MessageOutcome | undefined> {
  const { context, record, following, agent, request } = sending;
  const { agentSessionId, state } = following;
  const isMeant = obstacle.verdict === 'held' && request.delivery === 'queue' && !request.asCommand;
  if (!isMeant || agent.planHandover === undefined || agentSessionId === '' || !servesQueue(state)) return undefined;
  const plan = agent.planHandover({ text: request.text, agentSessionId });
  const path = await sendsPath(context, record.id);
  const send = { id: request.id ?? newNonce(), digest: digestOf(request.text), chars: request.text.length };
  await noteBegun(path, { ...send, at: context.clock.now(), launch: record.launch.number });
  following.noteSent(send.digest);
  // Before the program runs: the agent may take the message up before the program has ended.
  awaitTurn({ context, record, following }, send);
  const result = await runQueue(sending, plan.args);
  // Once the program says so, the agent has the message, even if the program then takes long to end.
  const accepted = plan.accepted.exec(result.stdout)?.[0];
  const at = context.clock.now();
  if (accepted !== undefined) {
    await noteSettled(path, { id: send.id, at, verdict: handedVerdict });
    return handedOutcome(obstacle, { source: 'agent', at, detail: accepted });
  }
  following.apply({ from: 'us', kind: 'given-up', messageId: send.id, at });
  const mayHaveIt = result.timedOut || result.exitCode === 0;
  await noteSettled(path, { id: send.id, at, verdict: mayHaveIt ? 'unconfirmed' : 'held' });
  const words = (result.startError ?? (result.stderr.trim() || result.stdout.trim())).split('\n')[0] ?? '';
  context.logger.write('warn', `the own queue of ${record.name} did not take a message: ${words}`);
  if (mayHaveIt) return unconfirmed({ source: 'us', at, detail: `its own queue gave no clear answer: ${words}` });
  return undefined;
}

const handedOutcome = (obstacle: MessageOutcome, evidence: Evidence): MessageOutcome => ({
  ...proved('queued', evidence, null),
  hint: `Nothing stands in its prompt box, since ${obstacle.evidence.detail}. Its own queue has the message: it has a turn of its own within some ten seconds of the end of that and of the running turn. An interrupt pauses that queue until a later turn ends by itself.`,
});

async function runQueue({ context, record }: MessageSending, args: readonly string[]) {
  const [program = '', ...leading] = record.launch.command;
  const env = await agentEnvironment(context, record);
  return run(program, [...leading, ...args], { env, cwd: record.projectPath, timeoutMs: ceilingMs });
}

/** A worker whose agent's own queue holds a message. */
type Handed = Omit<Recipient, 'agent'>;

/** Prompts that are matched to a message: one prompt proves one message, even if two have the same text. */
const taken = new WeakSet<Signal>();

/** Keeps the worker from being idle until the message has its turn; gives up one that never gets it, and logs that. */
export function awaitTurn(at: Handed, send: Pick<BegunSend, 'id' | 'digest' | 'chars'>): void {
  const { context, following, record } = at;
  const { id: messageId } = send;
  const stop = following.onSignal((signal) => {
    if (signal.from === 'us' && signal.kind === 'given-up' && signal.messageId === messageId) stop();
    if (signal.from !== 'transcript' || signal.kind !== 'prompt' || taken.has(signal)) return;
    if (digestOf(signal.text) !== send.digest) return;
    taken.add(signal);
    following.apply({ from: 'us', kind: 'given-up', messageId, at: signal.at });
    void settle(at, send, 'submitted', 'taken up from its own queue');
  });
  following.apply({ from: 'us', kind: 'handed', messageId, at: context.clock.now() });
  giveUpAtRest(at, { messageId, restMs: 0 }, () => {
    const detail = `${record.name} has not taken it up from its own queue within ${restCeilingMs / 1000} s of rest`;
    following.apply({ from: 'us', kind: 'given-up', messageId, at: context.clock.now() });
    void settle(at, send, 'unconfirmed', detail);
  });
}

function giveUpAtRest(at: Handed, { messageId, restMs }: { messageId: string; restMs: number }, giveUp: () => void) {
  const { context, following } = at;
  context.clock.after(restLookMs, () => {
    const { state } = following;
    if (state.is === 'gone' || !state.facts.handed.some((one) => one.messageId === messageId)) return;
    const isAtRest = state.is === 'working' && state.facts.transcript?.open !== true;
    if (isAtRest && restMs + restLookMs >= restCeilingMs) return giveUp();
    giveUpAtRest(at, { messageId, restMs: isAtRest ? restMs + restLookMs : 0 }, giveUp);
  });
}

async function settle(
  { context, record }: Handed,
  send: Pick<BegunSend, 'id' | 'chars'>,
  verdict: string,
  detail: string,
) {
  try {
    await noteSettled(await sendsPath(context, record.id), { id: send.id, at: context.clock.now(), verdict });
    const data = { verdict, chars: send.chars, detail };
    await context.log.append([{ type: 'message_sent', workerId: record.id, data }]);
  } catch (error) {
    context.logger.write('error', `what became of a message to ${record.name} could not be noted`, error);
  }
}
