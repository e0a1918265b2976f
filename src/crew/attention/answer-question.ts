// Answers what a worker asked its manager: into its tool while that waits, else by a message.
import type { Disposer } from '../../model/clock.ts';
import { CrewError } from '../../model/errors.ts';
import type { RequestAnswer } from '../../model/request.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { launchPlace } from '../../store/launch-place.ts';
import { postMail } from '../../store/mailbox.ts';
import { appendQuestion } from '../../store/question-line.ts';
import { answerRequest } from '../../store/requests.ts';
import type { WorkerQuestion } from '../../turn/worker-question.ts';
import type { AnswerResult } from '../../wire/attention.ts';
import type { AnswerOrder, Run } from '../orders.ts';
import type { CrewContext } from '../workers/roster.ts';
import { awaitFact } from '../workers/timing.ts';
import { alreadyAnswered } from './request-meant.ts';

const proofCeilingMs = 8_000;

/** Throws `already_answered` when somebody was quicker. */
export async function answerQuestion(
  context: CrewContext,
  { record, question, order, by }: Answering,
  run: Pick<Run, 'signal'>,
): Promise<AnswerResult> {
  const { requestId: id } = question;
  const at = context.clock.now();
  const answer: RequestAnswer = { at, by, ...ownAnswer(question, order) };
  const { workerDir } = launchPlace(record.launch.dir);
  // Before the answer, so that none is ever left that nobody delivers.
  await postMail(workerDir, { v: 1, id, at, kind: 'answer' });
  const written = await answerRequest(workerDir, id, answer);
  if (!written.isOurs) throw alreadyAnswered(record, id, written.answer);
  const isTold = await (question.waits ? toldByTool : toldByMessage)(context, { record, question }, run);
  const view = context.roster.view(context.roster.record(record.id));
  return {
    success: isTold,
    session_id: order.worker,
    request_id: id,
    decision: order.decision,
    via: 'worker_tool',
    evidence: view.evidence,
    status: view.status,
    ...(isTold
      ? {}
      : { hint: 'The answer is kept, and is typed into the worker as a message as soon as that may be.' }),
  };
}

interface Answering {
  readonly record: WorkerRecord;
  readonly question: WorkerQuestion;
  readonly order: AnswerOrder;
  readonly by: 'manager' | 'person';
}

/** Pure. Throws `invalid_argument` for a decision that is no answer. */
export function ownAnswer(
  { requestId, text, options }: WorkerQuestion,
  { decision, message, option, answers }: AnswerOrder,
): Pick<RequestAnswer, 'decision' | 'message'> {
  if (decision === 'deny') return { decision: 'deny', ...(message === undefined ? {} : { message }) };
  const [only] = Object.values(answers ?? {});
  const given = (decision === 'choose' ? option : decision === 'text' ? message : undefined) ?? only;
  if (given === undefined || given.trim() === '') {
    throw unfit(`No answer was given to the question ${JSON.stringify(text.slice(0, 200))}.`, requestId, options);
  }
  const label = options.find((one) => one.toLowerCase() === given.trim().toLowerCase());
  if (decision === 'choose' && label === undefined) {
    throw unfit(`${JSON.stringify(given)} is none of the choices.`, requestId, options);
  }
  return { decision: 'text', message: label ?? given };
}

const unfit = (what: string, requestId: string, options: readonly string[]): CrewError =>
  new CrewError(
    'invalid_argument',
    what,
    options.length === 0
      ? `Answer ${requestId} with decision "text" and a message.`
      : `Choose one of ${options.map((option) => JSON.stringify(option)).join(', ')} with option, or answer with decision "text" and a message.`,
  );

type Seeing = Pick<Answering, 'record' | 'question'>;
type Until = Pick<Run, 'signal'>;

/** The tool was seen to have it within a few seconds. */
async function toldByTool(
  context: CrewContext,
  { record, question }: Seeing,
  { signal: abort }: Until,
): Promise<boolean> {
  const following = context.roster.following(record.id);
  if (following === undefined) return false;
  const options = { clock: context.clock, ceilingMs: proofCeilingMs, abort };
  const told = await awaitFact(following, options, () =>
    following.state.questions.some(({ requestId }) => requestId === question.requestId) ? undefined : true,
  );
  return told === true;
}

/** The message was seen to arrive within a few seconds; from now on the question is no one's to answer. */
async function toldByMessage(context: CrewContext, { record, question }: Seeing, { signal }: Until): Promise<boolean> {
  const { requestId } = question;
  const told = new Promise<boolean>((resolve) => {
    const end = (isTold: boolean) => {
      for (const stop of stops) stop();
      resolve(isTold);
    };
    const onAbort = () => end(false);
    const stops: readonly Disposer[] = [
      context.log.onEvents((events) => {
        const sent = events.find(({ data }) => data.answers === requestId);
        if (sent !== undefined && sent.type !== 'message_held') end(sent.data.verdict !== 'unconfirmed');
      }),
      context.clock.after(proofCeilingMs, () => end(false)),
      () => signal.removeEventListener('abort', onAbort),
    ];
    signal.addEventListener('abort', onAbort, { once: true });
  });
  await appendQuestion(record.launch.dir, { from: 'worker', kind: 'asked', at: context.clock.now(), requestId });
  return told;
}
