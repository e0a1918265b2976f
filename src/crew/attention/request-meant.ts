// Which of a worker's requests an answer is about, or why there is none to answer.

import { isoTime } from '../../model/clock.ts';
import { CrewError } from '../../model/errors.ts';
import type { RequestAnswer } from '../../model/request.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { AgentRequest } from '../../turn/agent-request.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';
import type { WorkerQuestion } from '../../turn/worker-question.ts';

export interface Meant {
  readonly record: WorkerRecord;
  readonly turn: TurnState | undefined;
  /** The request that was named. */
  readonly requestId: string | undefined;
  /** What is known to have answered the named request. */
  readonly answer: RequestAnswer | undefined;
}

/**
 * The request that is named, or the only one there is; undefined where only a dialog on the screen is known. Throws
 * `already_answered`, `unknown_request`, or `invalid_argument` where several are meant. Pure.
 */
export function requestMeant({ record, turn, requestId: id, answer }: Meant): AgentRequest | undefined {
  const open = openIn(turn);
  const named = open.find((one) => one.requestId === id);
  if (id === undefined) return onlyOne(record, turn);
  if (named !== undefined) return named;
  if (answer !== undefined) throw alreadyAnswered(record, id, answer);
  throw new CrewError(
    'unknown_request',
    `${record.name} has no request "${id}".${open.length === 0 ? ' It asks nothing now.' : ` Open: ${openWords(open)}.`}`,
    'Call crew_status for what is asked now.',
  );
}

/** What it asks by its own tool, if that is meant. Pure. */
export function questionMeant(turn: TurnState | undefined, id: string | undefined): WorkerQuestion | undefined {
  const questions = turn?.questions ?? [];
  if (id !== undefined) return questions.find(({ requestId }) => requestId === id);
  return questions.length === 1 && turn?.requests.length === 0 ? questions[0] : undefined;
}

const openIn = (turn: TurnState | undefined): readonly AgentRequest[] => [
  ...(turn?.requests ?? []),
  ...(turn?.questions ?? []).map(({ requestId, at, text }) => ({
    requestId,
    at,
    waitingFor: 'question' as const,
    tool: 'ask_manager',
    input: { question: text },
  })),
];

function onlyOne(record: WorkerRecord, turn: TurnState | undefined): AgentRequest | undefined {
  const [first, ...more] = openIn(turn);
  if (first === undefined && turn?.is === 'waiting') return undefined;
  if (first === undefined) {
    throw new CrewError(
      'unknown_request',
      `${record.name} asks nothing: it is ${turn?.is ?? record.phase}.`,
      'Call crew_status for who needs what.',
    );
  }
  if (more.length === 0) return first;
  throw new CrewError(
    'invalid_argument',
    `${record.name} asks ${more.length + 1} things at once: ${openWords([first, ...more])}.`,
    'Name one of them with request_id.',
  );
}

const openWords = (open: readonly AgentRequest[]): string =>
  open.map(({ requestId, tool }) => `${requestId ?? 'one on its screen'} (${tool})`).join(', ');

const who: Readonly<Record<RequestAnswer['by'], string>> = {
  manager: 'a manager',
  person: 'a person',
  pane: 'a person at the pane',
  none: 'nobody, since whoever asked is gone or asks on its screen now',
};

export function alreadyAnswered(record: WorkerRecord, id: string, { by, at, decision }: RequestAnswer): CrewError {
  const how = decision === 'let-go' ? '' : ` ("${decision}")`;
  return new CrewError(
    'already_answered',
    `Request ${id} of ${record.name} was answered by ${who[by]}${how} at ${isoTime(at)}.`,
    'Nothing was changed. Call crew_status for what is asked now.',
  );
}
