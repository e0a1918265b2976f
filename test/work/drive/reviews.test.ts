import { expect, it } from 'vitest';
import { leftOut, leftOutWords, reviewRules, tellAuthor } from '../../../src/work/drive/reviews.ts';
import { stepOf, task, work, worker } from '../parts.ts';

const review = task({ kind: 'review', from: { id: 'a', name: 'bea' }, afterFrom: true });

it.each([
  [0, ''],
  [1, 'bea has 1 file that is in no commit. You see the commit alone: say so in your report.'],
  [2, 'bea has 2 files that are in no commit. You see the commit alone: say so in your report.'],
])('with %i files of its author in no commit the reviewer is told %j', (files, words) => {
  expect(leftOutWords('bea', files)).toBe(words);
});

it('only a review has rules of its own, and looks at what its author left', async () => {
  const branchOf = async () => ({ commits: [], behind: 0, dirtyFiles: 1 });
  expect([reviewRules(review), reviewRules(task())]).toEqual([{ preset: 'review' }, {}]);
  expect(await leftOut({ branchOf }, review)).toContain('bea has 1 file');
  expect(await leftOut({ branchOf }, task())).toBe('');
  expect(await leftOut({ branchOf: () => Promise.reject(new Error('gone')) }, review)).toBe('');
});

it.each([
  ['working', undefined],
  ['waiting', undefined],
  ['idle', 'note'],
  ['dead', 'note'],
  ['closed', 'note'],
] as const)('while its author is %s the step of a review is %s', (status, step) => {
  const author = work({ id: 'a', name: 'bea', status, isIdle: status === 'idle' });
  expect(stepOf(review, { works: [author] })?.do).toBe(step);
});

it('its author hears of a review that ended well, under one id, and of nothing else', async () => {
  const told: unknown[] = [];
  const crew = { passReport: async (order: unknown) => void told.push(order) };
  const ended = { ...review, worker, round: 2 };
  await tellAuthor(crew, task({ ...ended, state: 'failed' }));
  await tellAuthor(crew, { ...task({ state: 'done' }), worker });
  await tellAuthor(crew, task({ ...ended, state: 'done' }));
  expect(told).toEqual([{ worker: 'w', to: 'a', id: 't-2', about: 't' }]);
});
