// What `crewmux answer` shows of a need, and its keys.
import { expect, it } from 'vitest';
import { choicesFor } from '../../src/cli/answer-keys.ts';
import { keyRows, needText, othersLine, wholeRows } from '../../src/cli/answer-text.ts';
import { lastAnswerText } from '../../src/cli/last-answer.ts';
import { paintsFor } from '../../src/cli/paint.ts';
import type { AttentionView } from '../../src/wire/attention.ts';
import { need, now } from './need.ts';

const plain = paintsFor({ env: {} });

const keys = (one: AttentionView) => choicesFor(one).map(({ key, label }) => `${key} ${label}`);
const { request_id: _, ...unasked } = need();
const suggestions = ['worker: Bash(npm test *) is allowed for Bruno', 'edits: file edits in /shop are accepted'];
const always = need({ suggestions: ['session: Bash(npm test *) is allowed', ...suggestions] });

it.each([
  ['a permission', always, ['y allow', ...suggestions.map((line, at) => `${'ae'[at]} ${line}`), 'n deny']],
  ['a permission that nothing remembers', need(), ['y allow', 'n deny']],
  ['a plan', need({ waiting_for: 'plan_approval' }), ['y allow', 'n deny']],
  [
    'a question with choices',
    need({ waiting_for: 'question', options: ['Red', 'Blue'] }),
    ['1 Red', '2 Blue', 't type an answer'],
  ],
  [
    'a dialog on the screen',
    { ...unasked, waiting_for: 'trust' as const, options: ['Yes', 'No'], answer_with: ['answer_worker {}'] },
    ['1 Yes', '2 No'],
  ],
  [
    'a dialog that no call answers',
    { ...unasked, waiting_for: 'trust' as const, options: ['Yes', 'No'], answer_with: ['crewmux attach Bruno'] },
    [],
  ],
  ['a limit', { ...unasked, waiting_for: 'limit' as const }, []],
  ['a death', { ...unasked, waiting_for: 'dead' as const }, ['r restart']],
])('%s has its keys, and then the last answer, pane, skip and quit', (_title, one, own) => {
  expect(keys(one)).toEqual([...own, 'u the last answer', 'o open its pane', 's skip', 'q quit']);
});

it('a key makes the call of the tool, with the request it is about', () => {
  const does = choicesFor(always).find(({ key }) => key === 'a')?.does;
  expect(does?.is === 'call' && does.args(['Bruno'])).toEqual({
    session_id: '0000000b',
    request_id: '0000000r',
    decision: 'allow',
    remember: 'worker',
  });
  const no = choicesFor(need()).find(({ key }) => key === 'n')?.does;
  expect(no?.is === 'ask' && no.args('')?.([])).not.toHaveProperty('message');
});

it('shows the command that is asked for, and no character that a terminal obeys', () => {
  const command = 'echo \u001b]52;c;x\u0007\nls';
  const one = need({ title: 'Bruno wants to run: echo ]52;c;x ls', detail: `${command}\nthe rule ask: Bash` });
  expect(needText(one, { now, width: 80, paints: plain, most: 9 })).toBe(
    '! Bruno wants to run: echo ]52;c;x ls (41 s)\n    echo ]52;c;x\n    ls\n    the rule ask: Bash',
  );
});

it('shows a change as a diff with its rule, and says how many rows have no room', () => {
  const drawing = { now, width: 80, paints: { ...plain, good: (text: string) => `<${text}>` }, most: 4 };
  const one = need({ title: 'Bruno wants to write a', detail: 'cut', rule: 'the rule ask: Edit' });
  const rows = wholeRows({ change: `@@ -1 +1 @@\n-old\n+${'new '.repeat(30)}` }, drawing);
  expect(
    needText(one, drawing, rows)
      .split('\n')
      .map((row) => row.trim()),
  ).toEqual([
    '! Bruno wants to write a (41 s)',
    '@@ -1 +1 @@',
    '-old',
    expect.stringMatching(/^<\+new .*>$/),
    expect.stringMatching(/^< ?new .*>$/),
    'the rule ask: Edit',
  ]);
  expect(needText(one, { ...drawing, most: 2 }, rows)).toContain('@@ -1 +1 @@\n    … 3 more rows\n');
  expect(wholeRows({ plan: 'First\u0007 this\nthen that\n' }, drawing)).toEqual(['First this', 'then that']);
});

it('as lines it is whole in any length, without signs, and has a line for each key', () => {
  const most = Number.POSITIVE_INFINITY;
  const drawing = { now, width: most, paints: plain, most, isPlain: true } as const;
  const long = 'word '.repeat(200).trim();
  const rows = wholeRows({ plan: long }, drawing);
  const one = need({ waiting_for: 'plan_approval', title: 'Bruno has a plan' });
  expect(needText(one, drawing, rows)).toBe(`Bruno has a plan (41 s)\n    ${long}\n    the rule ask: Bash`);
  const asked = need({ waiting_for: 'question', options: ['Red', 'Blue'] });
  expect(keyRows(choicesFor(asked), drawing).split('\n')).toEqual([
    ...['t: type an answer', 'u: the last answer', 'o: open its pane', 's: skip', 'q: quit', 'Which key? '],
  ]);
});

it.each([
  [['bo'], '1 more waits: bo'],
  [['bo', 'cleo'], '2 more wait: bo, cleo'],
  [['bo', 'cleo', 'bo'], '3 more wait: bo, cleo'],
])('of %j says who else waits', (names, line) => {
  expect(othersLine(names.map((name) => ({ name })))).toBe(line);
});

const answered = (data: Readonly<Record<string, unknown>>) => ({
  seq: 1,
  ts: new Date(now - 60_000).toISOString(),
  type: 'worker_answered',
  worker_id: '0000000b',
  name: 'Bruno',
  data,
});
it.each([
  [
    { by: 'person', decision: 'deny', tool: 'Bash' },
    'Bruno wants to run: ls',
    'Bruno wants to run: ls: deny, by a person with crewmux',
  ],
  [{ by: 'pane', decision: 'allow', tool: 'Bash' }, undefined, 'Bruno asked: Bash: allow, by a person in its pane'],
  [
    { by: 'manager', via: 'screen', option: 'Yes', waiting_for: 'trust' },
    undefined,
    'Bruno asked: trust: Yes, with crewmux',
  ],
])('tells the last answer of %j', (data, title, words) => {
  const whole = title === undefined ? undefined : { title };
  expect(lastAnswerText(answered(data), whole, now)).toBe(
    `Last answered: ${words}, 1 min ago. It cannot be taken back.`,
  );
  expect(lastAnswerText(undefined, undefined, now)).toBe('Nothing was answered within the last week.');
});

it('lists each option of a question once, with its number and what it means', () => {
  const detail = 'Which colour?\n- Red: Pick Red, as on the old page\n- Blue';
  const one = need({ waiting_for: 'question', title: 'Bruno asks', detail, options: ['Red', 'Blue', 'Red: Pick'] });
  expect(needText(one, { now, width: 28, paints: plain, most: 9 })).toMatchInlineSnapshot(`
    "! Bruno asks (41 s)
        Which colour?
        1  Red: Pick Red, as on 
           the old page
        2  Blue
        3  Red: Pick"
  `);
});
