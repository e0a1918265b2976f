// What a request is about, short enough for an answer and with its choices where it has any.

import { fieldsOf, listOf, wordOf } from '../../model/json.ts';
import type { AgentRequest } from '../../turn/agent-request.ts';

const longestText = 1_500;
const mostItems = 20;
const deepest = 4;

/** The same input with its long texts and lists cut. */
export function shortInput(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cut(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= deepest) return '…';
  if (Array.isArray(value)) return value.slice(0, mostItems).map((item) => shortInput(item, depth + 1));
  const entries = Object.entries(value).slice(0, mostItems);
  return Object.fromEntries(entries.map(([name, held]) => [name, shortInput(held, depth + 1)]));
}

function cut(text: string): string {
  if (text.length <= longestText) return text;
  const kept = text.slice(0, longestText).replace(/[\uD800-\uDBFF]$/, '');
  return `${kept}… [${text.length} characters in all]`;
}

export interface Question {
  readonly text: string;
  readonly labels: readonly string[];
  readonly takesSeveral: boolean;
}

/** The questions in the input of the agent's own question tool; empty for any other input. */
export const questionsIn = (input: unknown): readonly Question[] =>
  listOf(fieldsOf(input).questions).flatMap((asked) => {
    const { question, options, multiSelect } = fieldsOf(asked);
    const text = wordOf(question);
    if (text === undefined) return [];
    const labels = listOf(options).flatMap((option) => wordOf(fieldsOf(option).label) ?? []);
    return [{ text, labels, takesSeveral: multiSelect === true }];
  });

/** The labels of a single question. */
export function choicesOf({ waitingFor, input }: AgentRequest): readonly string[] | undefined {
  if (waitingFor !== 'question') return undefined;
  const [first, ...more] = questionsIn(input);
  return first !== undefined && more.length === 0 ? first.labels : undefined;
}
