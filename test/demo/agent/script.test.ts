import { describe, expect, it } from 'vitest';
import { echoOf, parseScript, secondsIn, unescaped } from '../../../src/demo/agent/script.ts';

const words = (text: string) => parseScript(text).map(({ word, rest }) => `${word}:${rest}`);

describe('a script', () => {
  it.each([
    ['one directive', 'SAY hello', ['SAY:hello']],
    [
      'several, between prose',
      'Please do.\nWRITE a.txt some text\nThanks!\n  BASH ls -l',
      ['WRITE:a.txt some text', 'BASH:ls -l'],
    ],
    ['a colon behind the word', 'SAY: hello', ['SAY:hello']],
    ['prose alone', 'Say hello to SAYING', []],
    ['only what is marked', 'SAY not this\n#!script\nSAY this\n#!end\nSAY nor this', ['SAY:this']],
    ['to the end, where no end is marked', 'x\n#!script\nSAY this\nHANG', ['SAY:this', 'HANG:']],
  ])('is read from %s', (_, text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  it('knows which directives call a tool', () => {
    expect(parseScript('SAY a\nBASH b\nASK c|d').map(({ isTool }) => isTool)).toEqual([false, true, true]);
  });

  it('counts seconds, one where none are told', () => {
    expect([secondsIn('2.5'), secondsIn(''), secondsIn('soon'), secondsIn('0')]).toEqual([2.5, 1, 1, 0]);
  });

  it('holds line feeds in one line', () => {
    expect(unescaped('a\\nb')).toBe('a\nb');
  });

  it('is answered with the start of the prompt where there is none', () => {
    expect(echoOf(`a\n${'b'.repeat(100)}`)).toBe(`Echo: a ${'b'.repeat(58)}`);
  });
});
