import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { choiceFor as claudeChoice } from '../../../src/agents/claude/dialog.ts';
import { choiceFor as codexChoice } from '../../../src/agents/codex/dialog.ts';
import {
  chosenIn,
  dialogCalls,
  findChoice,
  isSameDialog,
  type ScreenAnswer,
} from '../../../src/crew/screen/dialog-choice.ts';
import type { Dialog, WaitingFor } from '../../../src/model/turn.ts';
import { workerRecord } from '../../support/records.ts';

const dialogOf = (waitingFor: WaitingFor, options: readonly string[], selected = 0): Dialog => ({
  waitingFor,
  title: 'Title',
  text: ['Title', ...options].join('\n'),
  options,
  selected,
});

const claudePermission = ['Yes', 'Yes, and always allow access to /x from this project', 'No'];
const codexPermission = [
  'Yes, proceed',
  "Yes, and don't ask again for commands that start with `rm`",
  'No, and tell Codex what to do differently',
];
const trust = dialogOf('trust', ['No, exit', 'Yes, I trust this folder']);
const update = dialogOf('update', [
  'Update now (runs `npm install -g @openai/codex`)',
  'Skip',
  'Skip until next version',
]);
const login = dialogOf('login', ['Sign in with ChatGPT', 'Sign in another way']);

describe('what says yes or no', () => {
  test.each<
    [agent: string, kind: WaitingFor, options: readonly string[], allow?: string | undefined, deny?: string | undefined]
  >([
    ['claude', 'permission', claudePermission, 'Yes', 'No'],
    ['claude', 'trust', trust.options, 'Yes, I trust this folder', 'No, exit'],
    ['claude', 'plan_approval', ['Yes, and switch to default', 'No'], 'Yes, and switch to default', 'No'],
    ['claude', 'plan_approval', ['Yes, and use auto mode', 'Yes, manually approve edits', 'No'], undefined, 'No'],
    [
      'claude',
      'mcp_approval',
      ['Use this MCP server', 'Use this and all future MCP servers', 'Continue without using this MCP server'],
      'Use this MCP server',
      'Continue without using this MCP server',
    ],
    ['claude', 'dialog', ['Yes', 'No']],
    ['claude', 'update', ['Yes', 'No']],
    ['claude', 'permission', ['Yes', 'Yes', 'No'], undefined, 'No'],
    ['codex', 'permission', codexPermission, 'Yes, proceed', codexPermission[2]],
    ['codex', 'permission', ['Allow', 'Allow for this session', 'Always allow', 'Cancel'], 'Allow', 'Cancel'],
    [
      'codex',
      'trust',
      ['Trust and continue', 'Back to Agent Command Center'],
      'Trust and continue',
      'Back to Agent Command Center',
    ],
    ['codex', 'update', update.options],
  ])('to %s about %s with %j is %s, %s', (agent, kind, options, allow, deny) => {
    const choiceFor = agent === 'claude' ? claudeChoice : codexChoice;
    const dialog = dialogOf(kind, options);
    expect([choiceFor(dialog, 'allow'), choiceFor(dialog, 'deny')]).toEqual([allow, deny]);
  });
});

const by = { agent: { choiceFor: claudeChoice }, attach: 'tmux attach', personsReason: undefined };

const question = dialogOf('question', ['Red', 'Blue', 'Type something.', 'Chat about this']);
const bypass: Dialog = {
  ...dialogOf('dialog', ['No, exit', 'Yes, I accept']),
  title: 'WARNING: Claude Code running in Bypass Permissions mode',
};

describe('the choice of an answer', () => {
  test.each<[answer: ScreenAnswer, dialog: Dialog, index: number]>([
    [{ decision: 'allow' }, trust, 1],
    [{ decision: 'deny' }, trust, 0],
    [{ option: 'yes, i' }, trust, 1],
    [{ option: 'Skip' }, update, 1],
    [{ option: 'skip until' }, update, 2],
    [{ option: 'blue' }, question, 1],
    [{ text: 'deep green' }, question, 2],
    [{ option: 'No, exit' }, bypass, 0],
  ])('%j in %o is number %i', (answer, dialog, index) => {
    expect(chosenIn(dialog, answer, by)).toBe(index);
  });

  test.each<[why: string, answer: ScreenAnswer, dialog: Dialog, code: string, words: RegExp]>([
    ['an update', { option: 'Update now' }, update, 'needs_person', /install another version/],
    ['a login', { option: 'Sign in with ChatGPT' }, login, 'needs_person', /login/],
    ['a label that is not there', { option: 'Perhaps' }, trust, 'invalid_argument', /"No, exit", "Yes, I trust/],
    ['a label that several begin with', { option: 'Sk' }, update, 'invalid_argument', /"Skip", "Skip until/],
    ['a yes that nothing says', { decision: 'allow' }, update, 'invalid_argument', /No single choice/],
    ['the entry for a text', { option: 'Type something.' }, question, 'invalid_argument', /where a text is typed/],
    ['a text where none is taken', { text: 'x' }, trust, 'invalid_argument', /takes a text/],
    ['a text of two lines', { text: 'a\nb' }, question, 'invalid_argument', /one line/],
    ['a text with a key in it', { text: 'a\u0003' }, question, 'invalid_argument', /one line/],
    ['a long text', { text: 'x'.repeat(201) }, question, 'invalid_argument', /has 201/],
    ['several ticks', { option: 'Red' }, { ...question, ticked: [0] }, 'needs_person', /several ticks/],
    ['everything at once', { option: 'Yes, I accept' }, bypass, 'needs_person', /responsibility/],
    ['a dialog without choices', { option: 'Yes' }, dialogOf('dialog', []), 'invalid_argument', /no choices/],
  ])('of %s is refused', (_, answer, dialog, code, words) => {
    expect(() => chosenIn(dialog, answer, by)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(words) }),
    );
  });

  test('is no more than a denial where only a person may allow', () => {
    const guarded = { ...by, personsReason: 'rm -rf / is catastrophic.' };
    const dialog = dialogOf('permission', claudePermission);
    expect(chosenIn(dialog, { option: 'No' }, guarded)).toBe(2);
    for (const answer of [{ decision: 'allow' }, { option: 'Yes' }, { option: 'Yes, and' }] as const)
      expect(() => chosenIn(dialog, answer, guarded)).toThrow(expect.objectContaining({ code: 'needs_person' }));
  });
});

