import { expect, it } from 'vitest';
import { counted } from '../../src/model/plural.ts';

it.each([
  [counted(0, 'file'), '0 files'],
  [counted(1, 'file'), '1 file'],
  [counted(2, 'file'), '2 files'],
  [counted(1, 'process', 'processes'), '1 process'],
  [counted(2, 'process', 'processes'), '2 processes'],
])('a count has its noun in the number that fits: %s', (words, expected) => {
  expect(words).toBe(expected);
});
