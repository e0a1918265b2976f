import { expect, it } from 'vitest';
import { timeOf } from '../../../src/crew/queries/changes.ts';

it.each([
  ['2030-01-31T12:00:00', '2030-01-31T12:00:00Z'],
  ['2030-01-31 12:00', '2030-01-31T12:00:00Z'],
  ['2030-01-31T12:00:00.5', '2030-01-31T12:00:00.500Z'],
  ['2030-01-31T12:00:00+02:00', '2030-01-31T10:00:00Z'],
  ['2030-01-31', '2030-01-31T00:00:00Z'],
])('%s is a time in UTC unless it says otherwise: %s', (text, utc) => {
  expect(timeOf(text)).toBe(Date.parse(utc));
});

it('a text that is no time is none', () => {
  expect(timeOf('yesterday')).toBeNaN();
});
