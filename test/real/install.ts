// The real CLI, installed once into a cache folder that the project's dependencies know nothing of.
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { messageOf } from '../../src/model/errors.ts';
import { newNonce } from '../../src/model/ids.ts';

const exec = promisify(execFile);
const here = import.meta.dirname;
const packageName = '@anthropic-ai/claude-code';
const pins = z.object({ dependencies: z.record(z.string(), z.string()) });

/** The version that `package.json` pins. */
export const claudeVersion =
  pins.parse(JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))).dependencies[packageName] ?? '';

const cacheDir = () =>
  process.env.XDG_CACHE_HOME === undefined
    ? join(here, '../../node_modules/.cache/crewmux-real')
    : join(process.env.XDG_CACHE_HOME, 'crewmux-real');
const installDir = () => join(cacheDir(), `claude-${claudeVersion}`);
const binaryIn = (dir: string) => join(dir, 'node_modules/.bin/claude');

/** The program the tests run; `ensureClaude` has put it there. */
export const claudeBinary = (): string => binaryIn(installDir());

/** Installs the CLI when it is missing. Two at a time are safe: the first to finish wins. */
export async function ensureClaude(): Promise<void> {
  if (existsSync(claudeBinary())) return;
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
      `npm could not fetch ${packageName} ${claudeVersion}, which the tests on the real CLI need. They cannot run ` +
        `without the network the first time; nothing was skipped. npm said: ${messageOf(error).slice(-600)}`,
    );
  }
  // npm may be set to run no install scripts; this one puts the native program in its place.
  if (!(await runs(dir))) await exec('node', ['install.cjs'], { cwd: join(dir, 'node_modules', packageName) });
  if (!(await runs(dir))) throw new Error(`${binaryIn(dir)} --version does not answer ${claudeVersion}`);
}

async function runs(dir: string): Promise<boolean> {
  const env = { PATH: process.env.PATH, HOME: dir, CLAUDE_CONFIG_DIR: dir };
  const said = await exec(binaryIn(dir), ['--version'], { env, cwd: dir, timeout: 60_000 }).catch(() => undefined);
  return said?.stdout.startsWith(claudeVersion) ?? false;
}

function moveInto(fresh: string, final: string): void {
  try {
    renameSync(fresh, final);
  } catch (error) {
    if (!existsSync(binaryIn(final))) throw error;
  }
}
