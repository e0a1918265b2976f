import { expect, it } from 'vitest';
import { timeOf } from '../../src/model/since.ts';

const now = Date.parse('2030-02-01T00:00:00Z');

it.each([
  ['2030-01-31T12:00:00', '2030-01-31T12:00:00Z'],
  ['2030-01-31 12:00', '2030-01-31T12:00:00Z'],
  ['2030-01-31T12:00:00.5', '2030-01-31T12:00:00.500Z'],
  ['2030-01-31T12:00:00+02:00', '2030-01-31T10:00:00Z'],
  ['2030-01-31', '2030-01-31T00:00:00Z'],
  ['90m', '2030-01-31T22:30:00Z'],
  ['12h', '2030-01-31T12:00:00Z'],
  ['1.5h', '2030-01-31T22:30:00Z'],
  ['2d', '2030-01-30T00:00:00Z'],
])('%s is a time in UTC unless it says otherwise, or so long ago: %s', (text, utc) => {
  expect(timeOf(text, now)).toBe(Date.parse(utc));
});

it.each(['yesterday', '12', '-3h', '12 hours', '3w', '2030-13-45', ''])('%j is no time', (text) => {
  expect(() => timeOf(text, now)).toThrow(`${JSON.stringify(text)} is not a time.`);
});
