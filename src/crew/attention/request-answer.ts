// Finds the request that an answer is about, and turns the caller's decision into its answer. Pure.
import { isoTime } from '../../model/clock.ts';
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { fieldsOf, listOf, wordOf } from '../../model/json.ts';
import type { RequestAnswer } from '../../model/request.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { AgentRequest } from '../../turn/agent-request.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';
import type { WorkerQuestion } from '../../turn/worker-question.ts';
import type { AnswerOrder } from '../orders.ts';

export type RequestDecision = Omit<AnswerOrder, 'worker' | 'requestId' | 'remember'>;
type Part = Pick<RequestAnswer, 'decision' | 'message' | 'input' | 'answers'>;

/** Throws `invalid_argument` for a decision that does not fit what is asked. */
export function answerFor(request: AgentRequest, made: RequestDecision): Part {
  if (made.decision === 'deny') return { decision: 'deny', ...defined({ message: made.message }) };
  if (request.waitingFor === 'question') return { decision: 'text', answers: answersFor(request, made) };
  if (made.decision !== 'allow') {
    throw new CrewError(
      'invalid_argument',
      `"${made.decision}" does not answer this: the worker asks ${request.waitingFor === 'plan_approval' ? 'approval of its plan' : `permission for ${request.tool}`}.`,
      'Decide "allow", or "deny" with a message that the model reads.',
    );
  }
  return { decision: 'allow', ...defined({ input: made.input }) };
}

function answersFor(request: AgentRequest, made: RequestDecision): Readonly<Record<string, string>> {
  const questions = questionsIn(request.input);
  const given = made.answers ?? single(questions, made);
  const unknown = Object.keys(given).find((text) => !questions.some((question) => question.text === text));
  const missing = questions.find(({ text }) => given[text] === undefined);
  if (unknown !== undefined) throw unfit(`${JSON.stringify(unknown)} is not asked.`, questions);
  if (missing !== undefined) throw unfit(`${JSON.stringify(missing.text)} has no answer.`, questions);
  return Object.fromEntries(questions.map(({ text, labels }) => [text, asLabelled(labels, given[text])]));
}

/** `option` and a free text answer the one question there is. */
function single(questions: readonly RequestQuestion[], made: RequestDecision): Readonly<Record<string, string>> {
  const [question, ...more] = questions;
  if (question === undefined) throw unfit('The question cannot be read.', questions);
  const text = made.decision === 'choose' ? made.option : made.decision === 'text' ? made.message : undefined;
  if (text === undefined || text === '') throw unfit('The worker asks a question, and no answer was given.', questions);
  if (more.length > 0) throw unfit(`The worker asks ${questions.length} questions at once.`, questions);
  if (made.decision === 'choose' && labelFor(question.labels, text) === undefined) {
    throw unfit(`${JSON.stringify(text)} is none of the choices.`, questions);
  }
  return { [question.text]: text };
}

const labelFor = (labels: readonly string[], text: string): string | undefined =>
  labels.find((label) => label === text) ?? labels.find((label) => label.toLowerCase() === text.trim().toLowerCase());

const asLabelled = (labels: readonly string[], text = ''): string => labelFor(labels, text) ?? text;

function unfit(what: string, questions: readonly RequestQuestion[]): CrewError {
  const shown = questions.map(({ text, labels }) => `${JSON.stringify(text)}: ${labels.join(' | ')}`).join('; ');
  const [first] = questions;
  const example = JSON.stringify({ decision: 'choose', answers: { [first?.text ?? '']: first?.labels[0] ?? '' } });
  return new CrewError(
    'invalid_argument',
    `${what} It asks ${shown}.`,
    `Pass option with one of the labels, or message with decision "text" for words of your own; for several questions answers, as in ${example}.`,
  );
}

export interface RequestQuestion {
  readonly text: string;
  readonly labels: readonly string[];
  /** Each label on a line, with what it means. */
  readonly lines: readonly string[];
}

/** Every question in full, each with its options and what they mean. */
export function questionWords(request: AgentRequest): string | undefined {
  const questions = questionsOf(request);
  if (questions.length === 0) return undefined;
  return questions.map(({ text, lines }) => [text, ...lines].join('\n')).join('\n\n');
}

/** Empty for a request that is no question, or cannot be read. */
export const questionsOf = ({ waitingFor, input }: AgentRequest): readonly RequestQuestion[] =>
  waitingFor === 'question' ? questionsIn(input) : [];

/** The questions in the input of the agent's own question tool; empty for any other input. */
const questionsIn = (input: unknown): readonly RequestQuestion[] =>
  listOf(fieldsOf(input).questions).flatMap((asked) => {
    const { question, options } = fieldsOf(asked);
    const text = wordOf(question);
    if (text === undefined) return [];
    const known = listOf(options).flatMap((option) => {
      const label = wordOf(fieldsOf(option).label);
      const meaning = wordOf(fieldsOf(option).description);
      return label === undefined ? [] : [{ label, line: meaning ? `- ${label}: ${meaning}` : `- ${label}` }];
    });
    return [{ text, labels: known.map(({ label }) => label), lines: known.map(({ line }) => line) }];
  });

/** The labels of a single question. */
export function choicesOf(request: AgentRequest): readonly string[] | undefined {
  const [first, ...more] = questionsOf(request);
  return first !== undefined && more.length === 0 ? first.labels : undefined;
}

/** The answer to a question of the worker's own tool. Throws `invalid_argument` for a decision that is no answer. */
export function ownAnswer(
  { requestId, text, options }: WorkerQuestion,
  { decision, message, option, answers }: RequestDecision,
): Pick<RequestAnswer, 'decision' | 'message'> {
  if (decision === 'deny') return { decision: 'deny', ...defined({ message }) };
  const [only] = Object.values(answers ?? {});
  const given = (decision === 'choose' ? option : decision === 'text' ? message : undefined) ?? only;
  if (given === undefined || given.trim() === '') {
    throw noAnswer(`No answer was given to the question ${JSON.stringify(text.slice(0, 200))}.`, requestId, options);
  }
  const label = labelFor(options, given);
  if (decision === 'choose' && label === undefined) {
    throw noAnswer(`${JSON.stringify(given)} is none of the choices.`, requestId, options);
  }
  return { decision: 'text', message: label ?? given };
}

const noAnswer = (what: string, requestId: string, options: readonly string[]): CrewError =>
  new CrewError(
    'invalid_argument',
    what,
    options.length === 0
      ? `Answer ${requestId} with decision "text" and a message.`
      : `Choose one of ${options.map((option) => JSON.stringify(option)).join(', ')} with option, or answer with decision "text" and a message.`,
  );

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
