// One simple command: assignments, words and redirections, in any order.
import { type Cursor, unclear } from './cursor.ts';
import { type ReadList, readSubstitution } from './read-expansion.ts';
import { readRedirect, redirection } from './read-redirect.ts';
import { readWord } from './read-word.ts';
import { type Assignment, type Command, type Given, literal, type Redirect, shownText, type Word } from './script.ts';

export interface Draft {
  readonly assignments: Assignment[];
  readonly words: Word[];
  readonly redirects: Redirect[];
  readonly given: Given[];
  hidden?: string;
}

/** Stops in front of what ends it. */
export function readCommand(cursor: Cursor, readList: ReadList): Command {
  cursor.within = [];
  const draft: Draft = { assignments: [], words: [], redirects: [], given: [] };
  for (;;) {
    cursor.taken(/(?:[ \t]|\\\n)+/y);
    if (cursor.isAtEnd || cursor.next === '#') break;
    if (!readPart(cursor, draft, readList)) break;
  }
  const source = draft.words.map((word) => word.source).join(' ');
  return { ...draft, source, feeders: [], within: cursor.within };
}

/** False where the command ends. */
function readPart(cursor: Cursor, draft: Draft, readList: ReadList): boolean {
  const start = cursor.at;
  if (/^[<>]\(/.test(cursor.text.slice(start, start + 2))) {
    draft.words.push(readProcess(cursor, readList));
    return true;
  }
  const found = cursor.taken(redirection);
  if (found !== undefined) {
    readRedirect(cursor, { draft, op: found[1] ?? found[0] }, readList);
    return true;
  }
  if (/[\n;&|()<>]/.test(cursor.next)) return false;
  if (draft.words.length === 0) {
    if (readAssignment(cursor, draft, readList)) return true;
    if (cursor.taken(/\[\[(?=\s)/y) !== undefined) {
      readTest(cursor, draft, readList);
      return true;
    }
  }
  const word = readWord(cursor, readList);
  if (cursor.at === start) unclear('it holds a sign that does not belong there');
  if (/[<>]/.test(cursor.next) && /^\d+$/.test(word.source)) unclear('a descriptor is too large');
  draft.words.push(word);
  return true;
}

/** `<(...)` as a word: the name of a file that holds what comes out. */
export function readProcess(cursor: Cursor, readList: ReadList): Word {
  const start = cursor.at;
  cursor.at += 2;
  readSubstitution(cursor, readList);
  const source = cursor.text.slice(start, cursor.at);
  if (!cursor.isAtEnd && !/[\s;&|<>()]/.test(cursor.next)) unclear('a word goes on behind a substitution');
  return { source, pieces: [{ is: 'unknown', source }] };
}

function readAssignment(cursor: Cursor, draft: Draft, readList: ReadList): boolean {
  const found = cursor.taken(/([A-Za-z_]\w*)(\[[^\]]*\])?\+?=/y);
  if (found === undefined) return false;
  const [, name = '', index] = found;
  if (index !== undefined) draft.hidden = 'it sets one of several values, and calculates which';
  if (cursor.passed('(')) {
    readValues(cursor, readList);
    draft.assignments.push({ name, value: { source: '(...)', pieces: [{ is: 'unknown', source: '(...)' }] } });
    return true;
  }
  const isEmpty = cursor.isAtEnd || /[\s;&|<>()]/.test(cursor.next);
  draft.assignments.push({ name, value: isEmpty ? { source: '', pieces: [] } : readWord(cursor, readList) });
  return true;
}

function readValues(cursor: Cursor, readList: ReadList): void {
  for (;;) {
    cursor.taken(/(?:\s|\\\n)+/y);
    if (cursor.passed(')')) return;
    if (cursor.isAtEnd || /[;&|<>(#[]/.test(cursor.next)) unclear('a list of values cannot be read');
    readWord(cursor, readList);
  }
}

/** `[[ ... ]]`, in which brackets and signs of comparison are words; its beginning has been passed. */
function readTest(cursor: Cursor, draft: Draft, readList: ReadList): void {
  const words: Word[] = [];
  for (;;) {
    cursor.taken(/(?:\s|\\\n)+/y);
    if (cursor.taken(/\]\](?=$|[\s;&|<>()])/y) !== undefined) break;
    if (cursor.isAtEnd) unclear('a test is left open');
    if (cursor.taken(/&&|\|\||[<>()]/y) !== undefined) continue;
    if (/[;&|]/.test(cursor.next)) unclear('a test holds a sign that does not belong there');
    words.push(readWord(cursor, readList));
  }
  const text = '[[';
  draft.words.push({ source: text, pieces: [{ is: 'plain', text }] }, ...words);
  if (calculates(words)) draft.hidden = 'it compares figures, and calculates them from what is not known';
}

/** Comparing figures calculates, and calculating runs what a value holds. */
export const calculates = (words: readonly Word[]): boolean =>
  words.some((word) => /^-(eq|ne|lt|le|gt|ge|v|R)$/.test(shownText(word))) &&
  words.some((word) => !/^[-=\w./]*$/.test(literal(word) ?? '$'));
