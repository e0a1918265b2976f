// Layers of settings laid over each other, and what is wrong in each.
import { z } from 'zod';
import { nearest } from '../model/nearest.ts';
import { builtInAgents } from '../model/worker.ts';
import { joinRules } from './permissions.ts';
import { commandOf, environmentKeys, leafOf, leaves, type Settings, settingsSchema } from './schema.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Something in a configuration that was left aside. */
export interface Problem {
  /** Empty where it is the whole file, `*` where keys of it wait for a person. */
  readonly key: string;
  /** The file, or the environment variable, that holds it. */
  readonly file: string;
  readonly message: string;
}

export interface Layer {
  readonly values: Readonly<Record<string, unknown>>;
  readonly problems: readonly Problem[];
  /** Where each value of this layer was found, by dotted key. */
  readonly origins: Readonly<Record<string, string>>;
}

export interface LoadedSettings {
  readonly settings: Settings;
  readonly problems: readonly Problem[];
  /** File or variable each value comes from, by dotted key; a key that is absent has its default. */
  readonly origins: Readonly<Record<string, string>>;
  readonly agreement: Agreement;
}

/** Whether a person agreed to the project's file as it is now. */
export interface Agreement {
  readonly file: string;
  /** `not-needed`: there is no such file, or all that it changes counts by itself. */
  readonly is: 'not-needed' | 'agreed' | 'never' | 'changed';
  /** What is left aside until then. */
  readonly keys: readonly string[];
}

const record = z.record(z.string(), z.unknown());

/** Reads the text of a configuration file; what is wrong becomes a problem, the rest counts. */
export function fileLayer(file: string, text: string): Layer {
  const parsed = parseJson(text);
  if ('error' in parsed) return broken(file, `${file} is not JSON (${parsed.error}); none of it is used.`);
  const top = record.safeParse(parsed.value);
  if (!top.success) return broken(file, `${file} must hold a JSON object; none of it is used.`);
  const { $schema: _, ...found } = top.data;
  const checked = flatten(found).map(([key, value]) => ({ key, value, problem: check(key, value, file) }));
  const good = checked.filter(({ problem }) => problem === undefined);
  return {
    values: Object.fromEntries(good.map(({ key, value }) => [key, value])),
    problems: checked.flatMap(({ problem }) => problem ?? []),
    origins: Object.fromEntries(good.map(({ key }) => [key, file])),
  };
}

/** A layer that holds nothing but the reason why. */
export const broken = (file: string, message: string): Layer => ({
  values: {},
  problems: [{ key: '', file, message }],
  origins: {},
});

/** What the environment sets. An empty variable counts as unset. */
export function environmentLayer(env: Env): Layer {
  const found = environmentKeys.flatMap(({ key, names }) => {
    const name = names.find((candidate) => (env[candidate] ?? '') !== '');
    return name === undefined ? [] : [{ key, name, value: env[name], problem: check(key, env[name], name) }];
  });
  const good = found.filter(({ problem }) => problem === undefined);
  return {
    values: Object.fromEntries(good.map(({ key, value }) => [key, value])),
    problems: found.flatMap(({ problem }) => problem ?? []),
    origins: Object.fromEntries(good.map(({ key, name }) => [key, name])),
  };
}

/** Later layers win, key by key; rules add up; defaults fill the rest. */
export function overlay(layers: readonly Layer[]): Omit<LoadedSettings, 'agreement'> {
  const values = joined(layers);
  const origins: LoadedSettings['origins'] = Object.assign({}, ...layers.map((layer) => layer.origins));
  const problems = layers.flatMap((layer) => layer.problems);
  const settings = settingsSchema.parse(nest(values));
  const wanted = settings.defaults.agent_type;
  if (commandOf(settings, wanted) !== undefined) return { settings, problems, origins };
  // An agent may be described in another layer than the one that chooses it, so this is known only now.
  const { [agentTypeKey]: file = '', ...rest } = origins;
  const { [agentTypeKey]: _, ...others } = values;
  const message = `"${agentTypeKey}" in ${file} names no agent: ${JSON.stringify(wanted)}. Known: ${knownAgents(settings).join(', ')}.`;
  return {
    settings: settingsSchema.parse(nest(others)),
    problems: [...problems, { key: agentTypeKey, file, message }],
    origins: rest,
  };
}

const agentTypeKey = 'defaults.agent_type';

/** Every agent that can be asked for. */
export const knownAgents = (settings: Settings): readonly string[] => [
  ...builtInAgents,
  ...Object.keys(settings.agents),
];

function joined(layers: readonly Layer[]): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const [key, value] of layers.flatMap((layer) => Object.entries(layer.values))) {
    values[key] = key.startsWith('permissions.') ? joinRules(key, values[key], value) : value;
  }
  return values;
}

/** What is wrong with one value, or undefined. */
export function check(key: string, value: unknown, file: string): Problem | undefined {
  const leaf = leafOf(key);
  if (leaf !== undefined) {
    const result = leaf.schema.safeParse(value);
    if (result.success) return undefined;
    const { message: why = 'not of the expected type', path = [] } = result.error.issues[0] ?? {};
    const inner = path.reduce(heldBy, value);
    const at = [key, ...path.map(String)].join('.');
    return { key, file, message: `"${at}" in ${file} cannot be ${JSON.stringify(inner) ?? 'left out'}: ${why}.` };
  }
  if (key.startsWith('agents.')) return { key, file, message: badAgentName(key, file) };
  const section = leaves.filter((candidate) => candidate.key.startsWith(`${key}.`));
  if (section.length > 0) return { key, file, message: `"${key}" in ${file} must be an object of settings.` };
  return { key, file, message: `Unknown key "${key}" in ${file}.${suggestion(key)}` };
}

const heldBy = (value: unknown, name: PropertyKey): unknown =>
  Array.isArray(value) ? value[Number(name)] : record.catch({}).parse(value)[String(name)];

const badAgentName = (key: string, file: string): string =>
  `"${key}" in ${file} cannot name an agent: expected lower-case letters, digits, "_" and "-", other than ${builtInAgents.join(' and ')} (see commands).`;

export function suggestion(key: string): string {
  const keys = leaves.map((leaf) => leaf.key);
  const close = nearest(key, keys) ?? keys.find((known) => known.split('.').pop() === key.split('.').pop());
  return close === undefined ? ` Known keys: ${keys.join(', ')}.` : ` Nearest known key: "${close}".`;
}

const sections = new Set([...leaves.flatMap(({ key }) => (key.includes('.') ? [key.split('.')[0]] : [])), 'agents']);

/** Dotted keys down to the depth settings have; a section that is no object stays whole. */
const flatten = (top: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] =>
  Object.entries(top).flatMap(([name, value]) => {
    const section = sections.has(name) ? record.safeParse(value) : undefined;
    return section?.success === true
      ? Object.entries(section.data).map(([inner, held]) => [`${name}.${inner}`, held] as const)
      : [[name, value] as const];
  });

/** What a tree holds at a path. */
export const looked = (tree: unknown, path: readonly string[]): unknown => path.reduce(heldBy, tree);

/** Dotted keys back into an object of sections. */
export function nest(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const tree: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(values)) {
    const [first = key, second] = key.split('.');
    tree[first] = second === undefined ? value : { ...record.catch({}).parse(tree[first]), [second]: value };
  }
  return tree;
}

export function parseJson(text: string): { readonly value: unknown } | { readonly error: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (thrown) {
    return { error: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}
