// How a project is tested, by the files it has.
import { join } from 'node:path';
import { z } from 'zod';
import { exists } from '../../system/disk.ts';
import { plainText } from '../../system/plain-file.ts';
import { repoPlace } from '../git/branch.ts';
import type { Repo } from '../git/inspect.ts';
import { readGit } from '../git/repo.ts';

const manifest = z.looseObject({ scripts: z.looseObject({ test: z.string().optional() }).optional() });
const placeholder = /no test specified/;

const telling = ['package.json', 'Cargo.toml', 'go.mod', 'pytest.ini', 'pyproject.toml', 'setup.cfg', 'Makefile'];
const tells = new Set(telling.map((name) => name.toLowerCase()));

/** Whether a commit has a file that could say how it is tested, in whatever letters its disk takes for the same. */
export async function couldHaveTests(repo: Repo, commit: string): Promise<boolean> {
  const printed = await readGit(repoPlace(repo), ['ls-tree', '-z', '--name-only', commit]);
  return printed.split('\0').some((name) => tells.has(name.toLowerCase()));
}

/** A line for a shell; undefined where nothing says how. */
export async function findTestCommand(folder: string): Promise<string | undefined> {
  const has = (name: string) => exists(join(folder, name));
  if (await hasTestScript(folder)) return `${await packageProgram(folder)} test`;
  if (await has('Cargo.toml')) return 'cargo test';
  if (await has('go.mod')) return 'go test ./...';
  if (await usesPytest(folder)) return 'python3 -m pytest';
  return /^test\s*:/m.test(await textOf(folder, 'Makefile')) ? 'make test' : undefined;
}

const textOf = (folder: string, name: string): Promise<string> => plainText(join(folder, name));

async function hasTestScript(folder: string): Promise<boolean> {
  try {
    const script = manifest.parse(JSON.parse(await textOf(folder, 'package.json'))).scripts?.test;
    return script !== undefined && script.trim() !== '' && !placeholder.test(script);
  } catch {
    return false;
  }
}

const lockFiles = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun run'],
  ['bun.lockb', 'bun run'],
] as const;

async function packageProgram(folder: string): Promise<string> {
  for (const [name, program] of lockFiles) if (await exists(join(folder, name))) return program;
  return 'npm';
}

async function usesPytest(folder: string): Promise<boolean> {
  if (await exists(join(folder, 'pytest.ini'))) return true;
  const result = `${await textOf(folder, 'pyproject.toml')}\n${await textOf(folder, 'setup.cfg')}`;
  return /^\[(?:tool\.pytest\.|tool:pytest)/m.test(result);
}