describe('the calls that answer a dialog', () => {
  const permission = dialogOf('permission', claudePermission);
  const host: Dialog = { ...permission, about: { is: 'reach', what: 'a.example' } };

  test.each<[why: string, dialog: Dialog | undefined, options: readonly string[]]>([
    ['allow and deny a permission', permission, ['Yes', 'No']],
    ['deny a host first', host, ['No', 'Yes']],
    ['deny a trust first', trust, ['No, exit', 'Yes, I trust this folder']],
    ['never name an update', update, ['Skip', 'Skip until next version']],
    ['are one for each choice of a question', question, ['Red', 'Blue', 'Chat about this']],
    ['never waive every permission', bypass, ['No, exit']],
    ['are none for a login', login, []],
    ['are none where no cursor can be read', { ...trust, options: [] }, []],
    ['are none where several ticks are asked for', { ...trust, ticked: [] }, []],
    ['are none where no dialog was seen', undefined, []],
  ])('%s', (_, dialog, options) => {
    expect(dialogCalls(workerRecord({ id: '0badcafe' }), dialog, claudeChoice)).toEqual(
      options.map((option) => `answer_worker {"session_id":"0badcafe","decision":"choose","option":"${option}"}`),
    );
  });
});

describe('a choice', () => {
  test.each<[wanted: string, options: readonly string[], found: number | 'none' | 'several']>([
    ['Yes', claudePermission, 0],
    ['yes', claudePermission, 0],
    ['  No ', claudePermission, 2],
    ['Yes, and always', claudePermission, 1],
    ['yes, AND', claudePermission, 1],
    ['Ye', claudePermission, 'several'],
    ['Maybe', claudePermission, 'none'],
    ['', claudePermission, 'none'],
    [' ', ['', ' '], 'none'],
    ['1', claudePermission, 'none'],
    ['Allow', ['Allow', 'Allow for this session', 'Always allow'], 0],
    ['Red', ['Red', 'Red'], 'several'],
    ['red', ['RED', 'Red'], 'several'],
    ['Red', ['RED', 'Red'], 1],
  ])('%j among %j is %s', (wanted, options, found) => {
    expect(findChoice(options, wanted).found).toBe(found);
  });

  test('that names one whole label is that one, whatever else begins so', () => {
    const labels = fc.uniqueArray(fc.string({ minLength: 1 }), {
      minLength: 1,
      selector: (label) => label.normalize('NFC').replace(/\s+/gu, ' ').trim(),
    });
    fc.assert(
      fc.property(labels, fc.nat(), (options, n) => {
        const i = n % options.length;
        const wanted = options[i] ?? '';
        expect(findChoice(options, wanted).found).toBe(wanted.trim() === '' ? 'none' : i);
      }),
    );
  });
});

const bash: Dialog = {
  waitingFor: 'permission',
  title: 'Bash command',
  text: 'Bash command\nls\nDo you want to proceed?\n❯ 1. Yes\n  2. No\n\nEsc to cancel',
  options: ['Yes', 'No'],
  selected: 0,
};

describe('a dialog', () => {
  test.each<[what: string, other: Partial<Dialog>, same: boolean]>([
    ['whose cursor has moved', { selected: 1, text: bash.text.replace('❯ 1', '  1').replace('  2', '❯ 2') }, true],
    ['whose keys are told otherwise', { text: bash.text.replace('Esc to cancel', 'Tab to amend') }, true],
    ['about another command', { text: bash.text.replace('ls', 'rm -rf /') }, false],
    ['with another choice', { options: ['Yes', 'No', 'Never'] }, false],
    ['with another title', { title: 'Create file' }, false],
    ['of another kind', { waitingFor: 'question' }, false],
  ])('%s is the same: %s', (_, other, same) => {
    expect(isSameDialog(bash, { ...bash, ...other })).toBe(same);
  });

  test('whose tick is set is the same', () => {
    const boxes = { ...bash, text: '❯ 1. [ ] Red', options: ['Red'] };
    expect(isSameDialog(boxes, { ...boxes, text: '❯ 1. [✔] Red', ticked: [0] })).toBe(true);
  });
});
