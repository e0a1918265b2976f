// What a dollar sign or a backtick brings into a word: values, and the output of other commands.
import { Cursor, unclear } from './cursor.ts';
import type { Piece } from './script.ts';

/** Reads the commands of a substitution; handed in by whoever reads lists. */
export type ReadList = (cursor: Cursor, end: ')' | 'all') => void;
type ReadQuoted = (cursor: Cursor, pieces: Piece[], readList: ReadList) => void;

interface Dollar {
  readonly readList: ReadList;
  readonly readQuoted: ReadQuoted;
  /** Between double quotes. */
  readonly isQuoted: boolean;
}

/** What follows a dollar sign that has been passed. */
export function readDollar(cursor: Cursor, pieces: Piece[], by: Dollar): void {
  const start = cursor.at - 1;
  if (cursor.sees('((')) readArithmetic(cursor);
  else if (cursor.passed('(')) readSubstitution(cursor, by.readList);
  else if (cursor.passed('{')) readBraced(cursor, by);
  else if (cursor.sees('[')) unclear('it calculates with $[ ]');
  else if (cursor.taken(/[A-Za-z_]\w*|[0-9@*#?$!-]/y) === undefined) {
    pieces.push({ is: 'plain', text: '$' });
    return;
  }
  const source = cursor.text.slice(start, cursor.at);
  if (source === '$HOME' || source === '${HOME}') pieces.push({ is: 'home' });
  else if (source === '$PWD' || source === '${PWD}') pieces.push({ is: 'cwd' });
  else pieces.push({ is: 'unknown', source });
}

/** Only figures: the value of a name may itself hold something to run. */
export function readArithmetic(cursor: Cursor): void {
  const found = cursor.taken(/\(\((?:[\d\s+\-*/%<>=!&|^~?:,]|\([^()]*\))*\)\)/y) ?? unclear('it calculates');
  if (/[^\d\s+\-*/%<>=!&|^~?:,()]/.test(found[0])) unclear('it calculates with more than figures');
}

/** The commands up to the bracket that ends them, whose first one has been passed. */
export function readSubstitution(cursor: Cursor, readList: ReadList): void {
  if (cursor.awaited.length > 0) unclear('a here-document and a substitution stand on one line');
  const outer = cursor.within;
  cursor.within = [];
  const from = cursor.steps.length;
  cursor.inside(() => readList(cursor, ')'));
  if (!cursor.passed(')')) unclear('a bracket is left open');
  if (cursor.awaited.length > 0) unclear('a here-document is left open');
  cursor.within = [...outer, ...cursor.steps.slice(from).map(({ command }) => command)];
}

export function readBackticks(cursor: Cursor, pieces: Piece[], by: Pick<Dollar, 'readList' | 'isQuoted'>): void {
  const found = cursor.taken(/((?:[^`\\]|\\[\s\S])*)`/y) ?? unclear('a backtick is left open');
  const inner = (found[1] ?? '').replace(/\\([\\`$])/g, '$1');
  if (inner.includes('`') || (by.isQuoted && inner.includes('\\"')))
    unclear('backticks stand within quotes or backticks');
  readElsewhere(cursor, inner, by.readList);
  pieces.push({ is: 'unknown', source: `\`${found[0]}` });
}

/** Reads a text that is a script of its own as part of what is being read. */
export function readElsewhere(cursor: Cursor, text: string, readList: ReadList): void {
  const inner = new Cursor(text, cursor);
  cursor.inside(() => readList(inner, 'all'));
  cursor.steps.push(...inner.steps);
  cursor.within = [...cursor.within, ...inner.steps.map(({ command }) => command)];
}

// Forms that run nothing and do not take the value of one name for the name of another.
const name = '[A-Za-z_]\\w*';
const element = '(?:\\[(?:[@*]|\\d+)\\])?';
const harmless = new RegExp(
  [
    `#?${name}${element}(?=\\})`,
    `[0-9@*#?$!-]+(?=\\})`,
    `(?:${name}${element}|[0-9@*])(?::?[-+?]|##?|%%?|\\/[/#%]?|\\^\\^?|,,?)`,
    `${name}${element}:\\s*-?\\d+(?::-?\\d+)?(?=\\})`,
  ].join('|'),
  'y',
);

/** What stands in `${...}`, whose brace has been passed. */
function readBraced(cursor: Cursor, { readList, readQuoted }: Dollar): void {
  if (cursor.taken(harmless) === undefined) unclear('it expands a name in a way that may run something');
  const pieces: Piece[] = [];
  cursor.inside(() => {
    while (!cursor.passed('}')) {
      if (cursor.isAtEnd) unclear('a brace is left open');
      // Shells differ in what quotes mean here.
      if (/['"]/.test(cursor.next) || /[('"]/.test(cursor.text.slice(cursor.at).match(/^[^\\$`}]*/)?.[0] ?? '')) {
        unclear('it holds quotes or brackets within ${ }');
      }
      readQuoted(cursor, pieces, readList);
    }
  });
}
