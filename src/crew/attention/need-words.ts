// What a worker needs somebody for, in words for a person.
import { fieldsOf, wordOf } from '../../model/json.ts';
import type { AttentionView } from '../../wire/attention.ts';

/** What was asked first, then why. */
export const needDetail = ({ tool, detail }: AttentionView): string =>
  [tool === undefined ? '' : wantedBy(tool.input), detail].filter((part) => part !== '').join('\n');

/** What a tool is to do: its command or file where it has one. */
function wantedBy(input: unknown): string {
  const fields = fieldsOf(input);
  const main = [fields.command, fields.file_path, fields.url].map(wordOf).find((word) => word !== undefined);
  return main ?? JSON.stringify(input) ?? '';
}

export function needRemedy({ waiting_for, answer_with, options = [] }: AttentionView): string {
  if (waiting_for === 'dead') return answer_with;
  const choices = options.length === 0 ? '' : ` (${options.join(' / ')})`;
  return `Answer in its pane${choices}, or tell its manager what to answer.`;
}
