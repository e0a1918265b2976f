// What a folder is to git: which repository, which worktree, which commit.

import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { advise, call } from '../../model/advice.ts';
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { movedLink } from './git-link.ts';
import { type Env, type GitPlace, gitFailed, tryReadGit } from './repo.ts';

/** A repository as every function of this room takes it. */
export interface Repo {
  /** The main worktree's real path; the repository itself when that is bare. */
  readonly mainRepoPath: string;
  readonly gitCommonDir: string;
  readonly env: Env;
}

export interface Head {
  /** Undefined before the first commit. */
  readonly sha?: string;
  /** Undefined when HEAD is detached. */
  readonly branch?: string;
}

export interface FolderFacts extends Repo {
  /** Undefined for a bare repository and inside a `.git` folder. */
  readonly worktreeRoot?: string;
  /** The git folder of this very worktree. */
  readonly gitDir: string;
  /** The asked path below `worktreeRoot`; empty at its top. */
  readonly subfolder: string;
  readonly head: Head;
  readonly isBare: boolean;
  readonly isShallow: boolean;
}

/**
 * Undefined when the folder lies in no git repository; throws when git cannot tell, and where the top of a worktree of
 * ours is tied to another place than at its making, unless that is to be looked at all the same.
 */
export async function inspectFolder(
  place: GitPlace,
  { alsoMoved = false }: { readonly alsoMoved?: boolean } = {},
): Promise<FolderFacts | undefined> {
  const at = { path: await realFolder(place.path), env: place.env };
  const moved = alsoMoved ? undefined : movedLink(at.path);
  if (moved !== undefined) throw movedTree(at.path, moved);
  const dirs = ['--path-format=absolute', '--git-common-dir', '--git-dir', '--show-prefix', '--show-toplevel'];
  const states = ['--is-bare-repository', '--is-inside-work-tree', '--is-shallow-repository'];
  const args = ['rev-parse', ...states, ...dirs, 'HEAD', '--symbolic-full-name', 'HEAD'];
  const result = await tryReadGit(at, args);
  if (/not a git repository/.test(result.stderr)) return undefined;
  if (result.stdout.split('\n').length > mostLines) throw brokenPath(at.path);
  const [bare, inside, shallow, common, gitDir, prefix, toplevel, sha, name] = result.stdout.split('\n');
  if (common === undefined || gitDir === undefined || prefix === undefined) throw gitFailed(at, args, result);
  const isBare = bare === 'true';
  const root = inside === 'true' ? toplevel : undefined;
  const complete = result.exitCode === 0 && sha !== undefined && name !== undefined;
  return {
    mainRepoPath: await mainRepo({ at, common, gitDir, root, isBare }),
    gitCommonDir: common,
    env: place.env,
    ...defined({ worktreeRoot: root }),
    gitDir,
    subfolder: prefix.replace(/\/$/, ''),
    head: complete ? { sha, ...branchOf(name) } : await readHead(at),
    isBare: isBare && root === undefined,
    isShallow: shallow === 'true',
  };
}

const movedTree = (path: string, words: string) =>
  new CrewError(
    'worktree_failed',
    `The worktree ${path} is not tied any more to where it was made: ${words}.`,
    advise`Nothing was changed. ${call('close_workers with force: true', '`crewmux close --force`')} ties it again, saves what it holds, and removes it.`,
  );

/** One for each thing asked, and the end of the last. */
const mostLines = 10;

const brokenPath = (path: string) =>
  new CrewError(
    'invalid_argument',
    `A line break is in the path of the repository at ${JSON.stringify(path)}, and git prints paths in lines.`,
    'Move the repository to a path without one.',
  );

/** The real path of a folder that must exist. */
export async function realFolder(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (cause) {
    throw new CrewError('invalid_argument', `There is no folder at ${path}.`, 'Pass a folder that exists.', { cause });
  }
}

const branchOf = (refName: string) =>
  refName.startsWith('refs/heads/') ? { branch: refName.slice('refs/heads/'.length) } : {};

/** The way round for a HEAD that `rev-parse` cannot answer together with the rest. */
async function readHead(at: GitPlace): Promise<Head> {
  const [commit, name] = await Promise.all([
    tryReadGit(at, ['rev-parse', '--verify', 'HEAD^{commit}']),
    tryReadGit(at, ['symbolic-ref', 'HEAD']),
  ]);
  return {
    ...(commit.exitCode === 0 ? { sha: commit.stdout.trim() } : {}),
    ...(name.exitCode === 0 ? branchOf(name.stdout.trim()) : {}),
  };
}

async function mainRepo(facts: {
  at: GitPlace;
  common: string;
  gitDir: string;
  root: string | undefined;
  isBare: boolean;
}): Promise<string> {
  const { common, gitDir, root } = facts;
  if (gitDir === common && root !== undefined) return root;
  if (basename(common) === '.git') return dirname(common);
  if (facts.isBare) return common;
  // A linked worktree of a bare repository, of a submodule, or of one with a git folder elsewhere.
  const config = join(common, 'config');
  const result = await tryReadGit(facts.at, ['config', '--file', config, '--get', 'core.worktree']);
  return result.exitCode === 0 ? resolve(common, result.stdout.trim()) : common;
}
