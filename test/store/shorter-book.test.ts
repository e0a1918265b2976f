import { expect, it } from 'vitest';
import type { Loop } from '../../src/model/loop.ts';
import type { Schedule } from '../../src/model/schedule.ts';
import { emptyBook, freshProgress, type Task } from '../../src/model/task.ts';
import { foldLines, lineOf } from '../../src/store/job-book.ts';
import { shorterBook } from '../../src/store/shorter-book.ts';
import { taskOf } from '../support/tasks.ts';

const day = 24 * 60 * 60 * 1000;
const now = 400 * day;
const evidence = { claimed: true, commits: ['a', 'b'], landedAt: 'c' };
const landed = { is: 'ended', how: 'landed', isSeenTo: false } as const;

const linesOf = (tasks: readonly Task[]) => [
  ...tasks.map((task) => lineOf({ tasks: [{ ...task, ...freshProgress, endedAt: null }] })),
  ...tasks.flatMap((task) =>
    Array.from({ length: 5 }, (_, round) => lineOf({ tasks: [{ id: task.id, round, lastWords: 'w'.repeat(500) }] })),
  ),
  ...tasks.map((task) => lineOf({ tasks: [task] })),
];
const tasks = Array.from({ length: 510 }, (_, index) =>
  taskOf({
    id: `t${index}`,
    prompt: 'p'.repeat(1_000),
    progress: landed,
    evidence,
    endedAt: index * 1_000,
    lastWords: 'w',
  }),
);
const failed = taskOf({
  ...{ id: 'failed', prompt: 'p'.repeat(1_000), endedAt: 1 },
  progress: { is: 'ended', how: 'failed', isSeenTo: false },
});

it('a book says the same in a line each, but for what ended long ago and cannot begin again', () => {
  const lines = linesOf([...tasks, failed]);
  const shorter = shorterBook(lines, now) ?? [];
  expect(shorter).toHaveLength(511);
  const [before, after] = [lines, shorter].map((all) => foldLines(emptyBook, all).tasks);
  expect([...(after?.keys() ?? [])]).toEqual([...(before?.keys() ?? [])]);
  for (const id of ['t10', 't509', 'failed']) expect(after?.get(id)).toEqual(before?.get(id));
  expect(after?.get('t9')).toMatchObject({
    prompt: `${'p'.repeat(200)}…`,
    evidence: { landedAt: 'c', commits: ['a'] },
  });
  expect(after?.get('t9')?.lastWords).toBeUndefined();
});

it('schedules, loops and a pause of the project stay, but for schedules that are removed', () => {
  const schedule: Schedule = {
    ...{ id: 's', crew: 'shop', project: '/p', cron: '0 3 * * *', timezone: 'UTC', enters: 'task', order: {} },
    ...{ isEnabled: true, isRemoved: false, at: 1, since: 1, missed: 0, failures: 0 },
  };
  const loop: Loop = {
    ...{ id: 'l', crew: 'shop', project: '/p', goal: 'Sell.', mode: 'autopilot', maxIterations: 10, base: 'main' },
    ...{ branch: 'crewmux/loop-l', state: 'paused', iteration: 1, plans: ['p'], failures: 0, isStopping: false, at: 1 },
  };
  const others = [
    lineOf({ loops: [loop] }),
    lineOf({ schedules: [schedule, { ...schedule, id: 'gone', isRemoved: true }] }),
    lineOf({ pausedAt: 7 }),
  ];
  const book = foldLines(emptyBook, shorterBook([...linesOf(tasks), ...others], now) ?? []);
  expect([...book.schedules.values()]).toEqual([schedule]);
  expect([...book.loops.values()]).toEqual([loop]);
  expect(book.pausedAt).toBe(7);
});

it.each([
  ['a line of a newer release', '{"v":4,"tasks":[]}'],
  ['half a line', '{"v":3,"tas'],
  ['a change of a task that it does not read', '{"v":3,"tasks":[{"id":"x","prompt":1}]}'],
])('a book with %s stays as it is', (_, line) => {
  expect(shorterBook([...linesOf(tasks), line], now)).toBeUndefined();
});

it('a short book stays as it is', () => {
  expect(shorterBook(linesOf(tasks.slice(0, 3)), now)).toBeUndefined();
});
