// Answers what a worker waits for, by its own tool, its hook or its screen, and looks whether the answer arrived.

import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import type { RequestAnswer } from '../../model/request.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { launchPlace } from '../../store/launch-place.ts';
import { postMail } from '../../store/mailbox.ts';
import { appendQuestion } from '../../store/question-line.ts';
import { answerRequest, isParked, readAnswer } from '../../store/requests.ts';
import { type AgentRequest, openOf } from '../../turn/agent-request.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';
import type { WorkerQuestion } from '../../turn/worker-question.ts';
import type { AnswerResult } from '../../wire/attention.ts';
import type { AnswerOrder, Run } from '../orders.ts';
import { answerDialog } from '../screen/dialog-answer.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import type { Following } from '../workers/following.ts';
import { refuseOthers } from '../workers/ownership.ts';
import { awaitFact } from '../workers/timing.ts';
import { grantMore } from './bounds.ts';
import { refuseEdits, remember, rememberHost, rememberingOf, toldAgent } from './remember.ts';
import { alreadyAnswered, answerFor, findQuestion, findRequest, ownAnswer } from './request-answer.ts';

/** The answer's file wakes the hook or the tool; on a busy machine that may take its time. */
const proofCeilingMs = 8_000;

interface Answering {
  readonly context: CrewContext;
  readonly record: WorkerRecord;
  readonly order: AnswerOrder;
  readonly run: Run;
}

/** Throws where something speaks against the answer; then the worker has got none. */
export async function answerWorker(context: CrewContext, order: AnswerOrder, run: Run): Promise<AnswerResult> {
  const granted = await grantMore(context, order, run);
  if (granted !== undefined) return granted;
  const record = context.roster.resolve(order.worker);
  refuseOthers(context, record);
  const following = context.roster.following(record.id);
  await following?.drain();
  const answering: Answering = { context, record, order, run };
  const { requestId } = order;
  const turn = following?.state;
  const question = findQuestion(turn, requestId);
  if (question !== undefined) {
    refuseEdits(context, record, { asked: undefined, order });
    return answerQuestion(answering, question);
  }
  const answer = requestId === undefined ? undefined : await answerElsewhere(answering, turn, requestId);
  const asked = findRequest({ record, turn, requestId, answer });
  refusePersons(answering, asked);
  refuseEdits(context, record, { asked, order });
  if (following === undefined || asked?.requestId === undefined || asked.held === undefined) {
    if (asked !== undefined) refuseGuess(answering, turn);
    return rememberHost(context, record, { order, answered: await answerDialog(context, record, order) });
  }
  return throughHook(answering, following, { ...asked, requestId: asked.requestId });
}

function resultOf(
  { context, record, order }: Answering,
  { requestId, via, success }: { requestId: string; via: AnswerResult['via']; success: boolean },
): AnswerResult {
  const { evidence, status } = context.roster.view(context.roster.record(record.id));
  const { worker, decision } = order;
  return { success, session_id: worker, request_id: requestId, decision, via, evidence, status };
}

/** Into its tool while that waits, else by a message. Throws `already_answered` when somebody was quicker. */
async function answerQuestion(answering: Answering, question: WorkerQuestion): Promise<AnswerResult> {
  const { context, record, order, run } = answering;
  const { requestId } = question;
  const at = context.clock.now();
  const answer: RequestAnswer = { at, by: run.by ?? 'manager', ...ownAnswer(question, order) };
  const { workerDir } = launchPlace(record.launch.dir);
  // Before the answer: an answer without mail would never be delivered.
  await postMail(workerDir, { v: 1, id: requestId, at, kind: 'answer' });
  const written = await answerRequest(workerDir, requestId, answer);
  if (!written.isOurs) throw alreadyAnswered(record, requestId, written.answer);
  const success = await (question.waits ? arrivesByTool : arrivesByMessage)(answering, requestId);
  const hint = success
    ? undefined
    : 'The answer is kept, and is typed into the worker as a message as soon as that may be.';
  return { ...resultOf(answering, { requestId, via: 'worker_tool', success }), ...defined({ hint }) };
}

/** Whether the tool was seen to read the answer within a few seconds. */
async function arrivesByTool({ context, record, run }: Answering, id: string): Promise<boolean> {
  const following = context.roster.following(record.id);
  if (following === undefined) return false;
  const options = { clock: context.clock, ceilingMs: proofCeilingMs, abort: run.signal };
  const isOpen = () => following.state.questions.some(({ requestId }) => requestId === id);
  return (await awaitFact(following, options, () => (isOpen() ? undefined : true))) === true;
}

