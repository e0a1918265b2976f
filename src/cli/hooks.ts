// Writes the plugin's hooks into the settings of a project, for who does not use the plugin; the card into Codex's too.
import { lstat, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { quote } from '../model/quote.ts';
import { readText } from '../system/atomic.ts';
import { codexHooks, type Hooks, ownHooks, withHooks } from './hooks-json.ts';
import type { CommandWorld } from './world.ts';

export interface HookWriting {
  readonly world: Pick<CommandWorld, 'pluginHooks' | 'isIgnored' | 'write' | 'complain'> & { readonly project: string };
  /** How this program is started. */
  readonly command: readonly string[];
  /** Codex's file of hooks; undefined where it gets none. */
  readonly codexFile?: string;
  readonly save: (file: string, text: string) => Promise<void>;
}

/** Returns the exit code: 0, or 2 after a complaint. */
export async function writeHooks(writing: HookWriting): Promise<number> {
  const { world, command, codexFile } = writing;
  const program = command[0] === 'npx' ? 'npx -y --prefer-offline crewmux' : command.map(quote).join(' ');
  const hooks = ownHooks(await world.pluginHooks(), program);
  const claude = await forClaude(hooks, writing);
  if (codexFile === undefined) return claude;
  const codex = await put(codexFile, codexHooks(hooks), writing);
  if (codex === 0) world.write('Codex asks once whether you trust the hook; its session then gets the card.\n');
  return Math.max(claude, codex);
}

async function forClaude(hooks: Hooks, writing: HookWriting): Promise<number> {
  const { world } = writing;
  const project = await realpath(world.project);
  const file = await reachedIn(project, '.claude', 'settings.local.json');
  if (file === undefined)
    return world.complain(
      `${join(project, '.claude/settings.local.json')} was left as it is: a link there leads out of the project, or nowhere. Make it a plain file and try again.\n`,
    );
  const code = await put(file, hooks, writing);
  if (code === 0 && !(await world.isIgnored(project, file)))
    world.write(`git does not ignore ${file}. Keep it out of commits: it is meant for this machine alone.\n`);
  return code;
}

async function put(file: string, hooks: Hooks, { world, save }: HookWriting): Promise<number> {
  const made = withHooks(await readText(file), hooks);
  if (made.is === 'refused') return world.complain(`${file} was left as it is: ${made.why}. Mend it and try again.\n`);
  if (made.is === 'present') return world.write(`${file} has the hooks of crewmux already and was left as it is.\n`);
  await save(file, made.text);
  return world.write(`Added the hooks of crewmux to ${file}: ${Object.keys(hooks).join(', ')}.\n`);
}

/** The file that a write reaches; undefined where it lies outside of the folder, or a link leads nowhere. */
async function reachedIn(root: string, ...path: readonly string[]): Promise<string | undefined> {
  let at: string | undefined = root;
  for (const name of path) at = at && (await realOrNew(join(at, name)));
  return at?.startsWith(root + sep) ? at : undefined;
}

/** The same where nothing is there. */
const realOrNew = (path: string): Promise<string | undefined> =>
  realpath(path).catch(() =>
    lstat(path).then(
      () => undefined,
      () => path,
    ),
  );
