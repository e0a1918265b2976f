// Which of git's folders a worker or a hook of a commit may write, and what a user keeps out of all repositories.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../../system/disk.ts';
import type { Repo } from './inspect.ts';
import { type Env, settingsAt, tryReadGit } from './repo.ts';

export interface GitDirs {
  /** Of the worktree. */
  readonly gitDir: string;
  /** Of the repository. */
  readonly commonDir: string;
}

const below = (folder: string, names: readonly string[]): readonly string[] => names.map((name) => join(folder, name));

/** Refs that only crewmux and the user's own git write. */
const foreignRefs = ['refs/remotes', 'refs/tags', 'refs/crewmux'];

/** What a commit on a branch writes; git keeps all branches in one folder. Pure. */
export const writtenByCommit = ({ gitDir, commonDir }: GitDirs): readonly string[] => [
  gitDir,
  ...below(commonDir, ['objects', 'refs/heads', 'logs/refs/heads']),
];

/** What says where a worktree belongs, what the repository and its main checkout are set to, and refs of others. Pure. */
export const guardedFromCommit = ({ gitDir, commonDir }: GitDirs): readonly string[] => [
  ...below(gitDir, ['commondir', 'gitdir', 'config.worktree', 'crewmux-worktree.json']),
  ...below(commonDir, ['HEAD', 'index', 'config', 'config.worktree', 'packed-refs', 'info', 'hooks', 'modules']),
  // An entry of the main checkout's history says that the user moved a branch.
  join(commonDir, 'logs', 'HEAD'),
  ...below(commonDir, ['objects/info', 'objects/pack', ...foreignRefs]),
];

/** What says which repository, branch and settings a worktree has. */
const belonging = ['HEAD', 'commondir', 'gitdir', 'config.worktree', 'crewmux-worktree.json'];

export interface HookPlaces {
  readonly hidden: readonly string[];
  readonly writable: readonly string[];
  readonly fixed: readonly string[];
}

/**
 * What a hook may write of git's folders: what `git add` and `git stash` write. Branches, settings and hooks it only
 * reads, and a file that it adds to the repository's folder is gone with it: git would follow a new `commondir` there.
 */
export async function placesOfHook({ gitCommonDir: common }: Repo, gitDir: string): Promise<HookPlaces> {
  const open = ['objects', 'refs', 'logs'];
  // A link to be made there could name programs, so that its name is taken.
  await makeEmpty(join(gitDir, 'config.worktree'));
  const others = (await readdir(common)).filter((name) => !open.includes(name));
  const closed = ['objects/info', 'objects/pack', 'refs/heads', ...foreignRefs, 'logs/HEAD', 'logs/refs/heads'];
  return {
    hidden: [common],
    writable: [...below(common, open), gitDir],
    fixed: [...below(common, [...others, ...closed]), ...below(gitDir, belonging)],
  };
}

/** Leaves what is there, whatever it is. */
export const makeEmpty = (path: string): Promise<void> =>
  writeFile(path, '', { flag: 'wx' }).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw error;
  });

/** The lines of the user's `core.excludesFile`; '' where there is none. */
export async function excludedByUser(gitCommonDir: string, env: Env): Promise<string> {
  const place = { path: gitCommonDir, env };
  const isNamed = (await settingsAt(place)).some(({ scope, key }) => scope === 'global' && key === 'core.excludesfile');
  const args = ['config', '--global', '--type=path', '--get', 'core.excludesFile'];
  const named = isNamed ? (await tryReadGit(place, args)).stdout.trim() : '';
  const { HOME: home = '/', XDG_CONFIG_HOME: config = join(home, '.config') } = env;
  const path = named === '' ? join(config, 'git/ignore') : named;
  return (await readFile(path, 'utf8').catch(() => '')).trimEnd();
}
