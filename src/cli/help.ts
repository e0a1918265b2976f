// The help texts, written from the table of words.
import { type Flag, flagsOf, type Leaf, type Word } from './word.ts';

const program = 'crewmux';

/** The help of the word at the end of the path, or of the whole; begins with `Usage:`. Pure. */
export function helpOf(words: readonly Word[], path: readonly Word[]): string {
  const meant = path.at(-1);
  if (meant === undefined)
    return `${usageOf(path)}\n\n${rows([['(none)', serving], ...words.map(rowOf)])}\n${exitCodes}`;
  return `${usageOf(path)}\n\n${meant.summary[0]?.toUpperCase()}${meant.summary.slice(1)}.\n\n${rows(bodyOf(meant))}`;
}

const bodyOf = (meant: Word): readonly Row[] =>
  'words' in meant
    ? [...(meant.otherwise === undefined ? [] : bodyOf(meant.otherwise)), ...meant.words.map(rowOf)]
    : Object.entries(flagsOf(meant)).map(flagRow);

const exitCodes = 'Exit codes: 0 done, 1 failed or refused, 2 a wrong line.\n';
const serving = 'serve MCP on stdio; an MCP client starts it like this';

/** One line. */
export function usageOf(path: readonly Word[]): string {
  const meant = path.at(-1);
  if (meant === undefined) return `Usage: ${program} [word]`;
  const before = path.slice(0, -1).map(({ name }) => name);
  return `Usage: ${[program, ...before, synopsis(meant)].join(' ')}`;
}

const leafOf = (one: Word): Leaf | undefined => ('words' in one ? one.otherwise : one);

function synopsis(one: Word): string {
  const leaf = leafOf(one);
  return [one.name, ...(leaf === undefined ? ['<word>'] : inOrder(leaf, ownFlags(leaf)))].join(' ');
}

/** Behind the first positional of a verbatim word, a flag is text. */
const inOrder = ({ positionals = [], isVerbatim }: Leaf, flags: readonly string[]): readonly string[] =>
  isVerbatim === true ? [...flags, ...positionals] : [...positionals, ...flags];

const ownFlags = (leaf: Leaf): readonly string[] =>
  Object.entries(leaf.flags ?? {}).flatMap(([name, flag]) => (flag === undefined ? [] : [`[${spelt(name, flag)}]`]));

const spelt = (name: string, { type, value = 'value' }: Flag): string =>
  type === 'boolean' ? `--${name}` : `--${name} <${value}>`;

type Row = readonly [left: string, right: string];

const widest = 28;

const rowOf = (one: Word): Row => {
  const whole = synopsis(one);
  const leaf = leafOf(one);
  if (whole.length <= widest || leaf === undefined) return [whole, one.summary];
  return [[one.name, ...inOrder(leaf, ['[flags]'])].join(' '), one.summary];
};

const flagRow = ([name, flag]: readonly [string, Flag]): Row => [
  `${flag.short === undefined ? '' : `-${flag.short}, `}${spelt(name, flag)}`,
  flag.help,
];

function rows(all: readonly Row[]): string {
  const width = Math.max(...all.map(([left]) => left.length));
  return all.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join('');
}
