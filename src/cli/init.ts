// `crewmux init`: registers crewmux with Claude Code in this project, and with Codex where that is.
import { mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { defined } from '../model/defined.ts';
import type { BuiltInAgent } from '../model/worker.ts';
import { resolveProject } from '../settings/settings.ts';
import { readText, writeAtomic } from '../system/atomic.ts';
import { exists, findProgram } from '../system/disk.ts';
import { codexEntry, withCodexEntry } from './codex-config.ts';
import { copyCommands } from './commands.ts';
import { writeHooks } from './hooks.ts';
import { withServer } from './mcp-json.ts';
import { programName } from './program-name.ts';
import type { CommandWorld } from './world.ts';

export interface InitWorld extends Pick<CommandWorld, 'pluginHooks' | 'isIgnored' | 'checkoutTop'> {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  readonly cwd: string;
  /** The file of this program. */
  readonly program: string;
  /** The names of the set variables that workers get. */
  readonly variables: readonly string[];
  /** The programs that the settings name for the agents. */
  readonly programs: Readonly<Record<BuiltInAgent, string>>;
  /** Each SKILL.md of the plugin by its name. */
  readonly commandTexts: () => Promise<Readonly<Record<string, string>>>;
  /** Resolves to whether the person says yes; undefined where there is no terminal. */
  readonly ask?: (question: string) => Promise<boolean>;
  readonly write: (text: string) => number;
  readonly complain: (text: string) => number;
}

export interface InitOrder {
  readonly codex: boolean;
  readonly commands: boolean;
  readonly hooks: boolean;
  /** Also outside of a git repository, without a question. */
  readonly yes: boolean;
}

interface Placed extends InitWorld {
  /** The top of the checkout. */
  readonly project: string;
}

/** Returns the exit code: 0, 1 when the person says no, or 2 after a complaint. Leaves an existing entry or file as it is. */
export async function init(order: InitOrder, world: InitWorld): Promise<number> {
  const project = await placeOf(order, world);
  if (typeof project === 'number') return project;
  const code = await initIn(order, { ...world, project });
  if (programName(world) !== 'crewmux')
    world.write(
      '\nnpx looks the program up each time: `npm i -g crewmux` installs it, and the word is crewmux then.\n',
    );
  return code;
}

/** Where the files go, or the exit code. */
async function placeOf({ yes }: InitOrder, world: InitWorld): Promise<string | number> {
  const asked = resolveProject('auto', world);
  const top = await world.checkoutTop(asked);
  if (top === undefined) {
    const outside = `${asked} is in no git checkout, and there workers share one folder.`;
    if (yes) return asked;
    if (world.ask === undefined)
      return world.complain(`${outside} Nothing was written. Run it in your project, or pass --yes.\n`);
    if (await agrees(`${outside} Add crewmux here all the same?`, world)) return asked;
    world.write('Nothing was written.\n');
    return 1;
  }
  if (top !== (await realFile(asked))) world.write(`${asked} lies in the checkout ${top}, and crewmux goes there.\n`);
  return top;
}

async function initIn(order: InitOrder, world: Placed): Promise<number> {
  const command = commandOf(world.program);
  const [hasClaude, hasCodex] = await Promise.all([isThere('claude', world), isThere('codex', world)]);
  const claude = await initClaude(command, world);
  if (!hasClaude) world.write('Claude Code was not found here; the entry waits for it.\n');
  const entry = codexEntry({ command, variables: world.variables });
  const asked = order.codex || (hasCodex && (await agrees(`Add it to ${configFile(world)} for Codex too?`, world)));
  const codex = asked ? await initCodex(entry, world) : hasCodex ? offerCodex(entry, world) : noCodex(world);
  await initCommands(order, hasCodex || order.codex, world);
  const hooks = await initHooks(order, { command, forCodex: asked }, world);
  return Math.max(claude, codex, hooks);
}

/** It is installed, or has been here. */
async function isThere(agent: BuiltInAgent, { env, userHome, cwd, programs }: InitWorld): Promise<boolean> {
  const found = await findProgram(programs[agent], { path: env.PATH ?? '', cwd });
  return found !== undefined || exists(stateOf(agent, { env, userHome }));
}

const agrees = async (question: string, { ask }: InitWorld): Promise<boolean> =>
  (await ask?.(`${question} [y/N] `)) ?? false;

async function initCommands({ commands }: InitOrder, forCodex: boolean, world: Placed): Promise<void> {
  if (!commands && !(await agrees('Copy the slash commands into this project?', world))) {
    world.write('\n`crewmux init --commands` copies slash commands such as /spawn-workers into this project.\n');
    return;
  }
  const texts = await world.commandTexts();
  world.write(`\n${await copyCommands({ project: world.project, texts, forCodex, save })}`);
}

interface Hooked {
  readonly command: readonly string[];
  readonly forCodex: boolean;
}

async function initHooks({ hooks }: InitOrder, { command, forCodex }: Hooked, world: Placed): Promise<number> {
  if (!hooks && !(await agrees('Let hooks show your sessions here their crew, as the plugin does?', world)))
    return world.write('\n`crewmux init --hooks` lets hooks show your sessions here their crew, as the plugin does.\n');
  world.write('\n');
  const codexFile = forCodex ? await realFile(join(stateOf('codex', world), 'hooks.json')) : undefined;
  return writeHooks({ world, command, save, ...defined({ codexFile }) });
}

/** The package name of an installed program, the path of a checkout. */
function commandOf(program: string): readonly [string, ...string[]] {
  return program.includes('/node_modules/') ? ['npx', '-y', 'crewmux'] : ['node', program];
}

async function initClaude([command, ...args]: readonly [string, ...string[]], world: Placed): Promise<number> {
  const file = await realFile(join(world.project, '.mcp.json'));
  const entry = { type: 'stdio', command, args, timeout: 3_600_000 };
  const made = withServer(await readText(file), 'crewmux', entry);
  if (made.is === 'refused') return world.complain(`${file} was left as it is: ${made.why}. Mend it and try again.\n`);
  if (made.is === 'present') return world.write(`${file} names crewmux already and was left as it is.\n`);
  await save(file, made.text);
  return world.write(`Added crewmux to ${file}. Start \`claude\` here and approve it once.\n`);
}

const stateOf = (agent: BuiltInAgent, { env, userHome }: Pick<InitWorld, 'env' | 'userHome'>): string =>
  agent === 'claude' ? env.CLAUDE_CONFIG_DIR || join(userHome, '.claude') : env.CODEX_HOME || join(userHome, '.codex');

const configFile = (world: InitWorld): string => join(stateOf('codex', world), 'config.toml');

const noCodex = (world: InitWorld): number =>
  world.write('Codex was not found here; `crewmux init --codex` adds crewmux to its configuration all the same.\n');

const offerCodex = (entry: string, world: InitWorld): number =>
  world.write(`\nFor Codex, add this to ${configFile(world)} (\`crewmux init --codex\` does):\n\n${entry}`);

async function initCodex(entry: string, world: InitWorld): Promise<number> {
  const file = await realFile(configFile(world));
  const made = withCodexEntry(await readText(file), entry);
  if (made.is === 'present') return world.write(`${file} names crewmux already and was left as it is.\n`);
  if (made.is === 'inline') {
    return world.complain(
      `${file} was left as it is: its mcp_servers are one inline table, to which nothing can be appended. ` +
        `Add this by hand:\n\n${entry}`,
    );
  }
  await save(file, made.text);
  return world.write(`Added crewmux to ${file}.\n`);
}

/** The target of a link, so that a write does not replace the link. */
const realFile = (path: string): Promise<string> => realpath(path).catch(() => path);

async function save(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const mode = await stat(file).then(
    (found) => found.mode & 0o777,
    () => 0o644,
  );
  await writeAtomic(file, text, mode);
}
