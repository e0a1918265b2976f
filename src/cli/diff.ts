// `crewmux diff`: a worker's changes in lines for a person.

import { plain } from '../model/plain-text.ts';
import { counted } from '../model/plural.ts';
import type { DiffResult } from '../wire/landing.ts';
import type { Paints } from './paint.ts';

interface Drawing {
  readonly paints: Paints;
  /** Characters that a terminal would obey are left out; a file or a program gets the diff as it is. */
  readonly isTerminal: boolean;
}

/** Pure. */
export function diffWords(result: DiffResult, { paints, isTerminal }: Drawing): string {
  const { branch, base, file_count: count, additions, deletions, uncommitted_files: open, note, diff } = result;
  const since = base.ref ?? base.commit.slice(0, 12);
  const head = `${branch ?? 'its work'} since ${since}: ${counted(count, 'file')}, +${additions} -${deletions}, ${open} not committed`;
  const listed = result.files.map(
    ({ path, additions: more, deletions: less, binary }) => `  ${path}  ${binary ? 'binary' : `+${more} -${less}`}`,
  );
  const large = (result.too_large ?? []).map((path) => `  ${path} is too large to be looked into`);
  const coloured = (isTerminal ? plain(diff ?? '') : (diff ?? '')).split('\n').map((line) => paintLine(line, paints));
  const body = diff === undefined ? listed : ['', ...coloured];
  return `${[paints.bold(head), ...(note === undefined ? [] : [note]), ...large, ...body].join('\n').replace(/\n$/, '')}\n`;
}

/** The row is `line`, or a part of it. */
export function paintLine(row: string, { alarm, good, dim, bold }: Paints, line = row): string {
  if (/^(diff |index |--- |\+\+\+ )/.test(line)) return bold(row);
  if (line.startsWith('+')) return good(row);
  if (line.startsWith('-')) return alarm(row);
  return line.startsWith('@@') ? dim(row) : row;
}
