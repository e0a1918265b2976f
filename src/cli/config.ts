// `crewmux config`: shows and changes the settings.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { check, nest, parseJson, suggestion } from '../settings/layers.ts';
import { meaningOf, plainMeaning } from '../settings/meanings.ts';
import { leafOf, leaves, settingsSchema } from '../settings/schema.ts';
import {
  loadSettings,
  logPath,
  projectConfigPath,
  resolveProject,
  stateHome,
  userConfigPath,
} from '../settings/settings.ts';

/** The world of one command line; `write` and `complain` return the exit code that goes with them. */
export interface ConfigWorld {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  readonly cwd: string;
  readonly write: (text: string) => number;
  readonly complain: (text: string) => number;
}

export type ConfigOrder =
  | { readonly verb: 'init'; readonly inProject: boolean }
  | { readonly verb: 'show'; readonly explains: boolean }
  | { readonly verb: 'path' }
  | { readonly verb: 'get'; readonly key: string }
  | { readonly verb: 'unset'; readonly key: string; readonly inProject: boolean }
  | { readonly verb: 'set'; readonly key: string; readonly value: string; readonly inProject: boolean };

/** Returns the exit code: 0, or 2 after a complaint. */
export function config(order: ConfigOrder, world: ConfigWorld): number {
  const project = resolveProject('auto', world);
  const file = 'inProject' in order && order.inProject ? projectConfigPath(project) : userConfigPath(world);
  switch (order.verb) {
    case 'init':
      return init(file, world);
    case 'show':
      return show(project, order, world);
    case 'path':
      return paths(project, world);
    case 'get':
      return get(order.key, project, world);
    case 'set':
      return set({ file, key: order.key, value: order.value, project }, world);
    case 'unset':
      return unset(order.key, file, world);
  }
}

function init(file: string, { write, complain }: ConfigWorld): number {
  if (existsSync(file)) return complain(`${file} exists already and is left as it is.\n`);
  save(file, settingsSchema.parse({}));
  return write(`Wrote ${file}\n`);
}

function show(project: string, { explains }: { readonly explains: boolean }, world: ConfigWorld): number {
  const { settings, problems, origins } = loadSettings({ ...world, projectPath: project });
  const rows = leaves.flatMap((leaf) => {
    const { key } = leaf;
    const row = `${key} = ${json(lookUp(settings, key))}  (${origins[key] ?? 'default'})`;
    return explains ? [row, `    ${plainMeaning(meaningOf(leaf) ?? '')}`] : [row];
  });
  const warnings = problems.map(({ message }) => `Warning: ${message}`);
  return world.write(`${[...rows, ...warnings].join('\n')}\n`);
}

function paths(project: string, world: ConfigWorld): number {
  const home = stateHome(world);
  const mark = (path: string) => `${path}${existsSync(path) ? '' : ' (not there)'}`;
  return world.write(
    `user: ${mark(userConfigPath(world))}\nproject: ${mark(projectConfigPath(project))}\nstate: ${mark(home)}\nlog: ${mark(logPath(home))}\n`,
  );
}

function get(key: string, project: string, world: ConfigWorld): number {
  if (!isKey(key)) return world.complain(`Unknown key "${key}".${suggestion(key)}\n`);
  const { settings } = loadSettings({ ...world, projectPath: project });
  return world.write(`${json(lookUp(settings, key))}\n`);
}

interface Change {
  readonly file: string;
  readonly key: string;
  readonly value: string;
  readonly project: string;
}

function set({ file, key, value, project }: Change, world: ConfigWorld): number {
  const { write, complain } = world;
  if (!isKey(key)) return complain(`Unknown key "${key}".${suggestion(key)}\n`);
  const held = read(file);
  if (held === undefined) return complain(`${file} is not a JSON object; mend it first. Nothing was changed.\n`);
  const parsed = parseJson(value);
  const wanted = [...('value' in parsed ? [parsed.value] : []), value].find(
    (one) => check(key, one, file) === undefined,
  );
  if (wanted === undefined) return complain(`${check(key, value, file)?.message ?? ''} Nothing was changed.\n`);
  save(file, merge(held, nest({ [key]: wanted })));
  const { agreement } = loadSettings({ ...world, projectPath: project });
  const waits = agreement.file === file && agreement.keys.length > 0;
  return write(`${key} = ${json(wanted)} in ${file}\n${waits ? waitingNote(agreement.keys) : ''}`);
}

function unset(key: string, file: string, { write, complain }: ConfigWorld): number {
  const held = read(file);
  if (held === undefined) return complain(`${file} is not a JSON object; mend it first. Nothing was changed.\n`);
  const isSet = lookUp(held, key) !== undefined;
  if (!isSet && !isKey(key)) return complain(`Unknown key "${key}".${suggestion(key)}\n`);
  if (!isSet) return write(`${key} is not set in ${file}.\n`);
  save(file, without(held, key.split('.')));
  return write(`${key} is no longer set in ${file}\n`);
}

/** The content without the key, and without sections that would be empty. */
function without(held: Readonly<Record<string, unknown>>, [name = '', ...inner]: readonly string[]): object {
  const rest = inner.length === 0 ? {} : without(record.catch({}).parse(held[name]), inner);
  const others = Object.fromEntries(Object.entries(held).filter(([other]) => other !== name));
  return Object.keys(rest).length === 0 ? others : { ...others, [name]: rest };
}

const waitingNote = (keys: readonly string[]): string =>
  `Left aside until you run \`crewmux trust\` here: ${keys.join(', ')}\n`;

const isKey = (key: string) => leafOf(key) !== undefined;

const json = (value: unknown) => JSON.stringify(value) ?? 'unset';

const record = z.record(z.string(), z.unknown());

const lookUp = (settings: object, key: string): unknown =>
  key.split('.').reduce<unknown>((held, name) => record.catch({}).parse(held)[name], settings);

/** The content of the file; `{}` without a file, undefined for anything but a JSON object. */
function read(file: string): Readonly<Record<string, unknown>> | undefined {
  if (!existsSync(file)) return {};
  const parsed = parseJson(readFileSync(file, 'utf8'));
  return 'value' in parsed ? record.safeParse(parsed.value).data : undefined;
}

/** Merges the change into the content, one section deep. */
const merge = (held: Readonly<Record<string, unknown>>, change: Readonly<Record<string, unknown>>) => ({
  ...held,
  ...Object.fromEntries(
    Object.entries(change).map(([name, value]) => {
      const [before, after] = [record.safeParse(held[name]), record.safeParse(value)];
      return [name, before.success && after.success ? { ...before.data, ...after.data } : value];
    }),
  ),
});

function save(file: string, content: object): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
