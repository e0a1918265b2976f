// The texts of a command that rules are compared with.
import { quote } from './quote.ts';
import { isQuietName } from './read-compound.ts';
import { type Assignment, type Command, literal, shownText, type Word } from './script.ts';

/** Settings of the surroundings that make no program run another. */
const safeNames =
  /^(NODE_ENV|CI|DEBUG|TZ|LANG|LC_[A-Z]+|TERM|COLUMNS|LINES|NO_COLOR|FORCE_COLOR|CLICOLOR(_FORCE)?|RUST_BACKTRACE|RUST_LOG|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|GOOS|GOARCH|CGO_ENABLED|CARGO_TERM_COLOR|VITEST|JEST_WORKER_ID|UPDATE|VERBOSE|SKIP_[A-Z_]+|TEST_[A-Z_]+|GIT_PAGER_IN_USE|PORT|HOST|LOG_LEVEL)$/;

export const isHarmless = ({ name }: Assignment): boolean => isQuietName(name) || safeNames.test(name);

/** One text for one meaning: each word bare where it can be, else in quotes; what is not known as it is written. */
const canonical = (words: readonly Word[]): string =>
  words.map((word) => (literal(word) === undefined ? word.source : quote(literal(word) ?? ''))).join(' ');

/** What a permitting pattern has to fit; assignments that steer a program belong to it. */
export function narrowTexts({ source, words, assignments }: Command): readonly string[] {
  const steering = assignments.filter((one) => !isHarmless(one));
  const front = steering.map(({ name, value }) => `${name}=${value.source} `).join('');
  const texts = [source, canonical(words)].filter((text) => text !== '');
  return texts.length === 0 ? [front.trim()] : texts.map((text) => front + text);
}

/** What a forbidding pattern may fit: the same command by any of its spellings. */
export function wideTexts(command: Command, shown: (word: Word) => string = shownText): readonly string[] {
  const { words, source, assignments } = command;
  const [first, ...rest] = words.map(shown);
  if (first === undefined) return assignments.map(({ name, value }) => `${name}=${value.source}`);
  const name = first.replace(/^[\s\S]*\//, '');
  const spelt = [...new Set([first, name, name.toLowerCase()])];
  return [
    ...new Set([
      source,
      canonical(words),
      ...spelt.flatMap((one) => tails(rest).map((tail) => [one, ...tail].join(' '))),
    ]),
  ];
}

/** With and without the options in front of the first operand, and what may be their values. */
function tails(rest: readonly string[]): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [rest];
  for (let at = 0; at < Math.min(rest.length, 12); at++) {
    const from: readonly (readonly string[])[] = found.filter((tail) => tail.length === rest.length - at);
    for (const tail of from) {
      if (/^[-+]/.test(tail[0] ?? '')) found.push(tail.slice(1), tail.slice(2));
    }
  }
  return found.slice(0, 200);
}

/** The same texts with a star for whatever is not known. */
export const possibleTexts = (command: Command): readonly string[] => wideTexts(command, starred);

const starred = (word: Word): string =>
  word.pieces.map((piece) => (piece.is === 'plain' ? piece.text.replaceAll('*', '?') : '*')).join('');
