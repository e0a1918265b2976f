import { expect, it } from 'vitest';
import { begunBy } from '../../src/cli/jobs-begun.ts';

const known = [
  { id: 'aa11', name: 'cart' },
  { id: 'aa22', name: 'cart-2' },
  { id: 'bb33', name: 'Shop' },
];

it.each([
  ['cart', 'aa11'],
  ['aa11', 'aa11'],
  ['cart-', 'aa22'],
  ['sho', 'bb33'],
  ['b', 'bb33'],
  ['zz', 'zz'],
  ['', ''],
])('%j is %j', (ref, meant) => {
  expect(begunBy(ref, known)).toBe(meant);
});

it('a beginning that several have names them', () => {
  expect(() => begunBy('aa', known)).toThrow('"aa" means several: aa11 (cart), aa22 (cart-2).');
});

it('a slip names the one that is near', () => {
  expect(() => begunBy('shpo', known)).toThrow('No plan or task is called "shpo". Did you mean Shop?');
});
