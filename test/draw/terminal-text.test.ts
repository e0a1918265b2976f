import { expect, it } from 'vitest';
import { plain, plainJson } from '../../src/model/plain-text.ts';

const obeyed = ['\u0007', '\u001b', '\u007f', '\u009b', '\u061c', '\u200e', '\u202e', '\u2066', '\u{e0041}'];

it('no character that a terminal obeys is printed, in text or in JSON, and JSON says the same value', () => {
  const value = { title: `a${obeyed.join('b')}\nc ü 漢`, [`k${obeyed.join('')}`]: [1] };
  const json = plainJson(value);
  for (const char of obeyed) {
    expect(json).not.toContain(char);
    expect(plain(value.title)).not.toContain(char);
  }
  expect(json).toContain('\\u202e');
  expect(json).toContain('ü 漢');
  expect(JSON.parse(json)).toEqual(value);
});
