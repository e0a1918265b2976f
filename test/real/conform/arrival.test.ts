import { expect, test } from 'vitest';
import { arrivalOf, isFalse } from './arrival.ts';

const asked = (...texts: string[]) => ({ texts });

test('a text has arrived exactly when the model is asked that and nothing else that is new', () => {
  expect(arrivalOf('b', { known: ['a'], asked: [asked('a', 'b')] })).toBe('exactly');
  expect(arrivalOf('b', { known: ['a'], asked: [asked('a', 'bc')] })).toBe('enclosed');
  expect(arrivalOf('bcd', { known: ['a'], asked: [asked('a', 'bc')] })).toBe('changed');
  expect(arrivalOf('b', { known: ['a'], asked: [asked('a', 'b', 'and more')] })).toBe('changed');
  expect(arrivalOf('b', { known: ['a'], asked: [asked('a')] })).toBe('never');
});

test('the same words said before are no arrival, and said again they are one', () => {
  expect(arrivalOf('a', { known: ['a'], asked: [asked('a')] })).toBe('never');
  expect(arrivalOf('a', { known: ['a'], asked: [asked('a', 'a')] })).toBe('exactly');
  expect(arrivalOf('a', { known: ['a'], asked: [asked('a', 'a', 'a')] })).toBe('twice');
});

test('what arrives after the end of what ran is later', () => {
  expect(arrivalOf('b', { known: ['a'], asked: [asked('a', 'b')], hasWaited: true })).toBe('later');
  expect(arrivalOf('b', { known: ['a'], asked: [asked('a', 'bc')], hasWaited: true })).toBe('enclosed');
});

test('submitted is false of what never came, came changed or came twice; held is false of what came', () => {
  expect(isFalse({ verdict: 'submitted', fact: 'exactly' })).toBe(false);
  for (const fact of ['never', 'changed', 'twice', 'later'] as const)
    expect(isFalse({ verdict: 'submitted', fact })).toBe(true);
  expect(isFalse({ verdict: 'held', fact: 'exactly' })).toBe(true);
  expect(isFalse({ verdict: 'queued', fact: 'later' })).toBe(false);
  expect(isFalse({ verdict: 'queued', fact: 'never' })).toBe(true);
});
