// Tells a worker by a message what was answered after its tool had stopped waiting, and once.

import type { OpenRequest, RequestAnswer } from '../../model/request.ts';
import { type AnsweredBy, answeredBy, claimAnswer } from '../../store/claim.ts';
import { launchPlace } from '../../store/launch-place.ts';
import type { Pending } from '../../store/mailbox.ts';
import { appendQuestion } from '../../store/question-line.ts';
import { readAnswer, readRequest } from '../../store/requests.ts';
import { questionLine } from '../../turn/worker-question.ts';
import type { CrewContext } from '../workers/roster.ts';
import { settle, typeMail } from './type-mail.ts';

/** A tool that waits has the answer within milliseconds; one that has not by then is no more. */
const toolHasItMs = 3_000;

/** Resolves with whether something was in the way, so that it is worth another try. */
export async function deliverAnswers(
  context: CrewContext,
  workerId: string,
  answers: readonly Pending[],
): Promise<boolean> {
  let isHeld = false;
  for (const { mail } of answers) isHeld = (await deliverAnswer(context, workerId, mail.id)) || isHeld;
  return isHeld;
}

async function deliverAnswer(context: CrewContext, workerId: string, requestId: string): Promise<boolean> {
  const record = context.roster.record(workerId);
  const { workerDir } = launchPlace(record.launch.dir);
  const [request, answer] = await Promise.all([readRequest(workerDir, requestId), readAnswer(workerDir, requestId)]);
  // Whoever posted it is about to write the answer, or was killed and will be asked again.
  if (answer === undefined) return request !== undefined;
  const now = context.clock.now();
  const by = await claimant(workerDir, requestId, now - answer.at);
  if (by === undefined) return true;
  if (by === 'tool') await settle(context, workerId, { ids: [requestId], verdict: 'told by the tool' });
  const isTyped = by === 'tool' || !(await typeAnswer(context, workerId, { requestId, request, answer }));
  const stands = context.roster.turn(workerId)?.questions.some((one) => one.requestId === requestId) ?? false;
  if (stands) await appendQuestion(record.launch.dir, { from: 'worker', kind: 'asked', at: now, requestId });
  return !isTyped;
}

async function claimant(workerDir: string, requestId: string, ageMs: number): Promise<AnsweredBy | undefined> {
  const known = await answeredBy(workerDir, requestId);
  if (known !== undefined || ageMs < toolHasItMs) return known;
  return claimAnswer(workerDir, requestId, 'message');
}

interface Told {
  readonly requestId: string;
  readonly request: OpenRequest | undefined;
  readonly answer: RequestAnswer;
}

/** Resolves with whether something was in the way. */
async function typeAnswer(
  context: CrewContext,
  workerId: string,
  { requestId, request, answer }: Told,
): Promise<boolean> {
  const ids = [requestId];
  if (answer.decision === 'let-go') {
    await settle(context, workerId, { ids, verdict: 'withdrawn' });
    return false;
  }
  const is = context.roster.turn(workerId)?.is;
  if (is !== 'idle' && is !== 'working') return true;
  const text = answerText(requestId, request?.question?.text ?? '', answer);
  return typeMail(context, workerId, { ids, text, about: { answers: requestId } });
}

/** The manager's own words, which is why they stand without a fence. Pure. */
export function answerText(requestId: string, question: string, { decision, message = '', by }: RequestAnswer): string {
  const who = by === 'person' ? 'A person' : 'Your manager';
  const said =
    decision === 'deny' ? `${who} turned the question down${message === '' ? '.' : `: ${message}`}` : message;
  return `crewmux: the answer to your question ${requestId} ("${questionLine(question)}"):\n${said}`;
}
