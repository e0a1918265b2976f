// Redirections: to files, to other descriptors, from texts in the line itself.
import { type Cursor, unclear } from './cursor.ts';
import { type Draft, readProcess } from './read-command.ts';
import type { ReadList } from './read-expansion.ts';
import { readWord } from './read-word.ts';
import { literal, shownText } from './script.ts';

/** Its first group is the sign without a descriptor. */
export const redirection = /(?:\d{1,3}|\{[A-Za-z_]\w*\})?(<<<|<<-?|<>|<&|>>|>&|>\||>|<)|&>>?/y;

interface Redirection {
  readonly draft: Draft;
  readonly op: string;
}

/** What follows a sign of redirection that has been passed. */
export function readRedirect(cursor: Cursor, { draft, op }: Redirection, readList: ReadList): void {
  if (/^[!&|]/.test(cursor.next)) unclear('a redirection is written in a way that shells read differently');
  cursor.taken(/(?:[ \t]|\\\n)+/y);
  if (op === '<<' || op === '<<-') awaitBody(cursor, { draft, op });
  else if (/^[<>]\(/.test(cursor.text.slice(cursor.at, cursor.at + 2))) {
    const target = readProcess(cursor, readList);
    if (op !== '<') unclear(`it writes to ${target.source.slice(0, 40)}`);
    draft.redirects.push({ op, target });
  } else readTarget(cursor, { draft, op }, readList);
}

function readTarget(cursor: Cursor, { draft, op }: Redirection, readList: ReadList): void {
  if (cursor.isAtEnd || /[\n;&|()<>#]/.test(cursor.next)) unclear('a redirection leads nowhere');
  const target = readWord(cursor, readList);
  const text = literal(target);
  if (op === '<<<') draft.given.push({ text: text ?? shownText(target), isWhole: text !== undefined });
  else if (!/^[<>]&$/.test(op) || !/^(\d+-?|-)$/.test(text ?? '')) draft.redirects.push({ op, target });
}

const end = '(?=$|[\\s;&|<>()])';
const ending = new RegExp(`'([^'\\n]*)'${end}|"([^"\\n$\`\\\\]*)"${end}|(\\\\?)([\\w.+-]+)${end}`, 'y');

/** Its text is read with the end of the line. */
function awaitBody(cursor: Cursor, { draft, op }: Redirection): void {
  const found = cursor.taken(ending) ?? unclear('the end of a here-document cannot be read');
  const [, single, double, backslash, plain] = found;
  const at = draft.given.push({ text: '', isWhole: false }) - 1;
  cursor.awaited.push({
    end: single ?? double ?? plain ?? '',
    isQuoted: plain === undefined || backslash !== '',
    stripsTabs: op === '<<-',
    take: (given) => {
      draft.given[at] = given;
    },
  });
}
