import { expect, it } from 'vitest';
import { isWorkerId, newWorkerId } from '../../src/model/ids.ts';

it('ids of workers stay in their order as keys, and none reads as a number', () => {
  const ids = Array.from({ length: 2_000 }, newWorkerId);
  expect(Object.keys(Object.fromEntries(ids.map((id) => [id, true])))).toEqual([...new Set(ids)]);
  expect(ids.filter((id) => !isWorkerId(id) || !Number.isNaN(Number(id)))).toEqual([]);
});
