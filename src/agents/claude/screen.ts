// The screen: which dialog is open, and what stands in the prompt box.
import type { Dialog } from '../../model/turn.ts';
import type { ScreenReading } from '../agent.ts';
import { isRule, type Row, rowsOf } from '../screen-rows.ts';
import { dialogKind } from './dialog-kinds.ts';
import { type Options, optionsIn } from './dialog-options.ts';
import { endOfTallBox, findPromptBox } from './prompt-box.ts';

/** Only what is at the bottom counts: while a dialog is open there is no prompt box, and all else is conversation. */
export function readScreen(screen: string): ScreenReading {
  const rows = rowsOf(screen);
  const box = findPromptBox(rows);
  if (box === undefined) {
    const dialog = findDialog(rows);
    if (dialog !== undefined) return { dialog };
    const draftEnd = endOfTallBox(rows);
    return draftEnd === undefined ? {} : { draftEnd };
  }
  const loggedOut = box.footer.find((line) => /Not logged in · run \/login/i.test(line));
  if (loggedOut === undefined) return { draft: box.draft };
  const notice = /Not logged in.*$/i.exec(loggedOut)?.[0] ?? loggedOut;
  return { draft: box.draft, dialog: { waitingFor: 'login', title: 'Not logged in', text: notice, options: [] } };
}

/** What a dialog says of its keys; with a choice pointed at, the surest sign of one. */
const keyHint = /\b(Enter|Esc|Space) to \w+/;

function findDialog(rows: readonly Row[]): Dialog | undefined {
  const filled = rows.slice(0, rows.findLastIndex((row) => row.text !== '' && !isRule(row)) + 1);
  const rules = filled.flatMap((row, i) => (isRule(row) ? [i] : [])).reverse();
  // Some dialogs draw a rule inside; the right part is the lowest that holds all choices and a title above them.
  for (const start of [...rules.map((i) => i + 1), 0]) {
    const part = filled.slice(start);
    const lines = part.filter((row) => !isRule(row) && !isDivider(row.text)).map((row) => row.text);
    const options = optionsIn(lines);
    const signs = options.labels.length > 0 || (start > 0 && keyHint.test(lines.slice(-3).join('\n')));
    if (signs && titled(lines)) return dialogOf(lines, options);
  }
  return undefined;
}

/** Also what is left of a rule where the pane has just become narrower. */
const isDivider = (text: string): boolean => /^[\s╌┄─]+$/u.test(text);

const titled = (lines: readonly string[]): boolean => {
  const first = lines.find((line) => line.trim() !== '');
  return first !== undefined && !/^\s*❯|^\s*\d+\. /u.test(first) && !keyHint.test(first);
};

function dialogOf(rows: readonly string[], { labels, selected, ticked, ask }: Options): Dialog {
  const lines = rows.filter((line) => line.trim() !== '');
  // A question's first row is a row of tabs.
  const title = lines.find((line) => !/^\s*[←☐☒✔]/u.test(line)) ?? lines[0] ?? '';
  return {
    waitingFor: dialogKind({ lines, ask }),
    title: title.trim(),
    text: trimmed(rows),
    options: labels,
    ...(selected === undefined ? {} : { selected }),
    ...(ticked === undefined ? {} : { ticked }),
  };
}

function trimmed(lines: readonly string[]): string {
  const filled = lines.filter((line) => line.trim() !== '');
  const indent = Math.min(...filled.map((line) => line.search(/\S/)));
  return lines
    .map((line) => line.slice(indent).trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
