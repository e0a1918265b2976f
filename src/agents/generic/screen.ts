// A screen read by configured patterns: prompt, busy row, dialog, and the frame that must not change at rest.
import { defined } from '../../model/defined.ts';
import type { Dialog } from '../../model/turn.ts';
import type { ScreenReading } from '../screen-reading.ts';
import { type Row, rowsOf } from '../screen-rows.ts';
import type { ScreenPatterns } from './configuration.ts';

/** A dialog is near the end of the text; what is further up has been read already. */
const dialogRows = 15;
const mostText = 2_000;

export function readScreen(screen: string, patterns: ScreenPatterns): ScreenReading {
  const rows = rowsOf(screen);
  const filled = rows.slice(0, rows.findLastIndex(({ text }) => text !== '') + 1);
  const prompt = findPrompt(filled, patterns);
  const near = filled.slice(-patterns.busyRows);
  const busy = near.findLast(({ text }) => matches(patterns.busy, text))?.text.trim();
  const dialog = busy === undefined ? findDialog(filled, patterns) : undefined;
  const frame = frameOf(screen.split('\n'), { rows, patterns, promptIndex: prompt?.index });
  if (dialog !== undefined) return { dialog, frame };
  if (busy !== undefined) return { busy, frame };
  if (prompt === undefined) return { frame };
  const ready = patterns.ready === undefined || filled.some(({ text }) => matches(patterns.ready, text));
  return { draft: prompt.draft, ready, frame };
}

/** tmux leaves out the blanks at the end of a row, which a pattern may ask for. */
const matches = (pattern: RegExp | undefined, text: string): boolean =>
  pattern !== undefined && (pattern.test(text) || pattern.test(`${text} `));

interface Prompt {
  readonly index: number;
  readonly draft: string;
}

/** Undefined when more rows than configured are below it: then it is an earlier prompt. */
export function findPrompt(filled: readonly Row[], patterns: ScreenPatterns): Prompt | undefined {
  const index = filled.findLastIndex(({ text }) => matches(patterns.prompt, text));
  const row = filled[index];
  if (row === undefined || index < filled.length - 1 - patterns.rowsBelow) return undefined;
  const match = patterns.prompt.exec(row.text) ?? patterns.prompt.exec(`${row.text} `);
  const end = (match?.index ?? 0) + (match?.[0].length ?? 0);
  const draft = writtenAfter(row, end);
  return { index, draft: patterns.placeholder?.test(draft) ? '' : draft };
}

/** Suggestions are dim. */
function writtenAfter(row: Row, end: number): string {
  let at = 0;
  let written = '';
  for (const { char, dim } of row.cells) {
    if (at >= end && !dim) written += char;
    at += char.length;
  }
  return written.trim();
}

function findDialog(filled: readonly Row[], patterns: ScreenPatterns): Dialog | undefined {
  const { dialogs, prompt } = patterns;
  const lastPrompt = filled.findLastIndex(({ text }) => matches(prompt, text));
  const from = Math.max(lastPrompt + 1, filled.length - dialogRows, 0);
  const near = filled.slice(from).map(({ text }) => text);
  for (const { waitingFor, pattern } of dialogs) {
    const title = near.find((text) => matches(pattern, text));
    if (title === undefined) continue;
    const text = near.join('\n').trim().slice(0, mostText);
    return { waitingFor, title: title.trim(), text, ...optionsIn(near) };
  }
  return undefined;
}

const option = /^(\W{0,4})(\d{1,2})[.)] +(\S.*)$/u;
const pointer = /[❯›>▶→]/u;

/** Numbered choices, and the one that a pointer stands before: a dialog without one is not moved in. */
function optionsIn(lines: readonly string[]): Pick<Dialog, 'options' | 'selected'> {
  const rows = lines.flatMap((line) => {
    const [, marks = '', , label] = option.exec(line.trim()) ?? [];
    return label === undefined ? [] : [{ label: label.trim(), isPointed: pointer.test(marks) }];
  });
  const [selected, ...others] = rows.flatMap(({ isPointed }, i) => (isPointed ? [i] : []));
  return {
    options: rows.map(({ label }) => label),
    ...defined({ selected: others.length > 0 ? undefined : selected }),
  };
}

/** Colours count: an animation may be nothing else. */
function frameOf(
  lines: readonly string[],
  { rows, patterns, promptIndex }: { rows: readonly Row[]; patterns: ScreenPatterns; promptIndex: number | undefined },
): string {
  return lines
    .map((line, index) => {
      if (index === promptIndex || matches(patterns.ignore, rows[index]?.text ?? '')) return '';
      return line;
    })
    .join('\n');
}
