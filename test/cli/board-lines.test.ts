import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type BoardState, typed, withNews } from '../../src/cli/board-keys.ts';
import { boardScreen, plainBoard } from '../../src/cli/board-lines.ts';
import type { CrewRow } from '../../src/draw/board-text.ts';
import { columnsIn } from '../../src/draw/terminal-text.ts';
import { asking, newsFrom, plan, row, stateOf } from './board-rows.ts';

const bare = (text: string) => text.replace(/\u001b\[[\d;]*m/g, '');
const draw = (state: BoardState, columns = 80, rows = 24) => boardScreen(state, { columns, rows, now: 200_000 });
const shown = (...from: Parameters<typeof draw>) =>
  bare(draw(...from))
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');

const ada = asking('ada', {
  label: 'cart',
  at: 20_000,
  turnAt: 2_000,
  branch: 'crewmux/ada-cart',
  words: 'I run the tests.',
});
const bo: CrewRow = row('bo', {
  ...{ status: 'working', state: 'working 40%', doing: 'runs npm test', at: 150_000, turnAt: 140_000 },
  ...{ branch: 'crewmux/bo-a-very-long-name-of-a-branch', conflictsWith: ['cleo'] },
  ...{ tokens: '12.3k', contextLeft: '83%', model: 'opus', words: 'Two tests fail;\nI look at the first.' },
});
const cleo = row('cleo', { label: 'docs', words: 'Done.' });
const waiting = plan({
  checkpoint: { planId: 'p1', at: 'start', why: 'Is this the plan?', calls: ['approve_plan {"plan_id": "p1"}'] },
});

it('at 80 columns: name, state with age, what it needs and its label; a plan with its question and keys', () => {
  expect(shown(stateOf([cleo, bo, ada], [waiting]), 80, 9)).toMatchInlineSnapshot(`
    " crewmux · crew-project · 1 idle, 1 working, 1 waiting
    >! plan shop: running, 4 of 6 landed, 1 running, 1 queued
         start: Is this the plan?
         1 plan approve p1
       WORKER           STATE                      WHAT
     ! ada              waiting: permission  3 min wants to run: npm test · cart
       cleo             idle                 3 min docs
       bo               working 40%           50 s runs npm test
     ? help · 1 decide · Enter show it · a answer · / filter · q quit"
  `);
  expect(shown(stateOf([cleo, bo, ada]), 80, 12)).toMatchInlineSnapshot(`
    " crewmux · crew-project · 1 idle, 1 working, 1 waiting
       WORKER           STATE                      WHAT
    >! ada              waiting: permission  3 min wants to run: npm test · cart
       cleo             idle                 3 min docs
       bo               working 40%           50 s runs npm test

     ! ada wants to run: npm test · crewmux attach ada
         npm test …



     ? help · Enter attach · a answer · m message · l log · d diff · / filter · g l…"
  `);
});

it('at 120 columns also branch with whom it conflicts, turn and last words; at 160 tokens, context left and model', () => {
  expect(shown(stateOf([bo, cleo]), 120, 5)).toMatchInlineSnapshot(`
    " crewmux · crew-project · 1 idle, 1 working
       WORKER           STATE                      BRANCH                   TURN   WHAT
    >  bo               working 40%           50 s crewmux/bo-a-very… !cleo 1 min  runs npm test · Two tests fail; I look a…
       cleo             idle                 3 min                                 docs · Done.
     ? help · Enter attach · a answer · m message · l log · d diff · / filter · g land · x close · q quit"
  `);
  expect(shown(stateOf([bo, cleo]), 160, 5)).toMatchInlineSnapshot(`
    " crewmux · crew-project · 1 idle, 1 working
       WORKER           STATE                      BRANCH                   TURN   TOKENS  LEFT MODEL            WHAT
    >  bo               working 40%           50 s crewmux/bo-a-very… !cleo 1 min  12.3k   83%  opus             runs npm test · Two tests fail; I look at the firs…
       cleo             idle                 3 min                                                               docs · Done.
     ? help · Enter attach · a answer · m message · l log · d diff · / filter · g land · x close · q quit"
  `);
});

it('at 40 columns: name, and state with age', () => {
  expect(shown(stateOf([bo, ada]), 40, 5)).toMatchInlineSnapshot(`
    " crewmux · crew-project · 1 working, 1 …
       WORKER       STATE               WHAT
    >! ada          waiting: pe…  3 min wan…
       bo           working 40%    50 s run…
     ? help · Enter attach · a answer · m m…"
  `);
});

it('a question stands in the foot, and a filter as it is typed', () => {
  const state = stateOf([ada, bo]);
  expect(shown(typed(state, 'x').state).split('\n').at(-1)).toBe(' y/n: Close ada for good? Its branch is kept.');
  expect(shown(typed(state, '/bo').state).split('\n').at(-1)).toBe(' /bo_   Enter keeps it · Esc shows all');
  expect(shown(typed(state, '/zz').state)).toContain('Nothing has these words.');
});

it('the foot of a filter that is kept says what shows all, and offers no key that does nothing', () => {
  const foot = (text: string) =>
    shown(typed(stateOf([ada, bo]), text).state)
      .split('\n')
      .at(-1);
  expect(foot('/bo\r')).toMatch(/^ \? help · Esc shows all · Enter attach · a answer /);
  expect(foot('/zz\r')).toBe(' ? help · Esc shows all · a answer · / filter · q quit');
  expect(shown(stateOf([])).split('\n').at(-1)).toBe(' ? help · a answer · / filter · q quit');
});

it('two hundred workers fit 40 columns, with the cursor in sight and its place', () => {
  const crew = Array.from({ length: 200 }, (_, at) => row(`worker-${at + 1}`));
  const state = typed(stateOf(crew), '\u001b[6~'.repeat(12)).state;
  const text = shown(state, 40, 15);
  expect(text).toMatch(/^> {2}worker-121 /m);
  expect(text).toContain(' 121 of 200 · ? help');
  expect(text.split('\n')).toHaveLength(15);
});

it('text of a worker moves no cursor, and its colours are those of the terminal', () => {
  const text = draw(stateOf([row('ada', { label: 'a\u001b[2Jb\nc', words: '\u0007' }), asking('bo')]));
  expect(text.match(/\u001b(?!\[(?:0|1|2|7|32|1;31)m)/g)).toBe(null);
});

it('as lines it has each worker and plan once, who needs somebody by a word, and no columns', () => {
  expect(plainBoard(newsFrom([ada, bo, cleo], [waiting], ['No crewmux is at work']), 200_000)).toMatchInlineSnapshot(`
    "1 idle, 1 working, 1 waiting
    needs you: plan shop: running, 4 of 6 landed, 1 running, 1 queued; start: Is this the plan?
    needs you: ada: waiting: permission for 3 min; wants to run: npm test; cart; I run the tests.; crewmux/ada-cart
    bo: working 40% for 50 s; runs npm test; Two tests fail; I look at the first.; crewmux/bo-a-very-long-name-of-a-branch
    cleo: idle for 3 min; docs; Done.
    No crewmux is at work
    "
  `);
});

const anyRow = fc.record({
  name: fc.string({ minLength: 1 }),
  label: fc.string({ unit: 'grapheme' }),
  words: fc.string(),
  asks: fc.boolean(),
});

it('no line is wider than the terminal, there are no more than rows, and the cursor is among them', () => {
  fc.assert(
    fc.property(
      fc.array(anyRow, { maxLength: 30 }),
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: 1, max: 50 }),
      fc.constantFrom('', '?', 'x', '/', 'jjjjjj', '/a\r'),
      (rows, columns, height, text) => {
        const crew = rows.map(({ name, asks, ...more }, at) => (asks ? asking : row)(name, { ...more, id: `${at}` }));
        const state = typed(withNews(stateOf([]), newsFrom(crew, [waiting])), text).state;
        const lines = bare(draw(state, columns, height)).split('\n');
        expect(lines.length).toBeLessThanOrEqual(height);
        for (const line of lines) expect(columnsIn(line)).toBeLessThanOrEqual(columns);
        if (columns > 3 && height >= 15 && state.mode.is === 'list' && state.filter === '')
          expect(lines.some((line) => line.startsWith('>'))).toBe(true);
      },
    ),
  );
});
