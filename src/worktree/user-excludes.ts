// What a user keeps out of all of their repositories.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Env, tryReadGit } from './repo.ts';

/** The lines of the user's `core.excludesFile`; '' where there is none. */
export async function excludedByUser(gitCommonDir: string, env: Env): Promise<string> {
  const args = ['config', '--global', '--type=path', '--get', 'core.excludesFile'];
  const named = (await tryReadGit({ path: gitCommonDir, env }, args)).stdout.trim();
  const { HOME: home = '/', XDG_CONFIG_HOME: config = join(home, '.config') } = env;
  const path = named === '' ? join(config, 'git/ignore') : named;
  return (await readFile(path, 'utf8').catch(() => '')).trimEnd();
}
