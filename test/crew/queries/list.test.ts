import { expect, test } from 'vitest';
import { openFirst } from '../../../src/crew/queries/list.ts';

test('what is open stands before what is closed, and the last closed before the first', () => {
  const records = [
    { name: 'old', phase: 'closed', endedAt: 1 },
    { name: 'ada', phase: 'live' },
    { name: 'new', phase: 'closed', endedAt: 2 },
    { name: 'ben', phase: 'dead', endedAt: 3 },
  ] as const;
  expect(openFirst(records).map(({ name }) => name)).toEqual(['ada', 'ben', 'new', 'old']);
});
