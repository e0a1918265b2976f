import { expect, it } from 'vitest';
import { projectLines } from '../../../src/work/verbs/projects.ts';
import { bookOf, job, loopOf, plan, task } from '../parts.ts';

const shop = { crew: 'shop', path: '/shop', workers: { idle: 1, waiting: 1 }, needs: ['ada: permission'] };
const over = bookOf([task({ state: 'done' })], [plan([], { state: 'completed' })]);
const open = bookOf(
  [job({ id: 'a' }), task({ id: 'b' }), task({ id: 'c', state: 'done' })],
  [plan(['a'], { name: 'cart', mode: 'copilot', state: 'proposed' })],
);
const stands = { ...over, loops: new Map([['l', loopOf({ state: 'paused', reason: 'it landed nothing' })]]) };
const asked = 'plan cart: the plan cart runs in copilot mode';

it.each([
  { title: 'a project whose work is over is none', crews: [], books: [['shop', over]], lines: [] },
  {
    title: 'workers without work are a line',
    crews: [shop],
    books: [['shop', over]],
    lines: [{ path: '/shop', workers: shop.workers, tasks: 0, plans: 0, needs: ['ada: permission'] }],
  },
  {
    title: 'open work without a worker is one, with the folder that its plan names',
    crews: [],
    books: [['p', open]],
    lines: [{ path: '/p', workers: {}, tasks: 1, plans: 1, needs: [expect.stringContaining(asked)] }],
  },
  {
    title: 'a loop that is paused is one, since it needs somebody',
    crews: [],
    books: [['p', stands]],
    lines: [{ path: '/p', workers: {}, tasks: 0, plans: 0, needs: ['loop l: it landed nothing'] }],
  },
  {
    title: 'workers and work of one crew share a line, and lines go by their paths',
    crews: [shop],
    books: [
      ['shop', open],
      ['p', open],
    ],
    lines: [
      { path: '/p', tasks: 1 },
      { path: '/shop', workers: shop.workers, plans: 1, needs: ['ada: permission', expect.stringContaining(asked)] },
    ],
  },
] as const)('$title', ({ crews, books, lines }) => {
  const found = projectLines(
    crews,
    books.map(([crew, book]) => [crew, book]),
  );
  expect(found).toHaveLength(lines.length);
  expect(found).toMatchObject(lines);
});
