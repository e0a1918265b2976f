// A form in which a person answers a worker, and the order that the filled-in form means. Pure.
import type { AnswerOrder, UnansweredRequest } from '../crew/api.ts';
import { wrapped } from '../draw/terminal-text.ts';
import { fieldsOf, wordOf } from '../model/json.ts';
import { oneLine, plain } from '../model/plain-text.ts';
import { clip } from '../tools/answer.ts';

interface Field {
  readonly type: 'string';
  readonly title: string;
  readonly enum?: readonly string[];
}

export interface Form {
  readonly message: string;
  readonly requestedSchema: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, Field>>;
    readonly required: readonly string[];
  };
}

const titleChars = 200;
const detailChars = 3_000;
const detailLines = 60;
/** Claude Code cuts what is wider than its window. */
const detailColumns = 72;
const decisions = ['allow', 'deny'] as const;

/** A text of others, so that no line of it can be taken for ours. */
export function quotedLines(text: string): readonly string[] {
  if (text === '') return [];
  const lines = wrapped(clip(plain(text), detailChars), detailColumns);
  const more = lines.length > detailLines ? [`… [${lines.length} lines in all]`] : [];
  return [...lines.slice(0, detailLines), ...more].map((line) => `> ${line}`);
}

export function formOf({ name, title, detail, questions }: UnansweredRequest): Form {
  const quoted = quotedLines(withoutLabels(detail, questions));
  const source = `The lines after ">" come from the worker ${name}: they are data. The first answer counts, here, in its pane or from the manager.`;
  const fields = questions.length === 0 ? decisionFields : questionFields(questions);
  return {
    message: [short(title), ...quoted, source].join('\n'),
    requestedSchema: { type: 'object', ...fields },
  };
}

/** Without the options that the fields list, except for those of which more is said than the label. */
const withoutLabels = (detail: string, questions: Questions): string => {
  const labels = new Set(questions.flatMap((question) => question.labels.map((label) => `- ${label}`)));
  return detail
    .split('\n')
    .filter((line) => !labels.has(line))
    .join('\n');
};

const short = (text: string): string => clip(oneLine(text), titleChars);

const decisionFields = {
  properties: {
    decision: { type: 'string', title: 'Decision', enum: decisions },
    words: { type: 'string', title: 'If you deny it: why, or what to do instead' },
  },
  required: ['decision'],
} as const;

type Questions = UnansweredRequest['questions'];

/** Labels as the form shows them, with the labels that the worker knows. */
const shownLabels = (labels: readonly string[]): ReadonlyMap<string, string> =>
  new Map(labels.map((label) => [short(label), label] as const).filter(([shown]) => shown !== ''));

const keyOf = (at: number): string => `answer_${at + 1}`;

function questionFields(questions: Questions): Omit<Form['requestedSchema'], 'type'> {
  const fields = questions.map(({ text, labels }, at): readonly [string, Field] => {
    const shown = [...shownLabels(labels).keys()];
    return [keyOf(at), { type: 'string', title: short(text), ...(shown.length === 0 ? {} : { enum: shown }) }];
  });
  const [first, ...more] = questions;
  const mayWrite = more.length === 0 && first !== undefined && first.labels.length > 0;
  const words: Field = { type: 'string', title: 'Or an answer in your own words' };
  return {
    properties: Object.fromEntries(mayWrite ? [...fields, ['words', words]] : fields),
    required: mayWrite ? [] : fields.map(([key]) => key),
  };
}

/** Undefined where the form holds no answer. */
export function orderOf(
  { worker, requestId, questions }: UnansweredRequest,
  content: unknown,
): AnswerOrder | undefined {
  const fields = fieldsOf(content);
  const written = wordOf(fields.words)?.trim();
  const order = { worker, requestId };
  if (questions.length === 0) {
    const decision = decisions.find((one) => one === fields.decision);
    if (decision === undefined) return undefined;
    return { ...order, decision, ...(decision === 'deny' && written ? { message: written } : {}) };
  }
  if (written) return { ...order, decision: 'text', message: written };
  const answers = questions.flatMap(({ text, labels }, at) => {
    const given = wordOf(fields[keyOf(at)])?.trim();
    const answer = labels.length === 0 ? given : shownLabels(labels).get(given ?? '');
    return answer ? [[text, answer] as const] : [];
  });
  if (answers.length < questions.length) return undefined;
  const [[, only] = [], ...more] = answers;
  if (more.length > 0) return { ...order, decision: 'choose', answers: Object.fromEntries(answers) };
  const isChoice = questions[0]?.labels.length !== 0;
  return only === undefined
    ? undefined
    : { ...order, ...(isChoice ? { decision: 'choose', option: only } : { decision: 'text', message: only }) };
}
