// The real CLIs, installed once into a cache folder that the project's dependencies know nothing of.
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { messageOf } from '../../src/model/errors.ts';
import { newNonce } from '../../src/model/ids.ts';

const exec = promisify(execFile);
const here = import.meta.dirname;
const programs = {
  claude: { packageName: '@anthropic-ai/claude-code', versionWords: (version: string) => version },
  codex: { packageName: '@openai/codex', versionWords: (version: string) => `codex-cli ${version}` },
} as const;
type Program = keyof typeof programs;
const all: readonly Program[] = ['claude', 'codex'];
const pins = z.object({ dependencies: z.record(z.string(), z.string()) });

/** The version that `package.json` pins. */
export const versionOf = (program: Program): string =>
  pins.parse(JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))).dependencies[
    programs[program].packageName
  ] ?? '';

export const cacheDir = (): string =>
  process.env.XDG_CACHE_HOME === undefined
    ? join(here, '../../node_modules/.cache/crewmux-real')
    : join(process.env.XDG_CACHE_HOME, 'crewmux-real');
const installDir = () => join(cacheDir(), all.map((program) => `${program}-${versionOf(program)}`).join('-'));
const binaryIn = (dir: string, program: Program) => join(dir, 'node_modules/.bin', program);

/** The program the tests run; `ensureAgents` has put it there. */
export const agentBinary = (program: Program): string => binaryIn(installDir(), program);

/** Installs the CLIs when they are missing. Two at a time are safe: the first to finish wins. */
export async function ensureAgents(): Promise<void> {
  if (all.every((program) => existsSync(agentBinary(program)))) return;
  const fresh = join(cacheDir(), `fresh-${newNonce()}`);
  mkdirSync(fresh, { recursive: true });
  try {
    await install(fresh);
    moveInto(fresh, installDir());
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

async function install(dir: string): Promise<void> {
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(here, name), join(dir, name));
  try {
    await exec('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: dir, timeout: 300_000 });
  } catch (error) {
    throw new Error(
      'npm could not fetch the agents that the tests on real CLIs need. They cannot run without the network the ' +
        `first time; nothing was skipped. npm said: ${messageOf(error).slice(-600)}`,
    );
  }
  // npm may be set to run no install scripts; this one puts the native program in its place.
  const claudeDir = join(dir, 'node_modules', programs.claude.packageName);
  if (!(await runs(dir, 'claude'))) await exec('node', ['install.cjs'], { cwd: claudeDir });
  for (const program of all) {
    if (await runs(dir, program)) continue;
    throw new Error(`${binaryIn(dir, program)} --version does not answer ${versionOf(program)}`);
  }
}

async function runs(dir: string, program: Program): Promise<boolean> {
  const env = { PATH: process.env.PATH, HOME: dir, CLAUDE_CONFIG_DIR: dir, CODEX_HOME: dir };
  const asked = exec(binaryIn(dir, program), ['--version'], { env, cwd: dir, timeout: 60_000 });
  const said = await asked.catch(() => undefined);
  return said?.stdout.startsWith(programs[program].versionWords(versionOf(program))) ?? false;
}

function moveInto(fresh: string, final: string): void {
  try {
    renameSync(fresh, final);
  } catch (error) {
    if (!all.every((program) => existsSync(binaryIn(final, program)))) throw error;
  }
}
