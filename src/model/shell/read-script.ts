// Takes a shell line apart into every command it would run. What is not certain is given up.
import { Cursor, Unclear, unclear } from './cursor.ts';
import { readBody } from './here-document.ts';
import { readCommand } from './read-command.ts';
import { readCase, readFor } from './read-compound.ts';
import { readArithmetic } from './read-expansion.ts';
import { type Command, type Joiner, plainWord, type Script } from './script.ts';

const longest = 200_000;

/** Never throws. Written for what bash, zsh and plain sh have in common; where they differ it gives up. */
export function readScript(text: string): Script {
  if (text.length > longest) return { trouble: `it is longer than ${longest} characters` };
  const cursor = new Cursor(text);
  try {
    readList(cursor, 'all');
    return { steps: cursor.steps };
  } catch (thrown) {
    if (thrown instanceof Unclear) return { trouble: thrown.message };
    throw thrown;
  }
}

export interface List {
  readonly group: number;
  joiner: Joiner;
  /** Commands of the pipeline that is being read. */
  pipe: readonly Command[];
}

export type End = ')' | '}' | ';;' | 'all';

/** A list of commands up to its end, which is left standing. */
export function readList(cursor: Cursor, end: End): void {
  const list: List = { group: cursor.newGroup(), joiner: '', pipe: [] };
  for (let isFirst = true; ; isFirst = false) {
    const joiner = skipBetween(cursor);
    if (cursor.isAtEnd && end === 'all') {
      if (cursor.awaited.length > 0) unclear('a here-document is left open');
      return;
    }
    if (cursor.isAtEnd) unclear('a list of commands is left open');
    if (isAtEnd(cursor, end)) return;
    if (cursor.next === ')' || cursor.sees(';;')) unclear('a bracket or a double semicolon stands alone');
    list.joiner = joiner ?? (isFirst ? '' : ';');
    if (list.joiner !== '|') list.pipe = [];
    const from = cursor.at;
    readElement(cursor, list);
    if (cursor.at === from) unclear('a sign stands where a command should');
  }
}

function isAtEnd(cursor: Cursor, end: End): boolean {
  if (end === ')') return cursor.next === ')';
  if (end === '}') return startsWord(cursor, '}');
  return end === ';;' && (cursor.sees(';;') || cursor.sees(';&') || startsWord(cursor, 'esac'));
}

/** Blanks, comments, ends of lines and what joins two commands; returns the joiner, undefined where there is none. */
function skipBetween(cursor: Cursor): Joiner | undefined {
  let found: Joiner | undefined;
  for (;;) {
    if (cursor.taken(/[ \t]+|\\\n|#[^\n]*/y) !== undefined) continue;
    if (cursor.passed('\n')) {
      const { awaited } = cursor;
      cursor.awaited = [];
      for (const one of awaited) readBody(cursor, one, readList);
      found ??= ';';
    } else if (cursor.passed('&&')) found = '&&';
    else if (cursor.passed('||')) found = '||';
    else if (cursor.sees('&|') || cursor.sees(';|')) unclear('shells read its joints differently');
    else if (/^(;[;&]|&>)/.test(cursor.text.slice(cursor.at, cursor.at + 2))) return found;
    else if (cursor.passed('|&') || cursor.passed('|')) found = '|';
    else if (cursor.passed(';')) found = ';';
    else if (cursor.passed('&')) found = '&';
    else return found;
  }
}

export const startsWord = (cursor: Cursor, word: string): boolean =>
  cursor.sees(word) && /^$|[\s;&|<>()]/.test(cursor.text.charAt(cursor.at + word.length));

/** Words after which a command begins, with nothing of their own to judge. */
const before = new Set(['if', 'then', 'elif', 'else', 'while', 'until', 'do', '!', 'always']);

/** One command, or a group of them with the redirections after it. */
function readElement(cursor: Cursor, list: List): void {
  const word = cursor.text.slice(cursor.at, cursor.at + 10).match(/^[A-Za-z!{]+(?=$|[\s;&|<>()])/)?.[0] ?? '';
  if (cursor.sees('((')) readArithmetic(cursor);
  else if (cursor.passed('(')) readGroup(cursor, list, ')');
  else if (word === 'for' || word === 'select') add(cursor, list, readFor(cursor, readList));
  else if (word === 'case') readCase(cursor, list);
  else if (word === '{' || word === 'fi' || word === 'done' || before.has(word)) readKeyword(cursor, list, word);
  else if (/^(function|coproc|foreach|repeat|end)$/.test(word)) unclear(`it uses ${word}`);
  else {
    const command = readCommand(cursor, readList);
    // A function is another command than its name says, and runs elsewhere than where it is written.
    if (cursor.next === '(') unclear('brackets stand inside a word');
    add(cursor, list, command);
  }
}

function readKeyword(cursor: Cursor, list: List, word: string): void {
  cursor.at += word.length;
  if (word === '{') readGroup(cursor, list, '}');
  else if (word === 'while' || word === 'until') cursor.beginLoop();
  else if (!before.has(word)) {
    if (word === 'done') cursor.endLoop();
    readTail(cursor, list, word);
  }
}

export function add(cursor: Cursor, list: List, command: Command): void {
  const whole = { ...command, feeders: list.pipe };
  cursor.steps.push({ command: whole, joiner: list.joiner, group: list.group, isLooped: cursor.isLooped });
  list.pipe = [...list.pipe, whole];
}

/** The bracket or brace that begins it has been passed. */
function readGroup(cursor: Cursor, list: List, end: ')' | '}'): void {
  const from = cursor.steps.length;
  cursor.inside(() => readList(cursor, end));
  if (!cursor.passed(end)) unclear('a bracket is left open');
  feed(cursor, list, from);
  readTail(cursor, list, `${end} of a group`);
}

/** What a pipe brings to a group reaches every command in it, and what they write goes on. */
export function feed(cursor: Cursor, list: List, from: number): void {
  for (const [at, step] of cursor.steps.entries()) {
    if (at < from || list.pipe.length === 0) continue;
    const command = { ...step.command, feeders: [...list.pipe, ...step.command.feeders] };
    cursor.steps[at] = { ...step, command };
  }
  list.pipe = [...list.pipe, ...cursor.steps.slice(from).map(({ command }) => command)];
}

/** Redirections after a group or a loop are those of a command that does nothing. */
export function readTail(cursor: Cursor, list: List, name: string): void {
  cursor.taken(/[ \t]+/y);
  if (!/^(\d*[<>]|&>)/.test(cursor.text.slice(cursor.at, cursor.at + 4))) return;
  const command = readCommand(cursor, readList);
  if (command.words.length + command.assignments.length > 0) unclear(`words stand behind the ${name}`);
  if (command.given.length > 0) unclear(`a text is given to all that stands before the ${name}`);
  const { pipe } = list;
  add(cursor, list, { ...command, source: ':', words: [plainWord(':')] });
  list.pipe = [...pipe, ...list.pipe];
}
