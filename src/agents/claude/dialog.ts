// A dialog on the screen: where it begins, which one it is, and which of its labels says yes or no.
import { defined } from '../../model/defined.ts';
import type { Dialog, DialogAct, WaitingFor } from '../../model/turn.ts';
import type { Agent } from '../agent.ts';
import { choiceIn, type DecisionWords } from '../dialog-choice.ts';
import { isRule, type Row } from '../screen-rows.ts';
import { type Options, optionsIn } from './dialog-options.ts';

/** A dialog's hint about its keys; with a marked choice, the surest sign of a dialog. */
const keyHint = /\b(Enter|Esc|Space) to \w+/;

export function findDialog(rows: readonly Row[]): Dialog | undefined {
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
    ...defined({ selected, ticked, about: actIn(lines) }),
  };
}

/** Only from the second row: all below it may quote anything. */
function actIn([title = '', second = '']: readonly string[]): DialogAct | undefined {
  const host = /^\s*Host: (\S+)$/.exec(second)?.[1];
  if (/^\s*Network request outside of sandbox$/.test(title) && host !== undefined) return { is: 'reach', what: host };
  const isFile = /^\s*(?:Create|Edit|Overwrite) file$/.test(title) && second.trim() !== '';
  return isFile ? { is: 'write', what: second.trim() } : undefined;
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

interface Kind {
  readonly waitingFor: WaitingFor;
  readonly words: RegExp;
  /** The part with the words. The text between head and keys is quoted and may contain the words of any dialog. */
  readonly at: 'head' | 'keys' | 'ask';
}

/** The first match counts. */
const kinds: readonly Kind[] = [
  { at: 'keys', waitingFor: 'question', words: /Enter to select · ↑\/↓ to navigate/ },
  { at: 'keys', waitingFor: 'permission', words: /Tab to amend/ },
  { at: 'head', waitingFor: 'trust', words: /^Accessing workspace:|^Do you trust the files/m },
  { at: 'head', waitingFor: 'mcp_approval', words: /^(New MCP server|\d+ new MCP servers) found in/m },
  {
    at: 'head',
    waitingFor: 'login',
    words: /^Select login method|^Detected a custom API key|^Welcome to Claude Code/m,
  },
  {
    at: 'head',
    waitingFor: 'limit',
    words: /\b(hit|reached) your\b.*\blimit\b|usage limit reached|out of usage|wait for limit to reset$/im,
  },
  { at: 'head', waitingFor: 'plan_approval', words: /^Exit plan mode\?|wants to exit plan mode|^Ready to code\?/m },
  { at: 'head', waitingFor: 'question', words: /requests your input/ },
  { at: 'ask', waitingFor: 'permission', words: /^Do you want to .*\?$/ },
];

const headLines = 4;
const keyLines = 2;

/** `lines` are a dialog's rows that are not blank; `ask` the one above its choices. */
function dialogKind({ lines, ask }: { lines: readonly string[]; ask: string | undefined }): WaitingFor {
  const words = lines.map((line) => line.trim());
  const parts = {
    head: words.slice(0, headLines).join('\n'),
    keys: words.slice(-keyLines).join('\n'),
    ask: ask?.trim() ?? '',
  };
  return kinds.find((kind) => kind.words.test(parts[kind.at]))?.waitingFor ?? 'dialog';
}

/** Yes for this once: every other yes remembers something, and has to be chosen by its label. */
const decisionWords: DecisionWords = {
  question: { text: /^Type something\.?$/ },
  permission: { allow: /^Yes$/, deny: /^No\b/ },
  plan_approval: { allow: /^Yes\b/, deny: /^No\b/ },
  trust: { allow: /^Yes, I trust this folder$/, deny: /^No, exit$/ },
  mcp_approval: { allow: /^Use this MCP server$/, deny: /^Continue without using this MCP server$/ },
};

export const choiceFor: Agent['choiceFor'] = (dialog, decision) => choiceIn(decisionWords, dialog, decision);
