// Which keys of a project's file count by themselves, and which wait until a person agrees to them.
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type Agreement, type Layer, looked, type Problem } from './layers.ts';
import { commandOf, leafOf, type Settings } from './schema.ts';

/** A key, or a part of one, that waits for a person. */
export interface WaitingSetting {
  readonly path: readonly string[];
  readonly value: unknown;
  /** It says something else than what holds without it. */
  readonly changes: boolean;
}

export interface Sorted {
  readonly values: Layer['values'];
  readonly waiting: readonly WaitingSetting[];
}

interface Part {
  readonly counts?: unknown;
  readonly waiting?: readonly WaitingSetting[];
}

/** `below` is what holds without the project's file. Pure. */
export function sortOut(values: Layer['values'], below: Settings): Sorted {
  const parts = Object.entries(values).map(([key, value]) => ({ key, ...partOf({ key, value, values, below }) }));
  return {
    values: Object.fromEntries(parts.flatMap(({ key, counts }) => (counts === undefined ? [] : [[key, counts]]))),
    waiting: parts.flatMap(({ waiting = [] }) => waiting),
  };
}

interface Found {
  readonly key: string;
  readonly value: unknown;
  readonly values: Layer['values'];
  readonly below: Settings;
}

/** The first that fits decides; what none fits waits. */
const rules: readonly { readonly keys: RegExp; readonly decide: (found: Found) => Part }[] = [
  { keys: /^defaults\.agent_type$/, decide: agentPart },
  {
    keys: /^(defaults\.layout|merge\.strategy|events\..+|issue_tracker\..+)$/,
    decide: ({ value }) => ({ counts: value }),
  },
  { keys: /^limits\./, decide: limitPart },
  { keys: /^permissions\.default$/, decide: ({ value, below }) => scopePart(['permissions', 'default'], value, below) },
  { keys: /^permissions\.roles$/, decide: rolesPart },
  { keys: /^/, decide: (found) => ({ waiting: [waits(found.key.split('.'), found.value, found.below)] }) },
];

const partOf = (found: Found): Part => rules.find(({ keys }) => keys.test(found.key))?.decide(found) ?? {};

function waits(path: readonly string[], value: unknown, below: Settings): WaitingSetting {
  const meant = leafOf(path.join('.'))?.schema.safeParse(value).data ?? value;
  return { path, value, changes: !isDeepStrictEqual(meant, looked(below, path)) };
}

/** The choice among agents that are known anyway; one that this very file describes waits with its description. */
function agentPart({ value, values, below }: Found): Part {
  const type = z.string().catch('').parse(value);
  const isDescribedHere = commandOf(below, type) === undefined && values[`agents.${type}`] !== undefined;
  return isDescribedHere ? { waiting: [waits(['defaults', 'agent_type'], value, below)] } : { counts: value };
}

/** What an unset limit comes to at least. Any other that is unset bounds nothing. */
const unset: Readonly<Record<string, number>> = { 'limits.max_wait_seconds': 50 };

/** A limit counts where it is the stricter one; a switch is stricter when it is off. */
function limitPart({ key, value, below }: Found): Part {
  const path = key.split('.');
  const held = looked(below, path) ?? unset[key] ?? Number.POSITIVE_INFINITY;
  return Number(value) <= Number(held) ? { counts: value } : { waiting: [waits(path, value, below)] };
}

const record = z.record(z.string(), z.unknown()).catch({});
/** Rules that only ever take something away from a worker. */
const strict = new Set(['deny', 'ask', 'confirm']);

const countsOf = (entries: readonly (readonly [string, unknown])[]): Pick<Part, 'counts'> =>
  entries.length === 0 ? {} : { counts: Object.fromEntries(entries) };

function scopePart(path: readonly string[], value: unknown, below: Settings): Part {
  const entries = Object.entries(record.parse(value));
  const counts = entries.filter(([name]) => strict.has(name));
  const others = entries.filter(([name]) => !strict.has(name));
  return {
    ...countsOf(counts),
    waiting: others.map(([name, held]) => waits([...path, name], held, below)),
  };
}

function rolesPart({ value, below }: Found): Part {
  const parts = Object.entries(record.parse(value)).map(([role, rules]) => ({
    role,
    ...scopePart(['permissions', 'roles', role], rules, below),
  }));
  const counts = parts.flatMap(({ role, counts }) => (counts === undefined ? [] : [[role, counts] as const]));
  return {
    ...countsOf(counts),
    waiting: parts.flatMap(({ waiting = [] }) => waiting),
  };
}

/** The layer of a project's file as far as it counts now, and what is said of the rest. Pure. */
export function countedLayer(
  layer: Layer,
  { file, project, below, is }: { file: string; project: string; below: Settings; is: Agreement['is'] },
): { readonly layer: Layer; readonly agreement: Agreement } {
  const { values, waiting } = sortOut(layer.values, below);
  const keys = waiting.filter(({ changes }) => changes).map(({ path }) => shortened(path));
  if (is === 'agreed' || keys.length === 0) {
    return {
      layer,
      agreement: { file, is: is === 'agreed' && waiting.length > 0 ? 'agreed' : 'not-needed', keys: [] },
    };
  }
  const origins = Object.fromEntries(Object.entries(layer.origins).filter(([key]) => values[key] !== undefined));
  const problems = [...layer.problems, waitingProblem({ file, project, is, keys })];
  return { layer: { values, origins, problems }, agreement: { file, is, keys } };
}

const mostKeys = 12;
const mostOfName = 40;

/** The names of roles are the repository's own words: those that are no plain name stand there in quotes. */
export const keyWords = (path: readonly string[]): string =>
  path.map((part) => (/^[\w-]+$/.test(part) ? part : JSON.stringify(part))).join('.');

const shortened = (path: readonly string[]): string => keyWords(path.map((part) => part.slice(0, mostOfName)));

const listed = (keys: readonly string[]): string =>
  [...keys.slice(0, mostKeys), ...(keys.length > mostKeys ? [`${keys.length - mostKeys} more`] : [])].join(', ');

/** The key of a problem that is about keys which wait. */
export const waitingKey = '*';

function waitingProblem({ file, project, is, keys }: Agreement & { readonly project: string }): Problem {
  const why = is === 'changed' ? `${file} has changed since a person agreed to it` : `Nobody has agreed to ${file}`;
  const todo = `A person reads the file, then runs \`crewmux trust\` in ${project}.`;
  return {
    key: waitingKey,
    file,
    message: `${why}, so crewmux leaves these keys of it aside: ${listed(keys)}. ${todo}`,
  };
}
