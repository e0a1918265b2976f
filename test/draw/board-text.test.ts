import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type BoardFacts, type BoardScreen, type BoardWorker, boardText } from '../../src/draw/board-text.ts';
import { columnsIn } from '../../src/draw/terminal-text.ts';
import { statuses } from '../../src/model/worker.ts';

const worker = (change: Partial<BoardWorker> = {}): BoardWorker => ({
  name: 'ada',
  colour: 'colour39',
  status: 'idle',
  state: 'idle',
  since: '14:00:00',
  detail: 'fix login · ada-1',
  needsSomebody: false,
  ...change,
});
const asks = (name: string) => ({
  title: `${name} asks permission for Bash`,
  detail: `npm test -- ${name}\nno rule decides it\nnor this line`,
  way: 'C-b 1',
});
const crewOf = (count: number, change: Partial<BoardWorker> = {}) =>
  Array.from({ length: count }, (_, at) => worker({ name: `worker-${at + 1}`, ...change }));
const usual = { crew: 'crew-project', columns: 80, rows: 23, guide: 'The keys lead there.', foot: 'drawn 14:02:11' };
const bare = (text: string) => text.replace(/\u001b\[[\d;]*m/g, '');
const draw = (board: Partial<BoardFacts & BoardScreen>) =>
  bare(boardText({ ...usual, needs: [], workers: [], ...board }));

it('who needs somebody comes first, with what is asked and the keys that lead there; then everybody in a row', () => {
  const workers = [
    worker({ status: 'waiting', state: 'waiting: permission', needsSomebody: true }),
    worker({ name: 'bruno', status: 'working', state: 'working', detail: '' }),
    worker({ name: 'a name that is much too long', status: 'dead', state: 'dead' }),
  ];
  expect(draw({ needs: [asks('ada')], workers })).toMatchInlineSnapshot(`
    " crewmux · crew-project · 1 working, 1 waiting, 1 dead

     ! ada asks permission for Bash · C-b 1
         npm test -- ada
         no rule decides it …
       The keys lead there.

       WORKER             STATE                  SINCE
     ! ada                waiting: permission    14:00:00 fix login · ada-1
       bruno              working                14:00:00
     ! a name that is mu… dead                   14:00:00 fix login · ada-1

       drawn 14:02:11"
  `);
});

it('six requests of a crew of eight leave the whole table in sight at 80x24', () => {
  const workers = crewOf(8, { status: 'waiting', state: 'waiting: permission' });
  const needs = workers.slice(0, 6).map(({ name }) => asks(name));
  expect(draw({ needs, workers })).toMatchInlineSnapshot(`
    " crewmux · crew-project · 8 waiting

     ! worker-1 asks permission for Bash · C-b 1 · npm test -- worker-1 no rule dec…
     ! worker-2 asks permission for Bash · C-b 1 · npm test -- worker-2 no rule dec…
     ! worker-3 asks permission for Bash · C-b 1 · npm test -- worker-3 no rule dec…
     ! worker-4 asks permission for Bash · C-b 1 · npm test -- worker-4 no rule dec…
     ! worker-5 asks permission for Bash · C-b 1 · npm test -- worker-5 no rule dec…
     ! worker-6 asks permission for Bash · C-b 1 · npm test -- worker-6 no rule dec…
       The keys lead there.

       WORKER             STATE                  SINCE
     ! worker-1           waiting: permission    14:00:00 fix login · ada-1
     ! worker-2           waiting: permission    14:00:00 fix login · ada-1
     ! worker-3           waiting: permission    14:00:00 fix login · ada-1
     ! worker-4           waiting: permission    14:00:00 fix login · ada-1
     ! worker-5           waiting: permission    14:00:00 fix login · ada-1
     ! worker-6           waiting: permission    14:00:00 fix login · ada-1
     ! worker-7           waiting: permission    14:00:00 fix login · ada-1
     ! worker-8           waiting: permission    14:00:00 fix login · ada-1

       drawn 14:02:11"
  `);
});

it('of sixteen workers beside six requests as many are shown as fit, and the rest is counted', () => {
  const workers = [...crewOf(12), ...crewOf(4, { status: 'working' })];
  const text = draw({ needs: workers.slice(0, 6).map(({ name }) => asks(name)), workers });
  expect(text).toMatch(/^ {3}and 4 more: 4 working$/m);
  expect(text.match(/asks permission/g)).toHaveLength(6);
  expect(draw({ workers, needs: Array(30).fill(asks('ada')) })).toContain(' and 22 more who need somebody');
});

it('those who need somebody are the first of the table and the last to be left out; else the order is that of the crew', () => {
  const workers = [...crewOf(3), ...['x', 'y'].map((name) => worker({ name, status: 'waiting', needsSomebody: true }))];
  const names = (rows: number) =>
    draw({ workers, rows })
      .match(/(?<=^(?: {3}| ! ))\S+(?=.* 14:00:00)|and \d more.*/gm)
      ?.join(' ');
  expect(names(7)).toBe('x y worker-1 and 2 more: 2 idle');
  expect(names(30)).toBe('x y worker-1 worker-2 worker-3');
});

it('a request has three lines at most where there is room for more, and says where it is cut', () => {
  const text = draw({ needs: [{ ...asks('ada'), detail: 'line\n'.repeat(500) }], workers: crewOf(2), rows: 90 });
  expect(text.match(/^ {5}line/gm)).toHaveLength(2);
  expect(text).toContain('     line …\n');
});

it('tasks and plans stand between who needs somebody and the workers', () => {
  const jobs = ['plan cart · running · 1 of 3 landed', 'task 7f3a  fix\nlogin \u001b[2J· working'];
  expect(draw({ needs: [asks('ada')], jobs, workers: [worker({ needsSomebody: true })] })).toMatchInlineSnapshot(`
    " crewmux · crew-project · 1 idle

     ! ada asks permission for Bash · C-b 1
         npm test -- ada
         no rule decides it …
       The keys lead there.

       plan cart · running · 1 of 3 landed
       task 7f3a fix login [2J· working

       WORKER             STATE                  SINCE
     ! ada                idle                   14:00:00 fix login · ada-1

       drawn 14:02:11"
  `);
});

it.each([
  ['all of them beside all workers', { rows: 17, jobs: 5, workers: 9 }, [5, 9]],
  ['a third of the rows, where workers want the rest', { rows: 15, jobs: 8, workers: 30 }, [4, 8]],
  ['what the workers leave', { rows: 15, jobs: 30, workers: 2 }, [10, 2]],
  ['none, and no word for them, where there is room for two workers', { rows: 5, jobs: 3, workers: 2 }, [0, 2]],
])('of tasks and plans a board shows %s', (_, { rows, jobs, workers }, shown) => {
  const lines = Array.from({ length: jobs }, (__, at) => `task ${at}`);
  const text = draw({ rows, jobs: lines, workers: crewOf(workers) });
  const count = (what: RegExp) => text.match(what)?.length ?? 0;
  const both = [count(/^ {3}(task \d|and \d+ more of tasks)/gm), count(/^ {3}(worker-|and \d+ more: )/gm)];
  expect(both).toEqual(shown);
});

it.each([
  ['colour4', '\u001b[1;34mada'],
  ['colour12', '\u001b[1;94mada'],
  ['colour39', '\u001b[1mada'],
])('the name of a worker in %s is drawn in the terminal’s own 16 colours', (colour, drawn) => {
  expect(boardText({ ...usual, needs: [], workers: [worker({ colour })] })).toContain(drawn);
});

it('a crew without anybody says so', () => {
  expect(draw({})).toContain('crew-project · nobody');
});

const words = fc.string({ unit: fc.constantFrom('a', ' ', '世', '😀', '\u0301', '\n', 'word ') });

it('is never wider or higher than the screen; the table is always there, and every request is named or counted', () => {
  const someNeeds = fc.array(fc.record({ title: words, detail: words, way: words }), { maxLength: 40 });
  const someWorkers = fc.array(
    fc.record({ name: words, state: words, detail: words, status: fc.constantFrom(...statuses) }),
    { minLength: 1, maxLength: 70 },
  );
  const lines = fc.array(words, { maxLength: 40 });
  const screen = fc.record({ columns: fc.integer({ min: 40, max: 250 }), rows: fc.integer({ min: 8, max: 120 }) });
  fc.assert(
    fc.property(someNeeds, someWorkers, lines, screen, (asked, some, jobs, size) => {
      const needs = asked.map((need, at) => ({ ...need, title: `need-${at} ${need.title}` }));
      const workers = some.map((change, at) => worker({ ...change, name: `w-${at} ${change.name}` }));
      const lines = draw({ needs, jobs, workers, ...size }).split('\n');
      expect(lines.length).toBeLessThanOrEqual(size.rows);
      expect(Math.max(...lines.map(columnsIn))).toBeLessThanOrEqual(size.columns);
      const count = (what: RegExp) => lines.filter((line) => what.test(line)).length;
      const more = (what: RegExp) => Number(lines.map((line) => what.exec(line)?.[1]).find(Boolean) ?? 0);
      expect(lines).toContainEqual(expect.stringMatching(/^ {3}WORKER +STATE/));
      expect(count(/^( ! | {3})w-\d/) + more(/^ {3}and (\d+) more: /)).toBe(workers.length);
      expect(count(/^ ! need-\d/) + more(/^ and (\d+) more who/)).toBe(needs.length);
    }),
  );
});

it('no text from outside can move the cursor, colour the screen or ring', () => {
  const nasty = fc.string({
    unit: fc.constantFrom('\u001b', '[31m', '\u0007', '\r', '\u009b', '\u202e', '\n', 'a', '世'),
  });
  fc.assert(
    fc.property(nasty, (text) => {
      const drawn = draw({
        crew: text,
        needs: [{ title: text, detail: text, way: text }],
        workers: [worker({ name: text, detail: text, state: text })],
        guide: 'one line',
        foot: text,
      });
      expect(drawn).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    }),
  );
});

it('a way is whole: beside the title, in a row of its own, or not there; and each cut has a sign', () => {
  const need = { ...asks('ada'), way: 'crewmux attach ada-with-a-name' };
  const rowsAt = (columns: number, rows: number) => draw({ needs: [need], columns, rows, guide: '' }).split('\n');
  expect(rowsAt(80, 20)[2]).toBe(' ! ada asks permission for Bash · crewmux attach ada-with-a-name');
  expect(rowsAt(40, 20).slice(2, 4)).toEqual([
    ' ! ada asks permission for Bash',
    '     crewmux attach ada-with-a-name',
  ]);
  expect(rowsAt(30, 20)[2]).toBe(' ! ada asks permission for … …');
  expect(rowsAt(30, 20).join('\n')).not.toContain('crewmux attach');
  expect(rowsAt(14, 20)[0]).toBe(' crewmux · cr…');
});

it('a guide that has no room in one row keeps its commands in one piece', () => {
  const guide = 'Use that command, or `crewmux answer`; it helps.';
  expect(draw({ needs: [asks('ada')], columns: 36, guide })).toContain(
    '   Use that command, or\n   `crewmux answer`; it helps.',
  );
});
