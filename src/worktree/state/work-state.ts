// What a worktree holds that exists nowhere else.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { exists } from '../../system/disk.ts';
import { readPlain } from '../../system/plain-file.ts';
import { hiddenChanges, type IndexEntry, indexEntries } from '../git/draft-index.ts';
import { type FolderFacts, inspectFolder, type Repo } from '../git/inspect.ts';
import { type FileChange, nulEnded } from '../git/porcelain.ts';
import { untouchedPrepared } from '../git/prepared.ts';
import { type GitPlace, readGit, tryReadGit } from '../git/repo.ts';
import { isContained } from './contained.ts';
import { readStatus } from './status.ts';

export interface WorkState {
  /** Undefined before the first commit. */
  readonly headSha?: string;
  readonly branch?: string;
  readonly detached: boolean;
  /** Tracked files that differ from HEAD, with conflicts and files that are marked for git to overlook. */
  readonly dirtyFiles: number;
  /** Not ignored, and not put there by us. */
  readonly untrackedFiles: number;
  /** Repositories of their own inside the worktree; git would not look into them. */
  readonly nestedRepos: readonly string[];
  /** Initialised submodules, whose commits live in the worktree's own git folder. */
  readonly submodules: boolean;
  readonly ahead: number;
  readonly behind: number;
  /** Subjects of the newest commits that the base lacks. */
  readonly commits: readonly string[];
  /** The base holds every change, by ancestry or by content; false when git cannot say. */
  readonly merged: boolean;
  readonly locked: boolean;
  /** Given where somebody gave one. */
  readonly lockReason?: string;
  /** What it was compared with; undefined where there is nothing. */
  readonly base?: string;
  /** HEAD's commits are on no branch and under no tag. */
  readonly unreachable: boolean;
  /** A merge, rebase, cherry-pick, revert or bisect that was not finished. */
  readonly operation?: string;
}

export interface Base {
  readonly ref: string;
  readonly sha?: string;
}

export interface WorkStateRequest {
  readonly worktreePath: string;
  /** The repository's own current branch unless given; with 'none' it is compared with nothing. */
  readonly base?: Base | 'none';
  readonly env: GitPlace['env'];
  /** Shared by those who ask for many worktrees. */
  readonly tips?: BaseTips;
  /** How many subjects are wanted. */
  readonly subjects?: number;
}

/** What worktrees are compared with, asked of git once. */
export class BaseTips {
  readonly #known = new Map<string, Promise<string | undefined>>();

  of(place: GitPlace, repo: Repo, base: Base | undefined): Promise<string | undefined> {
    const key = JSON.stringify([repo.gitCommonDir, base?.ref, base?.sha]);
    const found = this.#known.get(key) ?? baseTip(place, repo, base);
    this.#known.set(key, found);
    return found;
  }
}

const maxSubjects = 20;

/** Throws whenever git cannot tell; a caller takes that as "there may be work". */
export const workState = async (request: WorkStateRequest): Promise<WorkState> => (await lookAtWork(request)).state;

export interface WorktreeWork {
  readonly state: WorkState;
  readonly folder: FolderFacts;
  readonly changes: readonly FileChange[];
  /** Changed files that git status passes over. */
  readonly hidden: readonly string[];
  readonly entries: readonly IndexEntry[];
}

/** The same, with what it was concluded from. */
export async function lookAtWork(request: WorkStateRequest): Promise<WorktreeWork> {
  const place = { path: request.worktreePath, env: request.env };
  const [folder, status] = await Promise.all([inspectFolder(place), readStatus(place)]);
  // A worktree whose link is broken would be taken for a folder of the repository around it.
  if (folder?.worktreeRoot === undefined || folder.subfolder !== '') throw noWorktree(request.worktreePath);
  const top = { path: folder.worktreeRoot, env: request.env };
  const sha = status.sha;
  const { base, tips = new BaseTips(), subjects = maxSubjects } = request;
  const entries = indexEntries(folder);
  const [files, hidden, progress, unreachable, operation, submodules, lockReason] = await Promise.all([
    countFiles(status.changes, folder),
    entries.then((all) => hiddenChanges(folder, all)),
    sha === undefined || base === 'none'
      ? noProgress
      : tips.of(top, folder, base).then((tip) => progressOf(top, { tip, commit: 'HEAD', subjects })),
    sha !== undefined && status.branch === undefined ? isUnreachable(top, sha) : false,
    findOperation(folder.gitDir),
    hasEntries(join(folder.gitDir, 'modules')),
    readPlain(join(folder.gitDir, 'locked')),
  ]);
  const state: WorkState = {
    ...defined({ headSha: sha, branch: status.branch }),
    detached: status.branch === undefined,
    ...files,
    dirtyFiles: files.dirtyFiles + hidden.length,
    submodules: submodules && folder.gitDir !== folder.gitCommonDir,
    ...progress,
    locked: lockReason !== undefined,
    ...defined({ lockReason: lockReason?.toString('utf8').trim() || undefined }),
    unreachable,
    ...defined({ operation }),
  };
  return { state, folder, changes: status.changes, hidden, entries: await entries };
}

