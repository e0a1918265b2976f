// Words of a shell line: quotes, braces, and what a dollar sign brings in.
import { type Cursor, unclear } from './cursor.ts';
import { type ReadList, readBackticks, readDollar } from './read-expansion.ts';
import type { Piece, Word } from './script.ts';

const meta = ' \t\n|&;<>()';

/** The word that begins here. */
export function readWord(cursor: Cursor, readList: ReadList): Word {
  const start = cursor.at;
  const pieces: Piece[] = [];
  readTilde(cursor, pieces);
  while (!cursor.isAtEnd && !meta.includes(cursor.next)) readPiece(cursor, pieces, readList);
  const source = cursor.text.slice(start, cursor.at);
  // The name of the test, which stands for no file.
  if (source === '[') return { source, pieces: [{ is: 'plain', text: source }] };
  return { source, pieces: merged(braces(pieces)) };
}

function readTilde(cursor: Cursor, pieces: Piece[]): void {
  const found = cursor.taken(/~([\w+-]*)(?=$|[/\s:|&;<>()])/y);
  if (found === undefined) return;
  const [source, who] = found;
  if (who === '') pieces.push({ is: 'home' });
  else if (who === '+') pieces.push({ is: 'cwd' });
  else pieces.push({ is: 'unknown', source });
}

function readPiece(cursor: Cursor, pieces: Piece[], readList: ReadList): void {
  const sign = cursor.take();
  if (sign === '\\') {
    const escaped = cursor.take();
    if (escaped !== '\n') pieces.push({ is: 'plain', text: checked(escaped) });
  } else if (sign === "'") pieces.push({ is: 'plain', text: singleQuoted(cursor) });
  else if (sign === '"') readDouble(cursor, pieces, readList);
  else if (sign === '`') readBackticks(cursor, pieces, { readList, isQuoted: false });
  else if (sign === '$' && cursor.passed("'")) pieces.push({ is: 'plain', text: ansi(cursor) });
  else if (sign === '$' && cursor.passed('"')) readDouble(cursor, pieces, readList);
  else if (sign === '$') readDollar(cursor, pieces, { readList, readQuoted, isQuoted: false });
  else if (sign === '[') pieces.push({ is: 'glob', text: `[${cursor.taken(choice)?.[0] ?? ''}` });
  else if ('*?'.includes(sign)) pieces.push({ is: 'glob', text: sign });
  else pieces.push({ is: 'plain', text: bare(sign, cursor) });
}

/** The rest of a choice of signs, where nothing in it has a meaning of its own. */
const choice = /[!^]?\]?[^\]\s'"$`\\;&|<>()]*\]/y;

/** The text up to the quote that ends it, whose first one has been passed. */
function singleQuoted(cursor: Cursor): string {
  const found = cursor.taken(/([^']*)'/y) ?? unclear('a quote is left open');
  return checked(found[1] ?? '');
}

/** A sign outside of quotes: none that shells, or their readers, may take for another or for nothing. */
function bare(sign: string, cursor: Cursor): string {
  if (sign <= '~') return checked(sign);
  const whole = /[\ud800-\udbff]/.test(sign) ? sign + cursor.take() : sign;
  if (/[\p{Z}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/u.test(whole)) unclear('it holds a sign that cannot be seen');
  return checked(whole);
}

function checked(text: string): string {
  if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(text)) unclear('it holds a control character');
  if (/[\u202a-\u202e\u2066-\u2069\u200e\u200f]/.test(text))
    unclear('it holds a sign that turns the direction of reading');
  return text;
}

/** What stands between double quotes, the first of which has been passed. */
function readDouble(cursor: Cursor, pieces: Piece[], readList: ReadList): void {
  pieces.push({ is: 'plain', text: '' });
  while (!cursor.passed('"')) {
    if (cursor.isAtEnd) unclear('a quote is left open');
    readQuoted(cursor, pieces, readList);
  }
}

/** The next piece where a space does not end the word: between double quotes, in a here-document. */
export function readQuoted(cursor: Cursor, pieces: Piece[], readList: ReadList): void {
  const plain = cursor.taken(/[^"\\$`}]+/y)?.[0];
  if (plain !== undefined) return void pieces.push({ is: 'plain', text: checked(plain) });
  const sign = cursor.take();
  if (sign === '$') readDollar(cursor, pieces, { readList, readQuoted, isQuoted: true });
  else if (sign === '`') readBackticks(cursor, pieces, { readList, isQuoted: true });
  else if (sign !== '\\') pieces.push({ is: 'plain', text: sign });
  else {
    const escaped = cursor.take();
    const kept = '$`"\\'.includes(escaped) ? '' : '\\';
    if (escaped !== '\n') pieces.push({ is: 'plain', text: kept + checked(escaped) });
  }
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', '\\': '\\', "'": "'", '"': '"', '?': '?' };

/** The text of `$'...'`, whose quote has been passed. */
function ansi(cursor: Cursor): string {
  const found = cursor.taken(/((?:[^'\\]|\\[\s\S])*)'/y) ?? unclear('a quote is left open');
  const text = (found[1] ?? '').replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|([0-7]{1,3})|([\s\S]))/g,
    (_, hex?: string, wide?: string, octal?: string, sign?: string) => {
      const code = hex ?? wide;
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
      return escapes[sign ?? ''] ?? unclear('it holds an escape that cannot be read');
    },
  );
  return checked(text);
}

/** Braces with a comma or a range stand for several words, which are not told apart here. */
function braces(pieces: readonly Piece[]): readonly Piece[] {
  const signs = pieces
    .map((piece) => (piece.is === 'plain' && piece.text.length === 1 ? piece.text : '\u0000'))
    .join('');
  if (!/\{[^{}]*(?:,|\.\.)[\s\S]*\}/.test(signs)) return pieces;
  return pieces.map((piece) =>
    piece.is === 'plain' && /^[{},]$/.test(piece.text) ? { is: 'unknown', source: piece.text } : piece,
  );
}

function merged(pieces: readonly Piece[]): readonly Piece[] {
  const result: Piece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (piece.is === 'plain' && piece.text === '') continue;
    if (piece.is !== 'plain' || last?.is !== 'plain') result.push(piece);
    else result[result.length - 1] = { is: 'plain', text: last.text + piece.text };
  }
  return result;
}
