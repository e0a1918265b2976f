// Dialogs: their rows as the real program draws them, and the keys that choose.
import { basename } from 'node:path';
import type { Fields } from '../../model/json.ts';
import { fieldsOf, listOf, wordOf } from '../../model/json.ts';
import { wrapped } from '../../model/terminal-text.ts';
import type { Key } from './keys.ts';
import { rule } from './view.ts';

export interface Dialog {
  /** What the state file says it waits for; undefined before there is a state file. */
  readonly waitingFor: string | undefined;
  readonly count: number;
  /** Where the pointer stands at first. */
  readonly first: number;
  /** Numbers choose at once. */
  readonly numbered: boolean;
  rows(columns: number, selected: number): readonly string[];
}

export type Move = { readonly selected: number } | { readonly chosen: number } | { readonly cancelled: true };

/** What a key does in an open dialog. Pasted text does nothing. */
export function moved(dialog: Dialog, selected: number, key: Key): Move {
  if (key.kind === 'paste') return { selected };
  if (key.kind === 'text') {
    const number = Number(key.text);
    const isChoice = dialog.numbered && Number.isInteger(number) && number >= 1 && number <= dialog.count;
    return isChoice ? { chosen: number - 1 } : { selected };
  }
  switch (key.name) {
    case 'up':
      return { selected: Math.max(selected - 1, 0) };
    case 'down':
      return { selected: Math.min(selected + 1, Math.max(dialog.count - 1, 0)) };
    case 'enter':
      return dialog.count === 0 ? { cancelled: true } : { chosen: selected };
    case 'escape':
    case 'ctrl-c':
      return { cancelled: true };
    default:
      return { selected };
  }
}

const divider = (columns: number): string => '╌'.repeat(columns);

const choices = (labels: readonly string[], selected: number, indent: string): readonly string[] =>
  labels.map((label, i) => `${indent}${i === selected ? '❯' : ' '} ${label}`);

const numberedChoices = (labels: readonly string[], selected: number, indent = ' '): readonly string[] =>
  choices(
    labels.map((label, i) => `${i + 1}. ${label}`),
    selected,
    indent,
  );

export interface Asked {
  readonly tool: string;
  readonly input: Fields;
  readonly cwd: string;
  readonly bySubagent: boolean;
}

/** "May I use this tool?" The last choice is no. */
export function permissionDialog({ tool, input, cwd, bySubagent }: Asked): Dialog {
  const path = wordOf(input.file_path) ?? '';
  const isFile = tool === 'Write';
  const labels = [
    'Yes',
    isFile
      ? 'Yes, and switch to accept edits (auto-approve file edits and common file commands) for this session (shift+tab)'
      : `Yes, and always allow access to ${cwd} from this project`,
    'No',
  ];
  const head = isFile ? ['Create file', basename(path)] : [`${tool} command`, wordOf(input.description) ?? ''];
  const body = (isFile ? wordOf(input.content) : wordOf(input.command)) ?? JSON.stringify(input);
  const question = isFile ? `Do you want to create ${basename(path)}?` : 'Do you want to proceed?';
  return {
    waitingFor: 'permission prompt',
    count: labels.length,
    first: 0,
    numbered: true,
    rows: (columns, selected) => [
      rule(columns),
      `\u001b[0m ${head[0]}${bySubagent ? ' · from the general-purpose agent' : ''}`,
      ` ${head[1]}`,
      divider(columns),
      ...wrapped(body.trimEnd(), columns - 2)
        .slice(0, 12)
        .map((row) => ` ${row}`),
      divider(columns),
      ` ${question}`,
      ...numberedChoices(labels, selected),
      '',
      ' Esc to cancel · Tab to amend',
    ],
  };
}

/** A question of the model's. The last choice is to talk about it. */
export function questionDialog(input: Fields): Dialog {
  const asked = fieldsOf(listOf(input.questions)[0]);
  const options = listOf(asked.options).map(fieldsOf);
  return {
    waitingFor: 'input needed',
    count: options.length + 2,
    first: 0,
    numbered: true,
    rows: (columns, selected) => {
      const pointer = (i: number) => (i === selected ? '❯' : ' ');
      const n = options.length;
      return [
        rule(columns),
        `\u001b[0m ☐ ${wordOf(asked.header) ?? 'Choice'} `,
        '',
        wordOf(asked.question) ?? '',
        '',
        ...options.flatMap((option, i) => [
          `${pointer(i)} ${i + 1}. ${wordOf(option.label) ?? ''}`,
          `     ${wordOf(option.description) ?? ''}`,
        ]),
        `${pointer(n)} ${n + 1}. Type something.`,
        rule(columns),
        `\u001b[0m${pointer(n + 1)} ${n + 2}. Chat about this`,
        '',
        'Enter to select · ↑/↓ to navigate · Esc to cancel',
      ];
    },
  };
}

export const planDialog: Dialog = {
  waitingFor: 'permission prompt',
  count: 2,
  first: 0,
  numbered: true,
  rows: (columns, selected) => [
    rule(columns),
    '\u001b[0m Exit plan mode?',
    '',
    '  Claude wants to exit plan mode',
    '',
    ...numberedChoices(['Yes, and switch to default (ask each time) for this session', 'No'], selected, '  '),
  ],
};

/** Asked before anything else in a folder nobody has vouched for; the pointer stands on "no". */
export const trustDialog = (cwd: string): Dialog => ({
  waitingFor: undefined,
  count: 2,
  first: 0,
  numbered: false,
  rows: (columns, selected) => [
    rule(columns),
    '\u001b[0m Accessing workspace:',
    '',
    ` ${cwd}`,
    '',
    ' Quick safety check: Is this a project you created or one you trust?',
    '',
    ' Security guide',
    '',
    ...choices(['No, exit', 'Yes, I trust this folder'], selected, ' '),
    '',
    ' Enter to confirm · Esc to cancel',
  ],
});

/** A panel to read, such as the help. */
export const panel = (lines: readonly string[]): Dialog => ({
  waitingFor: 'dialog open',
  count: 0,
  first: 0,
  numbered: false,
  rows: (columns) => [
    rule(columns),
    ...lines.map((line) => `\u001b[0m  ${line}`),
    '',
    '  ←/→ to switch · Esc to close',
  ],
});
