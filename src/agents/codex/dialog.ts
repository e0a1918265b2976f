// A dialog on the screen: where it begins, which one it is, and which of its labels says yes or no.
import { defined } from '../../model/defined.ts';
import type { Dialog, DialogAct, WaitingFor } from '../../model/turn.ts';
import type { Agent } from '../agent.ts';
import { choiceIn, type DecisionWords } from '../dialog-choice.ts';
import type { Row } from '../screen-rows.ts';

const keyHint =
  /\br retry +f fork\b|\b(?:press )?enter (?:to )?(?:confirm|continue|select|submit)\b|\besc (?:to )?(?:cancel|back|close|go back|dismiss)\b/i;
const option = /^ *(?:[›>] )?(\d+)\. (\S.*)$/u;
const pointer = /^ *[›>] \d+\. /u;

export function findDialog(rows: readonly Row[]): Dialog | undefined {
  const lines = rows.map((row) => row.text);
  const end = lines.findLastIndex((line) => line !== '');
  const pointed = lines.findLastIndex((line) => pointer.test(line));
  if (pointed < 0 && !keyHint.test(lines[end] ?? '')) return undefined;
  const start = headOf(lines, pointed < 0 ? end : pointed);
  const browsed = browsing.exec(lines[end] ?? '')?.[1];
  if (browsed !== undefined)
    return { waitingFor: 'dialog', title: browsed, text: trimmed([lines[end] ?? '']), options: [] };
  const part = lines.slice(start, end + 1);
  const [title = ''] =
    part
      .find((line) => /\p{L}/u.test(line) && !beside.test(line))
      ?.trim()
      .split(aside) ?? [];
  const words = { title, text: trimmed(part) };
  return { waitingFor: dialogKind(part), ...words, ...optionsIn(part), ...defined({ about: actIn(words) }) };
}

/** Undefined where a reason or a command of several rows could pass for another. */
function actIn({ title, text }: Pick<Dialog, 'title' | 'text'>): DialogAct | undefined {
  const only = (row: RegExp): string | undefined => {
    const [found, ...others] = text.matchAll(row);
    return others.length === 0 ? found?.[1]?.replace(/\s+/g, ' ').trim() : undefined;
  };
  if (/^Would you like to run the following command\?$/.test(title)) {
    const what = only(/^\$ (.+(?:\n(?![›\d$]).+)*)/gm);
    return what === undefined ? undefined : { is: 'run', what };
  }
  if (!/^Would you like to make the following edits\?$/.test(title)) return undefined;
  const what = only(/^Destination: (.+)$/gm);
  return what === undefined ? undefined : { is: 'write', what };
}

/** A person walks through past prompts; Enter would go back to one and drop the conversation after it. */
const browsing = /^ *(Browsing transcript) · /;
/** A help key may follow at the end of the line. */
const aside = / {4,}/;
/** A counter above a question. */
const beside = /^ *Field \d+\/\d+$/;

/** A dialog is indented throughout. The text above it is not, or several blank lines separate them. */
function headOf(lines: readonly string[], from: number): number {
  const isOutside = (line: string, i: number) =>
    !/^(?:$| {2}|[›>] |[↑↓]$)/u.test(line) || lines.slice(i, i + 3).every((one) => one === '');
  return lines.slice(0, from).findLastIndex(isOutside) + 1;
}

function optionsIn(lines: readonly string[]): Pick<Dialog, 'options' | 'selected'> {
  const found = lines.flatMap((line) => {
    const [, number, label] = option.exec(line) ?? [];
    const isPointed = pointer.test(line);
    return number === undefined || label === undefined ? [] : [{ number: Number(number), label, isPointed }];
  });
  const first = found.findLastIndex(({ number }) => number === 1);
  const rows = found.slice(Math.max(first, 0));
  const pointed = rows.flatMap(({ isPointed }, i) => (isPointed ? [i] : []));
  const [selected, ...others] = pointed;
  return {
    // The key of a choice follows its label; its explanation has a column of its own.
    options: rows.map(({ label }) => label.replace(/ \((?:\w|esc)\)$/, '').split(/ {2,}/)[0] ?? label),
    ...defined({ selected: others.length > 0 ? undefined : selected }),
  };
}

function trimmed(lines: readonly string[]): string {
  return lines
    .map((line) => line.replace(/^ {2}/, '').trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** The first match counts. The words are always in the head of a dialog. */
const kinds: readonly (readonly [RegExp, WaitingFor])[] = [
  [/^Would you like to (run|make|grant|send)\b|^Do you want to approve\b|^Allow .* to run tool\b/m, 'permission'],
  [/^Update available\b/m, 'update'],
  [/^Folder access\b|Trust this folder\?|^Do you trust\b/m, 'trust'],
  [/^Approaching rate limits\b|^Usage limit reached\b/m, 'limit'],
  [/^Welcome to Codex\b|^Sign in with ChatGPT\b|\bSign in with ChatGPT$/m, 'login'],
];

const headLines = 8;

function dialogKind(lines: readonly string[]): WaitingFor {
  const head = lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, headLines)
    .join('\n');
  return kinds.find(([words]) => words.test(head))?.[1] ?? 'dialog';
}

/** Yes for this once: every other yes remembers something, and has to be chosen by its label. */
const decisionWords: DecisionWords = {
  permission: {
    allow: /^(?:Yes|Yes, proceed|Yes, just this once|Allow|Approve)$/,
    deny: /^(?:No|No, and tell Codex what to do differently|No, continue without .*|Cancel|Deny|Decline)$/,
  },
  trust: { allow: /^Trust and continue$/, deny: /^Back to Agent Command Center$/ },
};

export const choiceFor: Agent['choiceFor'] = (dialog, decision) => choiceIn(decisionWords, dialog, decision);
