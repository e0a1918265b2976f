import { describe, expect, test } from 'vitest';
import { readScreen } from '../../../src/agents/codex/screen.ts';

const bold = (text: string) => `\u001b[1m${text}\u001b[0m`;
const dim = (text: string) => `\u001b[2m${text}\u001b[0m`;
const chosen = (text: string) => `\u001b[1;7m${text}\u001b[0m`;
const sent = (text: string) => `\u001b[1;2m› \u001b[0m\u001b[48;5;238m${text}\u001b[49m`;
const status = '  GPT-5.5 default · /project';
const hints = '  ← for agents · ? for shortcuts';
const empty = [`${bold('›')} ${dim('Ask Codex to do anything')}`, '', status, hints];
const screen = (...rows: readonly string[]) => readScreen(`${rows.join('\n')}\n\n`);

describe('the composer', () => {
  test('with a suggestion alone is empty', () => {
    expect(screen(...empty)).toEqual({ draft: '', ready: true, queued: [], background: 0 });
  });

  test('over the splash is not there for good', () => {
    expect(screen(`${bold('›')} ${dim('Ask Codex')}`, '', '  ? for shortcuts')).toMatchObject({
      draft: '',
      ready: false,
    });
  });

  test('with a list in it is a draft and no dialog', () => {
    expect(screen(`${bold('›')} 1. one`, '  2. two', '', status)).toMatchObject({ draft: '1. one\n2. two' });
  });

  test('is not the prompt that was sent last', () => {
    expect(screen(sent('SAY hi'), '', '• hi', '', '  Worked for 1s')).toEqual({});
  });

  test('is told from what is quoted above it', () => {
    const quoted = ['• It asked:', '  Would you like to run the following command?', '› 1. Yes, proceed (y)', ''];
    expect(screen(...quoted, ...empty)).toMatchObject({ draft: '', ready: true });
  });
});

describe('a dialog', () => {
  const approval = [
    '• Running rm -rf build',
    ...['', '', ''],
    `  ${bold('Would you like to run the following command?')}`,
    ...['', '  $ rm -rf build', ''],
    chosen('› 1. Yes, proceed (y)'),
    "  2. Yes, and don't ask again for commands that start with `rm` (p)",
    '  3. No, and tell Codex what to do differently (esc)',
    ...['', '  Press enter to confirm or esc to cancel'],
  ];

  test('for approval is a permission, with its words and its choices', () => {
    expect(screen(...approval)).toEqual({
      dialog: {
        waitingFor: 'permission',
        title: 'Would you like to run the following command?',
        text: expect.stringMatching(/^Would you like[\s\S]*\$ rm -rf build[\s\S]*esc to cancel$/),
        options: [
          'Yes, proceed',
          "Yes, and don't ask again for commands that start with `rm`",
          'No, and tell Codex what to do differently',
        ],
        selected: 0,
        about: { is: 'run', what: 'rm -rf build' },
      },
    });
  });

  test('says the command of several rows whole, and none where a reason shows one of its own', () => {
    const about = (...rows: string[]) => screen(...approval.slice(0, 6), ...rows, ...approval.slice(7)).dialog?.about;
    expect(about('  $ make \\', '    test')).toEqual({ is: 'run', what: 'make \\ test' });
    expect(about('  Reason: it says', '  $ ls', '', '  $ rm -rf build')).toBeUndefined();
  });

  test('is not what the work above it says', () => {
    expect(screen(...approval).dialog?.text).not.toContain('Running');
  });

  test('that nobody knows is one all the same', () => {
    const words = ['  Something new', '', chosen('› 1. Go on'), '  2. Stop', '', '  enter select · esc back'];
    expect(screen(...words).dialog).toMatchObject({
      waitingFor: 'dialog',
      title: 'Something new',
      options: ['Go on', 'Stop'],
    });
  });
});

describe('above the composer', () => {
  test('queued messages are read as far as they are shown', () => {
    const queue = [
      '• Queued follow-up inputs',
      '  ↳ one',
      '    goes on',
      '    …',
      '  ↳ two',
      '    shift+← edit last queued message',
    ];
    expect(screen(...queue, '', '', ...empty).queued).toEqual(['one\ngoes on', 'two']);
  });

  test('a request that is tried again is a trouble, with its reason', () => {
    const retry = '◦ Reconnecting... 4/5 (20s • esc to interrupt)';
    const reason = '  └ Connection failed: error sending request';
    const queue = ['• Queued follow-up inputs', '  ↳ one', '    shift+← edit last queued message'];
    expect(screen(retry, '', ...empty).trouble).toBe('Reconnecting... 4/5');
    expect(screen(retry, reason, '', ...empty).trouble).toBe(
      'Reconnecting... 4/5: Connection failed: error sending request',
    );
    expect(screen(retry, reason, '', ...queue, '', ...empty).trouble).toContain('Reconnecting... 4/5');
  });

  test.each([
    ['works', ['• Working (21s • esc to interrupt)', '']],
    ['tries again', ['◦ Reconnecting... 4/5 (20s • esc to interrupt)', '  └ Connection failed', '']],
    [
      'works, with a message that waits',
      ['• Working (0s • esc to interrupt)', '', '• Queued follow-up inputs', '  ↳ one', ''],
    ],
  ])('a turn that %s is seen', (_, rows) => {
    expect(screen(...rows, ...empty).busy).toBe(rows[0]?.slice(2).replace(/ \(.*/, ''));
  });

  test.each([
    ['has ended', ['• Working (21s • esc to interrupt)', '', '■ Conversation interrupted', '']],
    ['is only quoted', ['• It said:', '  • Working (21s • esc to interrupt)', '']],
    ['was never there', ['• Working on it', '']],
  ])('a turn that %s is not', (_, rows) => {
    expect(screen(...rows, ...empty).busy).toBeUndefined();
  });

  test.each([
    ['⠸ Working | 01a1fed5-2289', 'Working'],
    ['⠋ Thinking | 01a1fed5-2289', 'Thinking'],
    ['⠋ Starting | 01a1fed5-2289', undefined],
    ['Ready | 01a1fed5-2289', undefined],
    ['[ ! ] Action Required | 01a1fed5-2289', undefined],
    ['Working | somebody’s thread', undefined],
    ['host', undefined],
  ])('while an answer streams the title alone tells of its turn: %s', (title, busy) => {
    expect(readScreen(`${['• half an answ', '', ...empty].join('\n')}\n\n`, title).busy).toBe(busy);
  });

  test('a retry that is over, or only quoted, is none', () => {
    const retry = '• Reconnecting... 4/5 (20s • esc to interrupt)';
    expect(screen(retry, '', '• Working (21s • esc to interrupt)', '', ...empty).trouble).toBeUndefined();
    expect(screen('• It said:', `  ${retry}`, '', ...empty).trouble).toBeUndefined();
  });

  test('programs left running are counted', () => {
    expect(screen('  2 background terminals running · /ps to view', '', ...empty).background).toBe(2);
  });
});
