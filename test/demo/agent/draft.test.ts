import { describe, expect, it } from 'vitest';
import {
  cleared,
  continued,
  type Draft,
  draftOf,
  edited,
  emptyDraft,
  sentText,
} from '../../../src/demo/agent/draft.ts';
import { readKeys } from '../../../src/demo/agent/keys.ts';

const typed = (bytes: string, draft: Draft = emptyDraft) => readKeys(bytes).keys.reduce(edited, draft);
const pasted = (text: string) => `\u001b[200~${text}\u001b[201~`;

describe('a draft', () => {
  it.each([
    ['letters', 'abc', 'abc'],
    ['a line feed', 'a\nb', 'a\nb'],
    ['backspace over an emoji', 'a🚀\u007f', 'a'],
    ['Home and Delete', 'abc\u001b[1~\u001b[3~', 'bc'],
    ['an insertion', 'ac\u001b[Db', 'abc'],
    ['C-u, which ends at its line', 'one\ntwo\u0015x', 'one\nx'],
    ['End after Home', 'ab\u001b[H\u001b[Fc', 'abc'],
    ['a short paste', pasted('a\rb\rc'), 'a\nb\nc'],
    ['a tab in a paste', pasted('a\tb'), 'a    b'],
    ['a typed tab, which is dropped', 'a\tb', 'ab'],
    ['control characters in a paste', pasted('a\u0003\u001bb'), 'ab'],
  ])('takes %s', (_, bytes, expected) => {
    expect(sentText(typed(bytes))).toBe(expected);
  });

  it.each([
    ['three line feeds', 'a\nb\nc\nd', '[Pasted text #1 +3 lines]'],
    ['more than 800 characters', 'x'.repeat(801), '[Pasted text #1]'],
  ])('wraps up a paste of %s', (_, text, placeholder) => {
    const draft = typed(pasted(text));
    expect(draft.text).toBe(placeholder);
    expect(sentText(draft)).toMatch(/^<pasted_content id="(\w+)">\n[\s\S]*\n<\/pasted_content id="\1">$/);
    expect(sentText(draft)).toContain(text);
  });

  it('takes pastes of 800 characters and two line feeds as typed, one behind the other', () => {
    const part = `${'x'.repeat(398)}\n${'y'.repeat(399)}\n`;
    expect(sentText(typed(pasted(part) + pasted(part)))).toBe((part + part).trim());
  });

  it('goes to the shell when it begins with an exclamation mark, and stays there when it is cleared', () => {
    const draft = typed('!ls');
    expect(draft).toMatchObject({ isShell: true, text: 'ls' });
    expect(cleared(draft)).toMatchObject({ isShell: true, text: '' });
    expect(typed('\u007f', cleared(draft)).isShell).toBe(false);
  });

  it('keeps an exclamation mark that comes to stand first later', () => {
    expect(typed(`${pasted('x!')}\u001b[1~\u001b[3~\u001b[4~echo`)).toMatchObject({ isShell: false, text: '!echo' });
  });

  it('goes on behind a backslash before Enter', () => {
    expect(continued(draftOf('a\\'))?.text).toBe('a\n');
    expect(continued(draftOf('a\\ '))).toBeUndefined();
  });

  it('is sent composed and without outer blank', () => {
    expect(sentText(draftOf('  e\u0301 \n'))).toBe('é');
  });
});
