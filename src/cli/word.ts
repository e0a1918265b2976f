// What a word of the command line is, and how a line is read by a table of words.
import { parseArgs } from 'node:util';
import { defined } from '../model/defined.ts';
import { nearest } from '../model/nearest.ts';
import type { CommandWorld } from './world.ts';

export interface Flag {
  readonly type: 'boolean' | 'string';
  readonly help: string;
  readonly short?: string;
  /** The name of its value in the help, for a flag that takes one. */
  readonly value?: string;
}

export const json = { type: 'boolean', help: 'as JSON' } as const;

export const plainFlag = {
  type: 'boolean',
  help: 'in lines without columns and colours, for a screen reader',
} as const;

/** After what needs it. */
export const screenMissing = 'needs a terminal that it can draw on; --plain prints it once.\n';

/** What a line gives to its word. */
export interface Given<F extends string = string> {
  readonly positionals: readonly string[];
  has(flag: F): boolean;
  text(flag: F): string | undefined;
}

/** Says that more than one of these forms is asked for; undefined where it is not. */
export function twoForms<F extends string>({ has }: Given<F>, forms: readonly F[]): string | undefined {
  const asked = forms.filter((form) => has(form)).map((form) => `--${form}`);
  return asked.length > 1 ? `${asked.join(' and ')} exclude each other.\n` : undefined;
}

/** Has a tool act on what files alone hold: a server that lives reads it there, and drives it. */
export const inFiles = async (tool: string, args: Readonly<Record<string, unknown>>, world: CommandWorld) =>
  (await import('./act.ts')).actInFiles({ tool, args }, world);

interface Named {
  readonly name: string;
  /** One line in the imperative. */
  readonly summary: string;
  /** Other spellings, for the first word only. */
  readonly aliases?: readonly string[];
  /** What others call it: refused, and answered with its name. */
  readonly elsewhere?: readonly string[];
}

export interface Leaf<F extends string = string> extends Named {
  readonly flags?: Readonly<Partial<Record<F, Flag>>>;
  /** `<name>` must be there, `[name]` may; `…` before the bracket closes means any number, and stands last. */
  readonly positionals?: readonly string[];
  /** What its first positional may be, for a shell to complete. */
  readonly choices?: readonly string[];
  /** All behind the first positional is text, whatever it begins with. */
  readonly isVerbatim?: true;
  /** What it prints is another's, and stays byte for byte. */
  readonly isForeign?: true;
  /** Returns the exit code. */
  run(given: Given<F>, world: CommandWorld): Promise<number> | number;
}

export interface WordGroup extends Named {
  readonly words: readonly Word[];
  /** Reads a line on which none of the words follows. */
  readonly otherwise?: Leaf;
}

export type Word = Leaf | WordGroup;

/** A word whose run may ask for its own flags alone. */
export const word = <const F extends string = never>(leaf: Leaf<F>): Leaf => leaf;

export const helpFlag: Flag = { type: 'boolean', short: 'h', help: 'print this' };

export const flagsOf = ({ flags = {} }: Leaf): Readonly<Record<string, Flag>> => ({
  ...defined(flags),
  help: helpFlag,
});

export type LineReading =
  | { readonly is: 'run'; readonly word: Leaf; readonly given: Given }
  /** The words on the way to the one that is meant; none for the whole. */
  | { readonly is: 'help'; readonly path: readonly Word[] }
  | { readonly is: 'refused'; readonly path: readonly Word[]; readonly why: string };

const asksForHelp = (arg: string | undefined): boolean => arg === '-h' || arg === '--help';

/** Finds the word that a line means, and reads the rest by its flags and positionals. Pure. */
export function readLine(words: readonly Word[], args: readonly string[], path: readonly Word[] = []): LineReading {
  const [name, ...rest] = args;
  if (name === undefined) return { is: 'refused', path, why: `one of these words must follow: ${namesOf(words)}` };
  const found = words.find((one) => one.name === name || one.aliases?.includes(name));
  if (found === undefined) {
    if (asksForHelp(name)) return { is: 'help', path };
    const meant = words.find(({ elsewhere }) => elsewhere?.includes(name));
    if (meant !== undefined) return { is: 'refused', path, why: notKnown('word', name, meant.name) };
    return { is: 'refused', path, why: unknown(name.startsWith('-') ? 'flag' : 'word', name, spellings(words)) };
  }
  const way = [...path, found];
  if (!('words' in found)) return readRest(found, rest, way);
  const [next = ''] = rest;
  const isFollowed = found.otherwise === undefined || spellings(found.words).includes(next);
  if (isFollowed) return readLine(found.words, rest, way);
  const read = readRest(found.otherwise, rest, way);
  // What does not fit otherwise is a slip of one of them.
  const isSlip = read.is === 'refused' && !next.startsWith('-') && near(next, spellings(found.words)) !== undefined;
  return isSlip ? readLine(found.words, rest, way) : read;
}

