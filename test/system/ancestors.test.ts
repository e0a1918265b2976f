import { expect, it } from 'vitest';
import { ancestorsOf } from '../../src/system/ancestors.ts';

const row = (pid: number, parent: number) => ({ pid, parent, leader: 0, isZombie: false, start: String(pid) });

it.each([
  ['each in turn, the nearest first', [row(9, 7), row(7, 4), row(4, 1), row(1, 0)], [7, 4]],
  ['none where its row is gone', [row(7, 4), row(4, 1)], []],
  ['as far as they are known', [row(9, 7), row(7, 4)], [7]],
  ['each once where rows of two moments make a circle', [row(9, 7), row(7, 4), row(4, 7)], [7, 4]],
])('the ancestors of a process are %s', (_, rows, pids) => {
  expect(ancestorsOf(9, rows).map(({ pid }) => pid)).toEqual(pids);
});
