// `crewmux init`: registers crewmux with Claude Code in this project, and with Codex.
import { mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { resolveProject } from '../settings/settings.ts';
import { readText, writeAtomic } from '../system/atomic.ts';
import { codexEntry, withCodexEntry } from './codex-config.ts';
import { withServer } from './mcp-json.ts';

export interface InitWorld {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  readonly cwd: string;
  /** The file of this program. */
  readonly program: string;
  /** The names of the set variables that workers get. */
  readonly variables: readonly string[];
  readonly write: (text: string) => number;
  readonly complain: (text: string) => number;
}

const usage = `Usage: crewmux init            add crewmux to .mcp.json of this project; print the entry for Codex
       crewmux init --codex    add it to Codex's config.toml too
`;

/** Returns the exit code: 0, or 2 after a complaint. Leaves an existing entry as it is. */
export async function init(args: readonly string[], world: InitWorld): Promise<number> {
  if (args.some((arg) => arg !== '--codex')) return world.complain(usage);
  const command = commandOf(world.program);
  const claude = await initClaude(command, world);
  const entry = codexEntry({ command, variables: world.variables });
  const codex = args.includes('--codex') ? await initCodex(entry, world) : offerCodex(entry, world);
  return Math.max(claude, codex);
}

/** The package name of an installed program, the path of a checkout. */
function commandOf(program: string): readonly [string, ...string[]] {
  return program.includes('/node_modules/') ? ['npx', '-y', 'crewmux'] : ['node', program];
}

async function initClaude([command, ...args]: readonly [string, ...string[]], world: InitWorld): Promise<number> {
  const file = await realFile(join(resolveProject('auto', world), '.mcp.json'));
  const entry = { type: 'stdio', command, args, timeout: 3_600_000 };
  const made = withServer(await readText(file), 'crewmux', entry);
  if (made.is === 'refused') return world.complain(`${file} was left as it is: ${made.why}. Mend it and try again.\n`);
  if (made.is === 'present') return world.write(`${file} names crewmux already and was left as it is.\n`);
  await save(file, made.text);
  return world.write(`Added crewmux to ${file}. Start \`claude\` here and approve it once.\n`);
}

const configFile = ({ env, userHome }: InitWorld): string =>
  join(env.CODEX_HOME || join(userHome, '.codex'), 'config.toml');

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
