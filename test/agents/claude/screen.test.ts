import { describe, expect, test } from 'vitest';
import { readScreen } from '../../../src/agents/claude/screen.ts';

const rule = '─'.repeat(100);
const named = `${'─'.repeat(90)} ada ─`;
const esc = '\u001b[';
const box = (...lines: readonly string[]) => [named, ...lines, rule, '  ⏸ manual mode on · ? for shortcuts'].join('\n');
const dialog = (...lines: readonly string[]) => [rule, ...lines, ' Esc to cancel · Tab to amend', named].join('\n');

describe('the prompt box', () => {
  test.each<[string, string, string | undefined]>([
    ['is empty with the cursor in it', box(`❯\u00a0${esc}7m ${esc}0m`), ''],
    ['is empty under a dim suggestion', box(`❯\u00a0${esc}7mT${esc}0;2mry "fix it"${esc}0m`), ''],
    ['is empty under a suggestion without a cursor', box(`❯\u00a0${esc}2mTry "fix it"${esc}0m`), ''],
    ['holds what is typed', box('❯\u00a0half a thought'), 'half a thought'],
    ['holds one letter under the cursor', box(`❯\u00a0${esc}7mx${esc}0m`), 'x'],
    ['holds text with the cursor on its first letter', box(`❯\u00a0${esc}7mh${esc}0malf`), 'half'],
    ['holds text with the cursor in its middle', box(`❯\u00a0half${esc}7m ${esc}0ma thought`), 'half a thought'],
    ['holds what is typed without the rest suggested', box(`❯\u00a0/com${esc}2mpact${esc}0m`), '/com'],
    ['holds several lines', box('❯\u00a0one', '  two', '', '    four'), 'one\ntwo\n\n  four'],
    ['holds a line of dashes', box('❯\u00a0one', `  ${'─'.repeat(40)}`, '  two'), `one\n${'─'.repeat(40)}\ntwo`],
    ['shows the sign of the shell', box('!\u00a0ls'), '!ls'],
    ['does not see a colour 2 as dim', box(`❯\u00a0${esc}38;5;2mgreen${esc}39m`), 'green'],
    ['is not in sight on a shell screen', '$ ls\nREADME.md\n$ ', undefined],
    [
      'is not in sight, nor a dialog, while it is drawn for another width under a quoted prompt',
      ` Claude Code v2.1.329\n\n❯ SAY hi\n\n✢ Swooping…\n\n${rule}        a\nda   ─\n❯\n  ⏸ manual mode on   m\nedium`,
      undefined,
    ],
    [
      'is not in sight while it is drawn for another width',
      `${rule}        a\n da ─\n❯\n  ⏸ manual mode on   m\nedium`,
      undefined,
    ],
    ['is not the prompt quoted above', '❯ say hi\n\n● hi', undefined],
  ])('%s', (_, screen, draft) => {
    expect(readScreen(screen)).toEqual(draft === undefined ? {} : { draft });
  });

  test('means that a dialog quoted in the conversation is no dialog', () => {
    const quoted = dialog(' Bash command', ' Do you want to proceed?', ' ❯ 1. Yes', '   2. No');
    expect(readScreen(`${quoted}\n\n${box('❯\u00a0')}`)).toEqual({ draft: '' });
  });
});

describe('a dialog', () => {
  test('is told by its own words, not by those it quotes', () => {
    const screen = dialog(
      ' Bash command',
      ' echo "Accessing workspace: trust this folder"',
      ' ❯ 1. Select login method',
      '   2. Not me',
      ' Do you want to proceed?',
      ' ❯ 1. Yes',
      "   2. Yes, and don't ask again",
      '   3. No',
    );
    expect(readScreen(screen).dialog).toMatchObject({
      waitingFor: 'permission',
      title: 'Bash command',
      options: ['Yes', "Yes, and don't ask again", 'No'],
    });
  });

  test('that quotes another further down is still told by its head and its question', () => {
    const body = ['one', 'two', 'three', 'four', 'Accessing workspace:', 'Exit plan mode?'].map((line) => ` ${line}`);
    const screen = [rule, ' Fetch', ...body, ' Do you want to allow this?', ' ❯ 1. Yes', '   2. No', ' Esc to cancel'];
    expect(readScreen(screen.join('\n')).dialog).toMatchObject({ waitingFor: 'permission', title: 'Fetch' });
  });

  test('keeps its title while the pane has just become narrower and a rule goes on in the next row', () => {
    const screen = [rule, '──', ' Bash command', ' Do you want to proceed?', ' ❯ 1. Yes', '   2. No', ' Esc to cancel'];
    expect(readScreen(screen.join('\n')).dialog).toMatchObject({ title: 'Bash command', options: ['Yes', 'No'] });
  });

  test('that draws a rule inside keeps its title and all its choices', () => {
    const screen = [
      rule,
      ' ☐ Choice',
      '',
      'Which colour?',
      '',
      '  1. Red',
      '     Pick Red',
      '  2. Type something.',
      rule,
      '❯ 3. Chat about this',
      '',
      'Enter to select · ↑/↓ to navigate · Esc to cancel',
    ].join('\n');
    expect(readScreen(screen).dialog).toMatchObject({
      waitingFor: 'question',
      title: 'Which colour?',
      options: ['Red', 'Type something.', 'Chat about this'],
    });
  });

  test('of a usage limit is waited for as a limit', () => {
    const screen = [
      rule,
      " You've hit your session limit · resets 3pm",
      ' What do you want to do?',
      '',
      ' ❯ 1. Wait',
      '   2. Upgrade',
    ];
    expect(readScreen(screen.join('\n')).dialog).toMatchObject({ waitingFor: 'limit', options: ['Wait', 'Upgrade'] });
  });

  test('that nobody knows is a dialog with its choices', () => {
    const screen = [
      rule,
      '  Resume this conversation?',
      '',
      '  It is old.',
      '',
      '  ❯ Resume from summary',
      '    Resume all',
      '',
      '  Enter to confirm',
    ];
    expect(readScreen(screen.join('\n')).dialog).toEqual({
      waitingFor: 'dialog',
      title: 'Resume this conversation?',
      text: 'Resume this conversation?\n\nIt is old.\n\n❯ Resume from summary\n  Resume all\n\nEnter to confirm',
      options: ['Resume from summary', 'Resume all'],
      selected: 0,
    });
  });
});

test.each(['', '\n\n\n', '\u001b[38;5;1m\u001b[0m', '❯', '─'.repeat(100), `${rule}\n❯\u00a0x`])(
  '%j shows nothing',
  (screen) => {
    expect(readScreen(screen)).toEqual({});
  },
);
