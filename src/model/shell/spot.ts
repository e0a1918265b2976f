// Which place on the disk a word of a shell line means.
import type { Ground } from '../permission.ts';
import { absolute, below, normal, type Whereabouts, whereabouts } from '../place.ts';
import type { Word } from './script.ts';

/** Where a command would run. */
export interface Spot {
  /** Folders it may run in; undefined among them for one that nobody knows. */
  readonly cwds: readonly (string | undefined)[];
  readonly ground: Ground;
  /** Whatever `"$@"` stands for lies inside the worktree: a find there has found it. */
  readonly findsInside?: boolean;
}

/** `fixed` is the folder in front of the first star; a `tail` behind it may lead anywhere by links. */
export interface Meant {
  readonly places: readonly Whereabouts[];
  readonly glob?: { readonly name: string; readonly tail: string };
}

/** Undefined when nobody knows. */
export function meant(word: Word, { cwds, ground }: Spot): Meant | undefined {
  const texts = cwds.map((cwd) => textIn(word, cwd, ground));
  if (!texts.every((text) => text !== undefined)) return undefined;
  const star = word.pieces.some(({ is }) => is === 'glob');
  const isRelative = (text: string) => !/^[/~]/.test(text);
  if (texts.some((text, at) => isRelative(text) && cwds[at] === undefined)) return undefined;
  const cut = texts.map((text) => (star ? text.replace(/[^/]*\u0000[\s\S]*$/, '') : text));
  const places = cut.map((text, at) => whereabouts(text === '' ? '.' : text, { ...ground, cwd: cwds[at] ?? '/' }));
  if (!star) return { places };
  const [, name = '', tail = ''] = /([^/]*\u0000[^/]*)([\s\S]*)$/.exec(texts[0] ?? '') ?? [];
  return { places, glob: { name: name.replaceAll('\u0000', '*'), tail } };
}

/** The word with stars as a sign that stands in no path. */
function textIn(word: Word, cwd: string | undefined, ground: Ground): string | undefined {
  let text = '';
  for (const piece of word.pieces) {
    if (piece.is === 'unknown' || (piece.is === 'cwd' && cwd === undefined)) return undefined;
    if (piece.is === 'plain') text += piece.text;
    else if (piece.is === 'home') text += ground.userHome;
    else text += piece.is === 'cwd' ? cwd : '\u0000';
  }
  return text;
}

/** Whether all that the word may mean lies below the worktree's root; the root itself does not. */
export function isInside(word: Word, spot: Spot): boolean {
  const found = meant(word, spot);
  if (found === undefined || (found.glob !== undefined && found.glob.tail !== '')) return false;
  return found.places.every(({ every }) =>
    every.every((path) => {
      const within = below(spot.ground.root, path);
      return within !== undefined && (within !== '' || found.glob !== undefined);
    }),
  );
}

/** The same spot after a change of folder; links count as they are. */
export function moved(spot: Spot, to: Word | undefined): Spot {
  const target = to ?? { source: '~', pieces: [{ is: 'home' }] };
  if (to !== undefined && /^[-+]/.test(to.source)) return nowhere(spot);
  const { ground } = spot;
  const cwds = spot.cwds.map((cwd) => {
    const text = textIn(target, cwd, ground);
    if (text === undefined || text.includes('\u0000') || (cwd === undefined && !/^[/~]/.test(text))) return undefined;
    return normal(ground.real(absolute(text, { cwd: cwd ?? '/', userHome: ground.userHome })));
  });
  return { ...spot, cwds: [...new Set(cwds)], findsInside: false };
}

export const nowhere = (spot: Spot): Spot => ({ ...spot, cwds: [undefined], findsInside: false });

/** Both may be where it goes on; too many are as good as none. */
export function either(one: Spot, other: Spot): Spot {
  const cwds = [...new Set([...one.cwds, ...other.cwds])];
  return cwds.length > 8 ? nowhere(one) : { ...one, cwds };
}

/** Words and parts of words that may name a file: `--file=x`, `@x`, `host:x`, `of=x`. */
export function namesIn(word: Word): readonly Word[] {
  const [first] = word.pieces;
  if (first?.is !== 'plain') return [word];
  const cuts = [...first.text.matchAll(/[=:@,]/g)].map(({ index }) => index + 1);
  const tails = cuts.map((at): Word => {
    const rest = first.text.slice(at);
    return { source: rest, pieces: [{ is: 'plain', text: rest }, ...word.pieces.slice(1)] };
  });
  return [word, ...tails.map(tilded)];
}

/** A tilde behind a sign stands for the home in some shells and in some programs. */
const tilded = (word: Word): Word => {
  const [first, ...rest] = word.pieces;
  if (first?.is !== 'plain' || !/^~(\/|$)/.test(first.text)) return word;
  return { source: word.source, pieces: [{ is: 'home' }, { is: 'plain', text: first.text.slice(1) }, ...rest] };
};
