// Dialogs: their rows as the real program draws them, and the keys that choose.
import { basename } from 'node:path';
import { wrapped } from '../../draw/terminal-text.ts';
import { type Fields, fieldsOf, listOf, wordOf } from '../../model/json.ts';
import type { Key } from './input.ts';
import { rule } from './screen.ts';
import type { ScriptedToolUse } from './script.ts';

export interface ScriptedDialog {
  /** The state file's word for it. */
  readonly waitingFor: string;
  readonly count: number;
  rows(columns: number, selected: number): readonly string[];
}

export type DialogMove = { readonly selected: number } | { readonly chosen: number } | { readonly cancelled: true };

/** The effect of a key in an open dialog. Pasted text has none. */
export function moved({ count }: ScriptedDialog, selected: number, key: Key): DialogMove {
  if (key.kind !== 'key') {
    const number = key.kind === 'text' ? Number(key.text) : 0;
    return Number.isInteger(number) && number >= 1 && number <= count ? { chosen: number - 1 } : { selected };
  }
  switch (key.name) {
    case 'up':
      return { selected: Math.max(selected - 1, 0) };
    case 'down':
      return { selected: Math.min(selected + 1, count - 1) };
    case 'enter':
      return { chosen: selected };
    case 'escape':
    case 'ctrl-c':
      return { cancelled: true };
    default:
      return { selected };
  }
}

const plain = '\u001b[0m';
const divider = (columns: number): string => '╌'.repeat(columns);

const choices = (labels: readonly string[], selected: number, indent = ' '): readonly string[] =>
  labels.map((label, i) => `${indent}${i === selected ? '❯' : ' '} ${label}`);
const numbered = (labels: readonly string[]): readonly string[] => labels.map((label, i) => `${i + 1}. ${label}`);

/** The dialog of a tool that asks before it runs. */
export function dialogFor({ name, input }: ScriptedToolUse, cwd: string): ScriptedDialog {
  if (name === 'AskUserQuestion') return questionDialog(input);
  return name === 'ExitPlanMode' ? planDialog : permissionDialog({ name, input }, cwd);
}

/** "May I use this tool?" The last choice is no. */
function permissionDialog({ name, input }: Pick<ScriptedToolUse, 'name' | 'input'>, cwd: string): ScriptedDialog {
  const file = basename(wordOf(input.file_path) ?? '');
  const isFile = name === 'Write';
  const always = isFile
    ? 'Yes, and switch to accept edits (auto-approve file edits and common file commands) for this session (shift+tab)'
    : `Yes, and always allow access to ${cwd} from this project`;
  const labels = numbered(['Yes', always, 'No']);
  const head = isFile ? ['Create file', file] : [`${name} command`, wordOf(input.description) ?? ''];
  const body = (isFile ? wordOf(input.content) : wordOf(input.command)) ?? JSON.stringify(input);
  const shown = (columns: number) => wrapped(body.trimEnd(), columns - 2).slice(0, 12);
  return {
    waitingFor: 'permission prompt',
    count: labels.length,
    rows: (columns, selected) => [
      rule(columns),
      `${plain} ${head[0]}`,
      ` ${head[1]}`,
      divider(columns),
      ...shown(columns).map((row) => ` ${row}`),
      divider(columns),
      isFile ? ` Do you want to create ${file}?` : ' Do you want to proceed?',
      ...choices(labels, selected),
      '',
      ' Esc to cancel · Tab to amend',
    ],
  };
}

/** A question that the model asks. The last choice is to talk about it. */
function questionDialog(input: Fields): ScriptedDialog {
  const asked = fieldsOf(listOf(input.questions)[0]);
  const options = listOf(asked.options).map((option) => wordOf(fieldsOf(option).label) ?? '');
  const labels = numbered([...options, 'Type something.', 'Chat about this']);
  return {
    waitingFor: 'input needed',
    count: labels.length,
    rows: (columns, selected) => [
      rule(columns),
      `${plain} ☐ ${wordOf(asked.header) ?? 'Choice'} `,
      '',
      wordOf(asked.question) ?? '',
      '',
      ...choices(labels, selected, '').flatMap((row, i) => {
        if (i < options.length) return [row, `     Pick ${options[i]}`];
        return i === options.length ? [row, rule(columns)] : [`${plain}${row}`];
      }),
      '',
      'Enter to select · ↑/↓ to navigate · Esc to cancel',
    ],
  };
}

const planChoices = numbered(['Yes, and switch to default (ask each time) for this session', 'No']);

const planDialog: ScriptedDialog = {
  waitingFor: 'permission prompt',
  count: planChoices.length,
  rows: (columns, selected) => [
    rule(columns),
    `${plain} Exit plan mode?`,
    '',
    '  Claude wants to exit plan mode',
    '',
    ...choices(planChoices, selected, '  '),
  ],
};