const noProgress: BranchProgress = { ahead: 0, behind: 0, commits: [], merged: false };

const noWorktree = (path: string) =>
  new CrewError(
    'not_a_repository',
    `${path} is not the top of a worktree that git knows.`,
    'Call list_worktrees for those there are.',
  );

async function countFiles(changes: readonly FileChange[], folder: FolderFacts) {
  const untracked = changes.filter((change) => change.kind === 'untracked').map((change) => change.path);
  const ours = untracked.length === 0 ? new Set() : await untouchedPrepared(folder.gitDir, folder.worktreeRoot ?? '');
  return {
    dirtyFiles: changes.length - untracked.length,
    untrackedFiles: untracked.filter((path) => !ours.has(path)).length,
    nestedRepos: untracked.filter((path) => path.endsWith('/')),
  };
}

export type BranchProgress = Pick<WorkState, 'ahead' | 'behind' | 'commits' | 'merged' | 'base'>;

export interface Compared {
  /** A ref or a commit; nothing can be said without one. */
  readonly tip: string | undefined;
  readonly commit: string;
  readonly subjects: number;
}

/** How far a commit has come since it left another, and whether that one has it all by now. */
export async function progressOf(place: GitPlace, { tip, commit, subjects }: Compared): Promise<BranchProgress> {
  if (tip === undefined) return noProgress;
  const base = tip.replace(/^refs\/(heads|remotes|tags)\//, '');
  const counts = await readGit(place, ['rev-list', '--left-right', '--count', `${tip}...${commit}`, '--']);
  const [behind = Number.NaN, ahead = Number.NaN] = counts.trim().split(/\s+/).map(Number);
  if (Number.isNaN(ahead + behind)) throw new Error(`git rev-list printed ${JSON.stringify(counts)}.`);
  if (ahead === 0) return { ahead, behind, commits: [], merged: true, base };
  const [commits, merged] = await Promise.all([
    subjectsOf(place, { tip, commit, subjects }),
    behind > 0 && isContained(place, tip, commit),
  ]);
  return { ahead, behind, commits, merged, base };
}

async function subjectsOf(place: GitPlace, { tip, commit, subjects }: Compared): Promise<readonly string[]> {
  if (subjects === 0) return [];
  const args = ['log', '-z', '--no-show-signature', '--format=%s', '-n', String(subjects)];
  const printed = await readGit(place, [...args, `${tip}..${commit}`, '--']);
  return nulEnded(printed);
}

/** The branch or tag of the base where it stands now; its commit where there is no such name. */
export async function baseTip(place: GitPlace, repo: Repo, base: Base | undefined): Promise<string | undefined> {
  const ref = base?.ref ?? (await mainBranch(repo));
  if (ref === undefined) return undefined;
  const names = ['refs/heads/', 'refs/remotes/', 'refs/tags/'].map((prefix) => prefix + ref);
  const listed = await readGit(place, ['for-each-ref', '--format=%(refname)', ...names]);
  const found = listed.split('\n').find((name) => names.includes(name));
  return found ?? base?.sha;
}

async function mainBranch(repo: Repo): Promise<string | undefined> {
  const result = await tryReadGit({ path: repo.gitCommonDir, env: repo.env }, ['symbolic-ref', '--short', 'HEAD']);
  return result.exitCode === 0 ? result.stdout.trim() : undefined;
}

async function isUnreachable(place: GitPlace, sha: string): Promise<boolean> {
  const args = ['for-each-ref', '--count=1', `--contains=${sha}`, 'refs/heads', 'refs/remotes', 'refs/tags'];
  return (await readGit(place, args)) === '';
}

const operations = [
  ['MERGE_HEAD', 'merge'],
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['BISECT_LOG', 'bisect'],
] as const;

/** What was begun in a worktree and not finished. */
export async function findOperation(gitDir: string): Promise<string | undefined> {
  const found = await Promise.all(
    operations.map(async ([file, name]) => ((await exists(join(gitDir, file))) ? name : '')),
  );
  return found.find((name) => name !== '');
}

const hasEntries = (dir: string): Promise<boolean> =>
  readdir(dir).then(
    (names) => names.length > 0,
    () => false,
  );
