// A question to the manager: parked in a file, and answered in this call or later by a message.
import { defined } from '../model/defined.ts';
import { CrewError } from '../model/errors.ts';
import { newNonce } from '../model/ids.ts';
import type { RequestAnswer } from '../model/request.ts';
import { awaitAnswer } from '../store/await-answer.ts';
import { claimAnswer } from '../store/claim.ts';
import { appendQuestion } from '../store/question-line.ts';
import { answerRequest, openRequests, parkRequest } from '../store/requests.ts';
import type { AskResult, Question } from '../wire/desk.ts';
import type { QuestionWait } from './api.ts';
import { dirOf, type Me } from './me.ts';

const usualWaitMs = 240_000;

export async function ask(me: Me, asked: Question, call: QuestionWait): Promise<AskResult> {
  const dir = dirOf(me, me.workerId);
  await refuseTooMany(me, dir);
  const requestId = newNonce();
  const { question: text, options } = asked;
  const { workerId, launch, launchDir, clock } = me;
  const request = { id: requestId, workerId, launch, kind: 'question', from: 'worker', at: clock.now() } as const;
  await parkRequest(dir, { ...request, question: { text, options } });
  await appendQuestion(launchDir, { from: 'worker', kind: 'asks', at: request.at, requestId, text, options });
  const answer = await answerWithin(me, asked, call, requestId);
  if (answer !== undefined) return resultOf(me, requestId, answer);
  if (call.signal.aborted) return withdrawn(me, requestId);
  // The manager may take this process for dead, and then sends the answer by itself; either way a message comes.
  await claimAnswer(dir, requestId, 'message');
  await appendQuestion(launchDir, { from: 'worker', kind: 'asks-on', at: clock.now(), requestId });
  return { requestId, answered: false, next: notYet };
}

const progressEveryMs = 15_000;

/** Undefined when time is up, or the agent has ended the call. */
async function answerWithin(me: Me, asked: Question, call: QuestionWait, requestId: string) {
  const { clock } = me;
  const over = new AbortController();
  const cancel = clock.after(waitMsOf(asked, call), () => over.abort());
  let tellAt = clock.now() + progressEveryMs;
  const isOver = () => {
    if (clock.now() >= tellAt) {
      call.tell('waiting for an answer');
      tellAt += progressEveryMs;
    }
    return false;
  };
  const signal = AbortSignal.any([call.signal, over.signal]);
  try {
    return await awaitAnswer({ workerDir: dirOf(me, me.workerId), requestId, clock, signal, isOver });
  } finally {
    cancel();
  }
}

const notYet =
  'Not answered yet. The question stays open, and the answer will come as a message that begins with "crewmux: the answer to your question". Go on with what does not depend on it, or end your turn and wait for it; do not ask again.';

const waitMsOf = ({ waitSeconds: seconds }: Question, { maxWaitMs }: QuestionWait): number =>
  Math.min(seconds === undefined ? usualWaitMs : seconds * 1_000, maxWaitMs);

async function refuseTooMany({ limits }: Me, dir: string): Promise<void> {
  const open = (await openRequests(dir)).filter(({ from }) => from === 'worker');
  if (open.length < limits.openQuestions) return;
  throw new CrewError(
    'limit_reached',
    `${open.length} questions of yours are open; ${limits.openQuestions} is the most: ${open.map(({ id }) => id).join(', ')}.`,
    'Wait for their answers, or decide yourself and say so in your report.',
  );
}

async function resultOf(me: Me, requestId: string, answer: RequestAnswer): Promise<AskResult> {
  const { at, by, decision, message = '' } = answer;
  const claimed = await claimAnswer(dirOf(me, me.workerId), requestId, 'tool');
  await appendQuestion(me.launchDir, { from: 'worker', kind: 'asked', at: Math.max(at, me.clock.now()), requestId });
  if (claimed === 'message') return { requestId, answered: false, next: notYet };
  const answeredBy = defined({ answeredBy: by === 'manager' || by === 'person' ? by : undefined });
  if (decision === 'let-go') {
    return {
      requestId,
      answered: false,
      next: 'Nobody will answer it any more. Decide yourself, and say so in your report.',
    };
  }
  if (decision === 'deny') {
    const next = `The question was turned down${message === '' ? '' : `: ${message}`}. Decide yourself, and say so in your report.`;
    return { requestId, answered: false, ...answeredBy, next };
  }
  return { requestId, answered: true, answer: message, ...answeredBy, next: 'Go on.' };
}

/** The agent has ended the call, and nobody waits any more. */
async function withdrawn(me: Me, requestId: string): Promise<AskResult> {
  const at = me.clock.now();
  await answerRequest(dirOf(me, me.workerId), requestId, { at, by: 'none', decision: 'let-go' });
  await appendQuestion(me.launchDir, { from: 'worker', kind: 'asked', at, requestId });
  return { requestId, answered: false, next: 'Withdrawn.' };
}
