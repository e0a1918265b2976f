// Finds the request that an answer is about, or says why there is none to answer. Pure.
import { isoTime } from '../../model/clock.ts';
import { CrewError } from '../../model/errors.ts';
import type { RequestAnswer } from '../../model/request.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { AgentRequest } from '../../turn/agent-request.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';
import type { WorkerQuestion } from '../../turn/worker-question.ts';

interface Named {
  readonly record: WorkerRecord;
  readonly turn: TurnState | undefined;
  /** The request that was named. */
  readonly requestId: string | undefined;
  /** The answer that the named request has already. */
  readonly answer: RequestAnswer | undefined;
}

/**
 * The request that is named, or the only one there is; undefined where only a dialog on the screen is known. Comes after
 * `findQuestion`. Throws `already_answered`, `unknown_request`, or `invalid_argument` where several may be meant.
 */
export function findRequest({ record, turn, requestId: id, answer }: Named): AgentRequest | undefined {
  const requests = turn?.requests ?? [];
  const questions = (turn?.questions ?? []).map(({ requestId }) => ({ requestId, tool: 'ask_manager' }));
  const open = [...requests, ...questions];
  if (id === undefined && open.length > 1) {
    throw new CrewError(
      'invalid_argument',
      `${record.name} asks ${open.length} things at once: ${openWords(open)}.`,
      'Name one of them with request_id.',
    );
  }
  const found = id === undefined ? requests[0] : requests.find(({ requestId }) => requestId === id);
  if (found !== undefined || (id === undefined && turn?.is === 'waiting')) return found;
  if (id === undefined) {
    throw new CrewError(
      'unknown_request',
      `${record.name} asks nothing: it is ${turn?.is ?? record.phase}.`,
      'Call crew_status for who needs what.',
    );
  }
  if (answer !== undefined) throw alreadyAnswered(record, id, answer);
  throw new CrewError(
    'unknown_request',
    `${record.name} has no request "${id}".${open.length === 0 ? ' It asks nothing now.' : ` Open: ${openWords(open)}.`}`,
    'Call crew_status for what is asked now.',
  );
}

/** The question of the worker's own tool that is named, or the only thing it asks. */
export function findQuestion(turn: TurnState | undefined, id: string | undefined): WorkerQuestion | undefined {
  const questions = turn?.questions ?? [];
  if (id !== undefined) return questions.find(({ requestId }) => requestId === id);
  return questions.length === 1 && turn?.requests.length === 0 ? questions[0] : undefined;
}

const openWords = (open: readonly Pick<AgentRequest, 'requestId' | 'tool'>[]): string =>
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
