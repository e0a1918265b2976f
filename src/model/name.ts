// What a worker is called, and in which colour.
import { CrewError } from './errors.ts';

// Easy to say, no words of a sentence, far from each other, and each of a theme begins with a letter of its own.
const themes: readonly (readonly string[])[] = [
  'abba devo fugazi gorillaz kraftwerk nirvana pixies ramones santana toto wilco zappa',
  'beowulf candide dracula emma gatsby hamlet ivanhoe macbeth quixote ulysses walden zorba',
  'amelie casablanca django fargo jumanji metropolis nosferatu rashomon solaris vertigo yojimbo',
  'cezanne delacroix goya hokusai kahlo matisse picasso rembrandt seurat vermeer warhol',
  'danube elbe ganges indus loire mekong orinoco rhine tiber volga yukon zambezi',
  'bartok chopin debussy elgar gershwin haydn liszt mahler offenbach purcell satie',
  'ariel callisto deimos enceladus hyperion iapetus mimas oberon phobos umbriel',
  'babbage curie darwin euler faraday hopper lovelace noether ramanujan turing',
  'avocet bittern dunlin egret godwit kestrel lapwing osprey plover wagtail',
  'aconcagua denali fuji kilauea lhotse nanga olympus rainier shasta whitney',
].map((theme) => theme.split(' '));

export interface NamesWanted {
  /** Names nobody may get again, in any case. */
  readonly taken: Iterable<string>;
  readonly count: number;
  /** The same seed picks the same names. */
  readonly seed: string;
}

/** Free names, of one theme where one has enough; numbered ones when every theme is used up. */
export function pickNames({ taken, count, seed }: NamesWanted): string[] {
  const used = new Set([...taken].map((name) => name.toLowerCase()));
  const order = turned(themes, seed).map((theme) => turned(theme, seed));
  const picked: string[] = [];
  for (let round = 1; picked.length < count; round++) {
    const free = order.map((theme) => theme.map((name) => numbered(name, round)).filter((name) => !used.has(name)));
    const missing = count - picked.length;
    picked.push(...(free.find((theme) => theme.length >= missing) ?? free.flat()).slice(0, missing));
  }
  return picked;
}

/** The name itself where it is free, else with the first number that makes it so. */
export function numberedName(name: string, taken: Iterable<string>): string {
  const used = new Set([...taken].map((other) => other.toLowerCase()));
  for (let round = 1; ; round++) {
    const candidate = numbered(name, round);
    if (!used.has(candidate.toLowerCase())) return candidate;
  }
}

const numbered = (name: string, round: number): string => (round === 1 ? name : `${name}-${round}`);

function turned<T>(items: readonly T[], seed: string): T[] {
  const by = hash(seed) % items.length;
  return [...items.slice(by), ...items.slice(0, by)];
}

// FNV-1a, whose low bits are as well mixed as its high ones.
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) value = Math.imul(value ^ byte, 0x01000193) >>> 0;
  return value;
}

const longestName = 40;

/** In a list of workers it means all of the manager's. */
export const everyone = 'all';

/** The name as it is kept: outer blanks off, inner ones single. Throws for one that panes, branches or calls garble. */
export function checkName(name: string): string {
  const kept = name.normalize('NFC').trim().replaceAll(/\s+/gu, ' ');
  const problem = problemOf(kept);
  if (problem === undefined) return kept;
  throw new CrewError(
    'invalid_argument',
    `${JSON.stringify(name.slice(0, 80))} cannot be a worker's name: ${problem}.`,
    `Use 1 to ${longestName} letters, digits, spaces or any of . _ - and begin with a letter or digit.`,
  );
}

/** It can be a worker's name as it stands. */
export const isName = (name: string): boolean =>
  problemOf(name) === undefined && name === name.normalize('NFC').trim().replaceAll(/\s+/gu, ' ');

function problemOf(name: string): string | undefined {
  const { length } = [...name];
  if (length === 0) return 'it is empty';
  if (length > longestName) return `it has ${length} characters`;
  if (/^[0-9a-f]{8}$/i.test(name)) return 'it looks like a worker id';
  if (name.toLowerCase() === everyone) return 'it means all workers where a list is taken';
  if (!/^[\p{L}\p{N}]/u.test(name)) return 'it does not begin with a letter or digit';
  const odd = /[^\p{L}\p{M}\p{N} ._-]/u.exec(name)?.[0];
  return odd === undefined ? undefined : `it holds ${JSON.stringify(odd)}`;
}

// The terminal's own, so that its theme keeps them readable; red is for alarms, and grounds are no colours of a name.
const colours = [4, 2, 5, 3, 6, 12, 10, 13, 11, 14].map((number) => `colour${number}`);

/** A tmux colour for the name: the same one for the same name, unless it is taken while another is not. */
export function workerColour(name: string, taken: Iterable<string>): string {
  const order = turned(colours, name.toLowerCase());
  const uses = new Map(order.map((colour) => [colour, 0]));
  for (const colour of taken) uses.set(colour, (uses.get(colour) ?? 0) + 1);
  return order.reduce((best, colour) => ((uses.get(colour) ?? 0) < (uses.get(best) ?? 0) ? colour : best));
}
