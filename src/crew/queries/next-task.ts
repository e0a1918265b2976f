// The next task's draft, from what a report leaves open. Pure.
import type { ReportView } from '../../wire/reports.ts';

/** From the newest report; undefined when there is none, or when it leaves nothing open. */
export function nextTask(
  newestFirst: readonly ReportView[],
): { readonly title: string; readonly prompt: string } | undefined {
  const report = newestFirst.find(({ kind }) => kind === 'report');
  if (report === undefined) return undefined;
  const { name, what_done = '', what_open = '', what_untested = '', next_steps = '', errors_encountered = '' } = report;
  const left = [
    ['Still open', what_open],
    ['Not tested yet', what_untested],
    ['Proposed next', next_steps],
    ['What went wrong', errors_encountered],
  ] as const;
  const said = left.filter(([, text]) => text.trim() !== '');
  if (said.every(([title]) => title === 'What went wrong')) return undefined;
  const title = firstLine(what_open || next_steps || what_untested);
  const parts = [
    `Go on from what ${name} reported.`,
    `Done: ${what_done}`,
    ...said.map(([word, text]) => `${word}: ${text}`),
  ];
  return { title, prompt: parts.join('\n\n') };
}

const firstLine = (text: string): string => {
  const [line = ''] = text.trim().split('\n');
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
};
