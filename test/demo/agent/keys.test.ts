import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Key, readKeys } from '../../../src/demo/agent/keys.ts';

const shown = (keys: readonly Key[]) =>
  keys.map((key) => (key.kind === 'key' ? `<${key.name}>` : `${key.kind}:${key.text}`));

describe('bytes of the terminal', () => {
  it.each([
    ['letters', 'abc', ['text:abc']],
    ['letters and Enter', 'abc\r', ['text:abc', '<enter>']],
    ['a line feed', 'a\nb', ['text:a', '<newline>', 'text:b']],
    ['an arrow', '\u001b[A', ['<up>']],
    ['Home, Delete and End as tmux sends them', '\u001b[1~\u001b[3~\u001b[4~', ['<home>', '<delete>', '<end>']],
    ['a paste, whatever is in it', '\u001b[200~a\r\u001b[A\u0003b\u001b[201~c', ['paste:a\r\u001b[A\u0003b', 'text:c']],
    ['C-c, C-d, C-u, backspace', '\u0003\u0004\u0015\u007f', ['<ctrl-c>', '<ctrl-d>', '<ctrl-u>', '<backspace>']],
    ['Alt with a letter, which is neither', '\u001bbx', ['text:x']],
    ['a sequence it does not know', '\u001b[17~x', ['text:x']],
  ])('%s', (_, bytes, expected) => {
    expect(readKeys(bytes)).toEqual({ keys: expect.anything(), rest: '' });
    expect(shown(readKeys(bytes).keys)).toEqual(expected);
  });

  it.each([
    ['a lone Escape', '\u001b'],
    ['the start of a sequence', '\u001b['],
    ['a paste that has not ended', '\u001b[200~half'],
  ])('%s waits for what comes next', (_, bytes) => {
    expect(readKeys(`x${bytes}`)).toEqual({ keys: [{ kind: 'text', text: 'x' }], rest: bytes });
  });

  it('mean the same however they are cut', () => {
    const stream = 'ab\u001b[A\u001b[200~one\rtwo\u001b[201~\r\u001b[3~é🚀\u0003';
    const whole = shown(readKeys(stream).keys).join('');
    fc.assert(
      fc.property(fc.array(fc.nat(stream.length), { maxLength: 5 }), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), stream.length];
        const pieces = at.slice(1).map((end, i) => stream.slice(at[i], end));
        let rest = '';
        const keys: Key[] = [];
        for (const piece of pieces) {
          const read = readKeys(rest + piece);
          keys.push(...read.keys);
          rest = read.rest;
        }
        expect(rest).toBe('');
        expect(shown(joined(keys)).join('')).toBe(whole);
      }),
    );
  });
});

function joined(keys: readonly Key[]): readonly Key[] {
  const all: Key[] = [];
  for (const key of keys) {
    const last = all.at(-1);
    if (key.kind === 'text' && last?.kind === 'text') all.splice(-1, 1, { kind: 'text', text: last.text + key.text });
    else all.push(key);
  }
  return all;
}