const namesOf = (words: readonly Word[]): string => words.map(({ name }) => name).join(', ');

const spellings = (words: readonly Word[]): readonly string[] =>
  words.flatMap(({ name, aliases = [] }) => [name, ...aliases]);

function unknown(what: 'word' | 'flag', name: string, known: readonly string[]): string {
  const alike = known.filter((one) => one.startsWith('-') === name.startsWith('-'));
  return notKnown(what, name, near(name, alike));
}

/** The only one that begins so, or else a slip. */
function near(name: string, known: readonly string[]): string | undefined {
  const [begun, ...more] = known.filter((one) => one.startsWith(name));
  return begun !== undefined && more.length === 0 ? begun : name.length > 2 ? nearest(name, known) : undefined;
}

const notKnown = (what: 'word' | 'flag', name: string, close: string | undefined): string =>
  `unknown ${what} ${JSON.stringify(name)}.${close === undefined ? '' : ` Did you mean ${close}?`}`;

function readRest(leaf: Leaf, args: readonly string[], path: readonly Word[]): LineReading {
  const flags = flagsOf(leaf);
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { type, short }]) => [name, short === undefined ? { type } : { type, short }]),
  );
  const { read, kept } = leaf.isVerbatim === true ? beforeText(args) : { read: args, kept: [] };
  const parsed = parseArgs({ args: [...read], options, strict: false, allowPositionals: true, tokens: true });
  const { values, tokens } = parsed;
  const positionals = [...parsed.positionals, ...kept];
  if (values.help === true) return { is: 'help', path };
  const wrong = tokens.flatMap((token) => (token.kind === 'option' ? (wrongWith(token, flags) ?? []) : []));
  const why = wrong[0] ?? wrongNumber(leaf.positionals ?? [], positionals);
  if (why !== undefined) return { is: 'refused', path, why };
  return {
    is: 'run',
    word: leaf,
    given: {
      positionals,
      has: (flag) => values[flag] === true,
      text: (flag) => {
        const value = values[flag];
        return typeof value === 'string' ? value : undefined;
      },
    },
  };
}

/** The words up to the first positional, and the text behind them; help alone is no text, and a first `--` is none. */
function beforeText(args: readonly string[]): { readonly read: readonly string[]; readonly kept: readonly string[] } {
  const end = args.findIndex((arg) => !arg.startsWith('-')) + 1;
  const kept = end === 0 ? [] : args.slice(end);
  if (end === 0 || (kept.length === 1 && asksForHelp(kept[0]))) return { read: args, kept: [] };
  return { read: args.slice(0, end), kept: kept[0] === '--' ? kept.slice(1) : kept };
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function wrongWith({ name, rawName, value, inlineValue }: OptionToken, flags: Readonly<Record<string, Flag>>) {
  const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
  if (flag === undefined) {
    const known = Object.entries(flags).flatMap(([long, { short }]) => [`--${long}`, ...(short ? [`-${short}`] : [])]);
    return `${unknown('flag', rawName, known)} Put -- before a word that begins with "-" and is no flag.`;
  }
  if (flag.type === 'boolean')
    return inlineValue ? `${rawName} takes no value, and got ${JSON.stringify(value)}.` : undefined;
  const isAnotherFlag = inlineValue !== true && value?.startsWith('-');
  return value === undefined || isAnotherFlag ? `${rawName} needs a value.` : undefined;
}

/** Why the positionals are too few or too many; undefined where they fit. */
function wrongNumber(expected: readonly string[], given: readonly string[]): string | undefined {
  const missing = expected.find((one, at) => one.startsWith('<') && at >= given.length);
  if (missing !== undefined) return `${missing} is missing.`;
  if (expected.at(-1)?.includes('…') || given.length <= expected.length) return undefined;
  return `${JSON.stringify(given[expected.length])} is too much.`;
}