/** Closes the question, so that nobody else answers it; whether the message was seen to arrive within a few seconds. */
async function arrivesByMessage({ context, record, run }: Answering, requestId: string): Promise<boolean> {
  const { clock, log } = context;
  const arrived = new Promise<boolean>((resolve) => {
    const end = (isSent: boolean) => {
      for (const stop of stops) stop();
      resolve(isSent);
    };
    const onAbort = () => end(false);
    const stops = [
      log.onEvents((events) => {
        const sent = events.find(({ data }) => data.answers === requestId);
        if (sent !== undefined && sent.type !== 'message_held') end(sent.data.verdict !== 'unconfirmed');
      }),
      clock.after(proofCeilingMs, () => end(false)),
      () => run.signal.removeEventListener('abort', onAbort),
    ];
    run.signal.addEventListener('abort', onAbort, { once: true });
  });
  await appendQuestion(record.launch.dir, { from: 'worker', kind: 'asked', at: clock.now(), requestId });
  return arrived;
}

/** The answer of a request that is no longer open; where no hook got one, somebody answered at the pane. */
async function answerElsewhere(
  { context, record }: Answering,
  turn: TurnState | undefined,
  requestId: string,
): Promise<RequestAnswer | undefined> {
  const { workerDir } = launchPlace(record.launch.dir);
  const isOpen = turn?.requests.some((one) => one.requestId === requestId) === true;
  if (isOpen || !(await isParked(workerDir, requestId))) return readAnswer(workerDir, requestId);
  const atPane: RequestAnswer = { at: context.clock.now(), by: 'pane', decision: 'let-go' };
  return (await answerRequest(workerDir, requestId, atPane)).answer;
}

async function throughHook(
  answering: Answering,
  following: Following,
  asked: AgentRequest & { readonly requestId: string },
): Promise<AnswerResult> {
  const { context, record, order, run } = answering;
  refuseInput(answering);
  const remembering = rememberingOf(context, record, { asked, order });
  const answer: RequestAnswer = {
    at: context.clock.now(),
    by: run.by ?? 'manager',
    ...answerFor(asked, order),
    ...toldAgent(remembering),
  };
  const { requestId } = asked;
  const written = await answerRequest(launchPlace(record.launch.dir).workerDir, requestId, answer);
  if (!written.isOurs) throw alreadyAnswered(record, requestId, written.answer);
  const { what, hint } = await remember(context, record, { asked, decision: order.decision, remembering });
  const success = await arrivesByHook(answering, following, requestId);
  if (!success) following.apply({ from: 'us', kind: 'untaken', requestId, at: context.clock.now() });
  const untaken = success ? undefined : `The agent was not seen to take it. Look with: ${attachOf(answering)}`;
  const hints = [untaken, hint].filter((one) => one !== undefined).join(' ');
  return {
    ...resultOf(answering, { requestId, via: 'hook', success }),
    ...defined({ remembered: what, hint: hints === '' ? undefined : hints }),
  };
}

/** Whether the hook has passed the answer on, and the agent no longer waits for it. */
async function arrivesByHook({ context, run }: Answering, following: Following, id: string): Promise<boolean> {
  const options = { clock: context.clock, ceilingMs: proofCeilingMs, abort: run.signal };
  const taken = await awaitFact(following, options, () => {
    const { asked, agent } = following.state.facts;
    const request = asked.find((one) => one.requestId === id);
    // An agent that says that it waits will say that it goes on, unless it asks something else as well; then, and where
    // it says nothing of this, the hook's word is the only proof.
    const saysNoMore = agent?.status !== 'waiting' || openOf(asked).length > 0;
    return request === undefined || (request.answered !== undefined && saysNoMore) ? true : undefined;
  });
  return taken === true;
}

const attachOf = ({ context, record: { pane } }: Answering): string =>
  pane === undefined ? 'crew_status' : context.roster.attach(pane);

function refusePersons(answering: Answering, asked: AgentRequest | undefined): void {
  if (asked?.personOnly !== true || answering.order.decision === 'deny' || answering.run.by === 'person') return;
  throw new CrewError(
    'needs_person',
    `Only a person may allow this to ${answering.record.name}: ${asked.rule ?? asked.tool}`,
    `Ask the user to answer in the pane: ${attachOf(answering)}. Or deny it with a message that says what to do instead.`,
  );
}

/** Dialogs wait one behind the other, and the one in sight may be about something else. */
function refuseGuess(answering: Answering, turn: TurnState | undefined): void {
  const drawn = turn?.requests.filter(({ held, hidden, besides }) => !held || !(hidden || besides)) ?? [];
  if (drawn.length < 2) return;
  throw new CrewError(
    'held',
    `${answering.record.name} asks ${drawn.length} things by dialogs one behind the other; which of them is in sight cannot be told.`,
    `Answer those with a hook first, or ask the user to answer in the pane: ${attachOf(answering)}`,
  );
}

function refuseInput({ context, record: { agentType }, order }: Answering): void {
  if (order.input === undefined || context.agents.named(agentType).permissionHook?.changesInput) return;
  throw new CrewError(
    'invalid_argument',
    `A ${agentType} worker cannot be given another input for its tool.`,
    'Deny with a message that says what to do instead.',
  );
}
