// A shell line taken apart: what it would run, and what of it is known before it runs.
import { quote } from './quote.ts';

export type Piece =
  | { readonly is: 'plain'; readonly text: string }
  /** Stands for names of files. */
  | { readonly is: 'glob'; readonly text: string }
  /** The home or the current folder, by `~`, `$HOME`, `$PWD`. */
  | { readonly is: 'home' }
  | { readonly is: 'cwd' }
  /** Known only when it runs. Unquoted it may also be several words, or none. */
  | { readonly is: 'unknown'; readonly source: string };

export interface Word {
  readonly source: string;
  readonly pieces: readonly Piece[];
}

export interface Redirect {
  /** Without its descriptor: `>` `>>` `<` `>|` `<>` `>&` `<&` `&>` `&>>`. */
  readonly op: string;
  readonly target: Word;
}

export interface Assignment {
  readonly name: string;
  readonly value: Word;
}

/** One simple command, or what stands in its place: `for`, `case`, `[[`, `((`. */
export interface Command {
  /** As written, without redirections and assignments. */
  readonly source: string;
  readonly assignments: readonly Assignment[];
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
  /** Text it reads, from here-documents and here-strings. */
  readonly given: readonly Given[];
  /** Commands whose output it reads through a pipe. */
  readonly feeders: readonly Command[];
  /** Commands that run to make its words. */
  readonly within: readonly Command[];
  /** Why nobody can say before it runs what it runs. */
  readonly hidden?: string;
}

export interface Given {
  readonly text: string;
  /** All of it is known before it runs. */
  readonly isWhole: boolean;
}

export interface Step {
  readonly command: Command;
  /** What stands before it. */
  readonly joiner: Joiner;
  /** Steps of one group follow each other in one shell; another number is another list. */
  readonly group: number;
  /** Stands in a loop, so that a later step of it may have run before. */
  readonly isLooped: boolean;
}

export type Joiner = '' | ';' | '&' | '&&' | '||' | '|';

export type Script = { readonly steps: readonly Step[] } | { readonly trouble: string };

/** The text of a word that says before it runs what it is; undefined for any other. */
export function literal(word: Word | undefined): string | undefined {
  if (word === undefined || !word.pieces.every((piece) => piece.is === 'plain')) return undefined;
  return word.pieces.map((piece) => (piece.is === 'plain' ? piece.text : '')).join('');
}

/** The word with what is not known left as it is written. */
export const shownText = (word: Word): string => word.pieces.map(shownPiece).join('');

function shownPiece(piece: Piece): string {
  if (piece.is === 'home') return '~';
  if (piece.is === 'cwd') return '$PWD';
  if (piece.is === 'unknown') return piece.source;
  return piece.text;
}

/** Nothing of it is left to the moment in which it runs. */
export const isKnown = (word: Word): boolean => word.pieces.every(({ is }) => is !== 'unknown' && is !== 'glob');

export const plainWord = (text: string): Word => ({ source: quote(text), pieces: [{ is: 'plain', text }] });
