// Caches of package managers in a folder of their own, so that nobody outside of a sandbox runs what was cached in it.
import { join } from 'node:path';
import { below } from '../../system/disk.ts';
import type { Env } from '../git/repo.ts';

/**
 * Each tool is told by its own variable. `XDG_CACHE_HOME` would also take away what other programs have cached, such as
 * the browsers of Playwright.
 */
const folders: Readonly<Record<string, string>> = {
  npm_config_cache: 'npm',
  // pnpm keeps its store there.
  PNPM_HOME: 'pnpm',
  pnpm_config_store_dir: 'pnpm/store',
  // The first Yarn. The variable YARN_CACHE_FOLDER would also move the cache that a project of a later one has committed.
  YARN_PREFERRED_CACHE_FOLDER: 'yarn',
  YARN_GLOBAL_FOLDER: 'yarn-berry',
  BUN_INSTALL_CACHE_DIR: 'bun',
  PIP_CACHE_DIR: 'pip',
  UV_CACHE_DIR: 'uv',
  // More than a cache: settings there do not count, those in the folders above the project do.
  CARGO_HOME: 'cargo',
  GOMODCACHE: 'go-mod',
  GOCACHE: 'go-build',
  GRADLE_USER_HOME: 'gradle',
  // Maven's wrapper keeps its Maven there.
  MAVEN_USER_HOME: 'm2',
};

/** The variables that move them below `folder`, laid over `env`. One that leads into a folder of `open` stays. Pure. */
export function ownCaches(folder: string, env: Env, open: readonly string[] = []): Env {
  const isOpen = (path: string) => open.some((one) => one === path || below(one, path) !== undefined);
  const moved = Object.entries(folders).flatMap(([name, at]) =>
    isOpen(env[name] ?? '') ? [] : [[name, join(folder, 'caches', at)] as const],
  );
  const { MAVEN_OPTS: maven = '' } = env;
  const repository = `-Dmaven.repo.local=${join(folder, 'caches/m2/repository')}`;
  const isSaid = maven.includes('-Dmaven.repo.local=');
  return { ...Object.fromEntries(moved), ...(isSaid ? {} : { MAVEN_OPTS: `${maven} ${repository}`.trimStart() }) };
}
