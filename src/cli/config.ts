// `crewmux config`: shows and changes the settings.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { check, nest, parseJson, suggestion } from '../settings/layers.ts';
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

const usage = `Usage: crewmux config init                write a configuration file with the defaults
       crewmux config show                every setting, and where its value comes from
       crewmux config get <key>           one setting, as JSON
       crewmux config set <key> <value>   change one setting (value as JSON, or plain text)
       crewmux config path                where configuration, state and log lie
Add --project to init or set to mean the file of the project.
`;

/** Runs one verb and returns the exit code: 0, or 2 after a complaint. */
export function config(args: readonly string[], world: ConfigWorld): number {
  const [verb, ...rest] = args.filter((arg) => arg !== '--project');
  const project = resolveProject('auto', world);
  const file = args.includes('--project') ? projectConfigPath(project) : userConfigPath(world);
  const [key = '', value] = rest;
  if (verb === 'init' && rest.length === 0) return init(file, world);
  if (verb === 'show' && rest.length === 0) return show(project, world);
  if (verb === 'path' && rest.length === 0) return paths(project, world);
  if (verb === 'get' && rest.length === 1) return get(key, project, world);
  if (verb === 'set' && rest.length === 2 && value !== undefined) return set({ file, key, value, project }, world);
  return world.complain(usage);
}

function init(file: string, { write, complain }: ConfigWorld): number {
  if (existsSync(file)) return complain(`${file} exists already and is left as it is.\n`);
  save(file, settingsSchema.parse({}));
  return write(`Wrote ${file}\n`);
}

function show(project: string, world: ConfigWorld): number {
  const { settings, problems, origins } = loadSettings({ ...world, projectPath: project });
  const rows = leaves.map(({ key }) => `${key} = ${json(lookUp(settings, key))}  (${origins[key] ?? 'default'})`);
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
