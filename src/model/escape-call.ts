// Which call of a worker's names a place in the main checkout. Pure.
import { parseJson } from './json.ts';

export interface Call {
  readonly tool: string;
  /** As the transcript has it: JSON, or a shell line. */
  readonly input: string;
  readonly at: number;
}

export interface Sought {
  /** Oldest first. */
  readonly calls: readonly Call[];
  /** Ways to write the place. */
  readonly names: readonly string[];
  /** When it changed. */
  readonly at: number;
  /** What git says of a commit, `commit (amend): Subject`: named is the checkout, and by such a command of git's. */
  readonly step?: string;
  /** A command of git's that throws changes away, in these places, may have done it as well. */
  readonly undoneIn?: readonly string[];
}

/** What only looks. An unknown tool may write. */
const looks = /^(Read|Grep|Glob|LS|NotebookRead|WebFetch|WebSearch|TodoWrite|view_image|web_search)$/;
/** What is dated late: an agent notes its call when it is decided, the disk when it is done. */
const lateMs = 2_000;
const longestCallMs = 30 * 60_000;

/** The tool of the last call before the change that may have made it; undefined when none names it. */
export function callFor({ calls, names, at, step, undoneIn = [] }: Sought): string | undefined {
  const may = calls.filter((call) => call.at <= at + lateMs && call.at >= at - longestCallMs && !looks.test(call.tool));
  const isSuch = ({ input }: Call) =>
    (isStep(input, step) && namesOne(input, names)) || (throwsAway.test(input) && namesOne(input, undoneIn));
  return may.findLast(isSuch)?.tool;
}

const throwsAway = /\bgit\b.*\b(?:stash|checkout|switch|restore|reset|clean|rm)\b/s;

function isStep(input: string, step: string | undefined): boolean {
  if (step === undefined) return true;
  const verb = /^[\w-]+/.exec(step)?.[0] ?? '';
  return /\bgit\b/.test(input) && (verb === 'checkout' ? /\b(?:checkout|switch)\b/.test(input) : input.includes(verb));
}

const namesOne = (input: string, names: readonly string[]): boolean => {
  const told = parseJson(input);
  const texts = told === undefined ? [input] : textsIn(told);
  return names.some((name) => texts.some((text) => holds(text, name) || holds(unquoted(text), unquoted(name))));
};

/** A patch has its paths as keys. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => [key, ...textsIn(part)]);
}

/** A shell knows many ways to write a name with a space in it. */
const unquoted = (text: string): string => text.replaceAll(/[\\"']/g, '');

const goesOn = /^(?:[\w-]|\/[^\s"'\\;&|)])/;

/** As a whole path: `/a/b` is not in `/a/bc`, nor `c/d` in `b/c/d`. */
function holds(text: string, name: string): boolean {
  if (name === '') return false;
  for (let from = text.indexOf(name); from >= 0; from = text.indexOf(name, from + 1)) {
    const isWhole = !/[\w./-]/.test(text.charAt(from - 1)) && !goesOn.test(text.slice(from + name.length));
    if (isWhole) return true;
  }
  return false;
}
