// The heads of `for` and `case`, whose words may run something and whose bodies are lists.
import { type Cursor, unclear } from './cursor.ts';
import type { ReadList } from './read-expansion.ts';
import { add, feed, type List, readList, readTail, startsWord } from './read-script.ts';
import { readWord } from './read-word.ts';
import { type Command, plainWord, type Word } from './script.ts';

const head = (words: readonly Word[], within: readonly Command[]): Command => ({
  source: words.map((word) => word.source).join(' '),
  assignments: [],
  words,
  redirects: [],
  given: [],
  feeders: [],
  within,
});

/** A name that steers no program and no shell. */
export const isQuietName = (name: string): boolean =>
  /^_?[a-z][a-z0-9_]*$/.test(name) &&
  !/^(path|fpath|cdpath|manpath|module_path|fignore|prompt|argv|aliases|functions|commands|builtins|options|parameters|.*_proxy|(npm|pnpm|yarn|bun|node|gyp)_.*)$/.test(
    name,
  );

export function readFor(cursor: Cursor, list: ReadList): Command {
  cursor.beginLoop();
  cursor.within = [];
  const found = cursor.taken(/(?:for|select)[ \t]+([A-Za-z_]\w*)[ \t]*/y);
  const [, name = ''] = found ?? unclear('a loop begins in a way that shells read differently');
  if (!isQuietName(name)) unclear(`a loop sets ${name}`);
  const words = [plainWord('for'), plainWord(name)];
  cursor.taken(/\s+/y);
  if (!startsWord(cursor, 'in')) {
    if (!/^(;|do\s)/.test(cursor.text.slice(cursor.at, cursor.at + 3)))
      unclear('a loop begins in a way that shells read differently');
    return head(words, cursor.within);
  }
  cursor.at += 'in'.length;
  for (;;) {
    cursor.taken(/(?:[ \t]|\\\n)+/y);
    if (cursor.isAtEnd || /[;\n]/.test(cursor.next)) return head(words, cursor.within);
    if (/[|&<>()]/.test(cursor.next)) unclear('a list of words holds a sign that does not belong there');
    words.push(readWord(cursor, list));
  }
}

export function readCase(cursor: Cursor, list: List): void {
  cursor.within = [];
  cursor.at += 'case'.length;
  cursor.taken(/[ \t]+/y);
  const word = readWord(cursor, readList);
  cursor.taken(/\s+/y);
  if (!startsWord(cursor, 'in')) unclear('a case has no "in"');
  cursor.at += 'in'.length;
  const pipe = [...list.pipe];
  add(cursor, list, head([plainWord('case'), word], cursor.within));
  list.pipe = pipe;
  for (;;) {
    cursor.taken(/(?:\s|\\\n|#[^\n]*|;;&?|;&)+/y);
    if (startsWord(cursor, 'esac')) break;
    if (cursor.isAtEnd) unclear('a case is left open');
    readPattern(cursor);
    const from = cursor.steps.length;
    cursor.inside(() => readList(cursor, ';;'));
    feed(cursor, list, from);
  }
  cursor.at += 'esac'.length;
  readTail(cursor, list, 'esac');
}

function readPattern(cursor: Cursor): void {
  cursor.passed('(');
  for (;;) {
    cursor.taken(/[ \t|]+/y);
    if (cursor.passed(')')) return;
    if (cursor.isAtEnd || /[\n;&<>(]/.test(cursor.next)) unclear('a case has a pattern that cannot be read');
    readWord(cursor, readList);
  }
}
