// Answers what a worker waits for, and looks whether the answer took.

import { CrewError } from '../../model/errors.ts';
import type { RequestAnswer } from '../../model/request.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { launchPlace } from '../../store/launch-place.ts';
import { answerRequest, isParked, readAnswer } from '../../store/requests.ts';
import { type AgentRequest, openOf } from '../../turn/agent-request.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';
import type { AnswerResult } from '../../wire/attention.ts';
import type { AnswerOrder, Run } from '../orders.ts';
import { answerDialog } from '../screen/dialog-answer.ts';
import type { Following } from '../workers/following.ts';
import type { CrewContext } from '../workers/roster.ts';
import { awaitFact } from '../workers/timing.ts';
import { answerQuestion } from './answer-question.ts';
import { remember, rememberingOf } from './remember.ts';
import { answerFor } from './request-answer.ts';
import { alreadyAnswered, questionMeant, requestMeant } from './request-meant.ts';
import { setPermissions } from './set-permissions.ts';

/** The hook is woken by the file; on a busy machine it may take its time. */
const proofCeilingMs = 8_000;

interface Answering {
  readonly context: CrewContext;
  readonly record: WorkerRecord;
  readonly order: AnswerOrder;
  readonly run: Run;
}

/** Through the hook that holds the request, else on the screen. Throws what stands against it; then nothing was said. */
export async function answerWorker(context: CrewContext, order: AnswerOrder, run: Run): Promise<AnswerResult> {
  const record = context.roster.resolve(order.worker);
  const following = context.roster.following(record.id);
  await following?.drain();
  const question = questionMeant(following?.state, order.requestId);
  if (question !== undefined) return answerQuestion(context, { record, question, order, by: 'manager' }, run);
  const requestId = order.requestId;
  const { workerDir } = launchPlace(record.launch.dir);
  const turn = following?.state;
  const answer = requestId === undefined ? undefined : await answerElsewhere(context, { turn, workerDir, requestId });
  const asked = requestMeant({ record, turn, requestId, answer });
  const answering: Answering = { context, record, order, run };
  refusePersons(answering, asked);
  if (following === undefined || asked?.requestId === undefined || asked.held === undefined) {
    if (asked !== undefined) refuseGuess(answering, turn);
    return rememberingHost(context, record, await answerDialog(context, record, order));
  }
  return throughHook(answering, following, { ...asked, requestId: asked.requestId });
}

/** What one worker may reach from now on, none of the crew is asked about again. */
async function rememberingHost(
  context: CrewContext,
  record: WorkerRecord,
  answered: AnswerResult,
): Promise<AnswerResult> {
  const host = answered.success ? context.agentOf(record).sandbox?.hostOf(answered.option ?? '') : undefined;
  if (host === undefined) return answered;
  const rule = `WebFetch(domain:${host})`;
  await setPermissions(context, { scope: 'default', allow: [rule] });
  return { ...answered, remembered: `${rule} for the whole crew` };
}

/** What answered a request that is not open any more; where no hook was told, somebody did so at the pane. */
async function answerElsewhere(
  context: CrewContext,
  { turn, workerDir, requestId }: { turn: TurnState | undefined; workerDir: string; requestId: string },
): Promise<RequestAnswer | undefined> {
  const isOpen = turn?.requests.some((one) => one.requestId === requestId) === true;
  if (isOpen || !(await isParked(workerDir, requestId))) return readAnswer(workerDir, requestId);
  const atPane: RequestAnswer = { at: context.clock.now(), by: 'pane', decision: 'let-go' };
  return (await answerRequest(workerDir, requestId, atPane)).answer;
}

async function throughHook(
  { context, record, order, run }: Answering,
  following: Following,
  asked: AgentRequest & { readonly requestId: string },
): Promise<AnswerResult> {
  refuseInput(context, record, order);
  const remembering = rememberingOf(context, record, { asked, order });
  const answer: RequestAnswer = {
    at: context.clock.now(),
    by: 'manager',
    ...answerFor(asked, order),
    ...('rules' in remembering && remembering.rules.length > 0 ? { remember: true } : {}),
  };
  const { requestId } = asked;
  const written = await answerRequest(launchPlace(record.launch.dir).workerDir, requestId, answer);
  if (!written.isOurs) throw alreadyAnswered(record, requestId, written.answer);
  const remembered = await remember(context, record, { asked, decision: order.decision, remembering });
  const took = await proofOf(following, requestId, { context, run });
  if (!took) following.apply({ from: 'us', kind: 'untaken', requestId, at: context.clock.now() });
  const { evidence, status } = context.roster.view(context.roster.record(record.id));
  return {
    success: took,
    session_id: order.worker,
    request_id: requestId,
    decision: order.decision,
    via: 'hook',
    evidence,
    status,
    ...(remembered.what === undefined ? {} : { remembered: remembered.what }),
    ...hinted(
      took ? undefined : `The agent was not seen to take it. Look with: ${attachOf(context, record)}`,
      remembered.hint,
    ),
  };
}

function hinted(...hints: readonly (string | undefined)[]): { readonly hint?: string } {
  const hint = hints.filter((one) => one !== undefined).join(' ');
  return hint === '' ? {} : { hint };
}

const attachOf = (context: CrewContext, { pane }: WorkerRecord): string =>
  pane === undefined ? 'crew_status' : context.roster.attach(pane);

function refusePersons({ context, record, order }: Answering, asked: AgentRequest | undefined): void {
  if (asked?.personOnly !== true || order.decision === 'deny') return;
  throw new CrewError(
    'needs_person',
    `Only a person may allow this to ${record.name}: ${asked.rule ?? asked.tool}`,
    `Ask the user to answer in the pane: ${attachOf(context, record)}. Or deny it with a message that says what to do instead.`,
  );
}

/** Dialogs wait one behind the other, and the one in sight may be about something else. */
function refuseGuess({ context, record }: Answering, turn: TurnState | undefined): void {
  const drawn = turn?.requests.filter(({ held, hidden, besides }) => !held || !(hidden || besides)) ?? [];
  if (drawn.length < 2) return;
  throw new CrewError(
    'held',
    `${record.name} asks ${drawn.length} things by dialogs one behind the other; which of them is in sight cannot be told.`,
    `Answer those with a hook first, or ask the user to answer in the pane: ${attachOf(context, record)}`,
  );
}

function refuseInput(context: CrewContext, record: WorkerRecord, { input }: AnswerOrder): void {
  if (input === undefined || context.agentFor(record.agentType).permissionHook?.changesInput) return;
  throw new CrewError(
    'invalid_argument',
    `A ${record.agentType} worker cannot be given another input for its tool.`,
    'Deny with a message that says what to do instead.',
  );
}

/** The hook has told the agent, and the agent waits for it no more. */
async function proofOf(following: Following, id: string, { context, run }: Pick<Answering, 'context' | 'run'>) {
  const options = { clock: context.clock, ceilingMs: proofCeilingMs, abort: run.signal };
  const took = await awaitFact(following, options, () => {
    const { asked, agent } = following.state.facts;
    const request = asked.find((one) => one.requestId === id);
    // An agent that says that it waits will say that it goes on, unless it asks something else as well; then, and where
    // it says nothing of this, the hook's word is all there is.
    const saysNoMore = agent?.status !== 'waiting' || openOf(asked).length > 0;
    return request === undefined || (request.answered !== undefined && saysNoMore) ? true : undefined;
  });
  return took === true;
}
