import { expect, test } from 'vitest';
import { rarely } from '../../src/system/once.ts';

test('an answer counts for its key until it is too old', () => {
  let at = 0;
  let asked = 0;
  const answers = rarely<string>({ now: () => at }, 1_000);
  const answerTo = (key: string) => answers(key, () => `${key} ${++asked}`);
  expect([answerTo('a'), answerTo('b'), answerTo('a')]).toEqual(['a 1', 'b 2', 'a 1']);
  at = 999;
  expect(answerTo('a')).toBe('a 1');
  at = 1_000;
  expect([answerTo('a'), answerTo('a')]).toEqual(['a 3', 'a 3']);
});
