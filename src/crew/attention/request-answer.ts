// What a caller's decision means for the request it is about. Pure.

import { CrewError } from '../../model/errors.ts';
import type { RequestAnswer } from '../../model/request.ts';
import type { AgentRequest } from '../../turn/agent-request.ts';
import { type Question, questionsIn } from './request-words.ts';

export interface Decision {
  readonly decision: 'allow' | 'deny' | 'choose' | 'text';
  /** Read by the model; for `text` the answer itself. */
  readonly message?: string;
  /** The answer of each question, by its words. */
  readonly answers?: Readonly<Record<string, string>>;
  readonly option?: string;
  /** Takes the place of the tool's input. */
  readonly input?: Readonly<Record<string, unknown>>;
}

type Part = Pick<RequestAnswer, 'decision' | 'message' | 'input' | 'answers'>;

/** Throws `invalid_argument` for a decision that does not fit what is asked. */
export function answerFor(request: AgentRequest, made: Decision): Part {
  if (made.decision === 'deny') return { decision: 'deny', ...pick(made, 'message') };
  if (request.waitingFor === 'question') return { decision: 'text', answers: answersFor(request, made) };
  if (made.decision !== 'allow') {
    throw new CrewError(
      'invalid_argument',
      `"${made.decision}" does not answer this: the worker asks ${request.waitingFor === 'plan_approval' ? 'approval of its plan' : `permission for ${request.tool}`}.`,
      'Decide "allow", or "deny" with a message that the model reads.',
    );
  }
  return { decision: 'allow', ...pick(made, 'input') };
}

const pick = <Name extends keyof Decision>(made: Decision, name: Name) =>
  made[name] === undefined ? {} : { [name]: made[name] };

function answersFor(request: AgentRequest, made: Decision): Readonly<Record<string, string>> {
  const questions = questionsIn(request.input);
  const given = made.answers ?? single(questions, made);
  const unknown = Object.keys(given).find((text) => !questions.some((question) => question.text === text));
  const missing = questions.find(({ text }) => given[text] === undefined);
  if (unknown !== undefined) throw unfit(`${JSON.stringify(unknown)} is not asked.`, questions);
  if (missing !== undefined) throw unfit(`${JSON.stringify(missing.text)} has no answer.`, questions);
  return Object.fromEntries(questions.map((question) => [question.text, asLabelled(question, given[question.text])]));
}

/** `option` and a free text answer the one question there is. */
function single(questions: readonly Question[], made: Decision): Readonly<Record<string, string>> {
  const [question, ...more] = questions;
  if (question === undefined) throw unfit('The question cannot be read.', questions);
  const text = made.decision === 'choose' ? made.option : made.decision === 'text' ? made.message : undefined;
  if (text === undefined || text === '') throw unfit('The worker asks a question, and no answer was given.', questions);
  if (more.length > 0) throw unfit(`The worker asks ${questions.length} questions at once.`, questions);
  if (made.decision === 'choose' && labelFor(question, text) === undefined) {
    throw unfit(`${JSON.stringify(text)} is none of the choices.`, questions);
  }
  return { [question.text]: text };
}

const labelFor = ({ labels }: Question, text: string): string | undefined =>
  labels.find((label) => label === text) ?? labels.find((label) => label.toLowerCase() === text.trim().toLowerCase());

const asLabelled = (question: Question, text = ''): string => labelFor(question, text) ?? text;

function unfit(what: string, questions: readonly Question[]): CrewError {
  const shown = questions.map(({ text, labels }) => `${JSON.stringify(text)}: ${labels.join(' | ')}`).join('; ');
  const [first] = questions;
  const example = JSON.stringify({ decision: 'choose', answers: { [first?.text ?? '']: first?.labels[0] ?? '' } });
  return new CrewError(
    'invalid_argument',
    `${what} It asks ${shown}.`,
    `Pass option with one of the labels, or message with decision "text" for words of your own; for several questions answers, as in ${example}.`,
  );
}
