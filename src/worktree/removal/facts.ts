// Reads the facts that decide whether crewmux may remove a worktree.
import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { defined } from '../../model/defined.ts';
import { messageOf } from '../../model/errors.ts';
import { below, unlessMissing } from '../../system/disk.ts';
import { repoPlace } from '../git/branch.ts';
import { gitDirOf } from '../git/git-link.ts';
import type { Repo } from '../git/inspect.ts';
import { nulEnded, type RegisteredWorktree } from '../git/porcelain.ts';
import { registeredWorktrees } from '../git/registered.ts';
import { type GitPlace, readGit, tryReadGit } from '../git/repo.ts';
import { strayCommits } from '../salvage/git-folder.ts';
import { savable } from '../salvage/unsavable.ts';
import { lookAtWork, type WorkState } from '../state/work-state.ts';
import type { RemovalFacts } from './verdict.ts';

export interface RemovalQuestion {
  readonly repo: Repo;
  readonly path: string;
}

/** Reads everything anew. `doubt` says what it could not read. */
export async function removalFacts(
  question: RemovalQuestion,
): Promise<{ readonly facts: RemovalFacts; readonly doubt?: string; readonly entry?: RegisteredWorktree }> {
  const [kind, list] = await Promise.all([kindOf(question.path), registeredWorktrees(question.repo)]);
  const path = kind === 'missing' ? question.path : await realpath(question.path);
  const entry = list.find((each) => each.path === path);
  const { state, ignored = [], unsavable = [], doubt } = entry === undefined ? {} : await look(question, kind, entry);
  return {
    facts: {
      isSymlink: kind === 'symlink',
      isRegistered: entry !== undefined,
      isMain: entry !== undefined && entry === list[0],
      isMissing: kind === 'missing',
      isLocked: entry?.locked !== undefined,
      isDetached: entry?.branch === undefined,
      nestedWorktrees: list.map((each) => each.path).filter((each) => below(path, each) !== undefined),
      ignoredRepos: ignored,
      unsavable,
      state,
    },
    ...defined({ doubt, entry }),
  };
}

type Kind = 'folder' | 'symlink' | 'missing' | 'other';

async function kindOf(path: string): Promise<Kind> {
  const facts = await unlessMissing(lstat(path));
  if (facts === undefined) return 'missing';
  if (facts.isSymbolicLink()) return 'symlink';
  return facts.isDirectory() ? 'folder' : 'other';
}

interface Looked {
  readonly state?: WorkState;
  readonly ignored?: readonly string[];
  readonly unsavable?: readonly string[];
  readonly doubt?: string;
}

async function look(question: RemovalQuestion, kind: Kind, entry: RegisteredWorktree): Promise<Looked> {
  if (kind === 'missing') return lookAtMissing(question.repo, entry);
  if (kind !== 'folder') return {};
  const { env } = question.repo;
  try {
    const place = { path: entry.path, env };
    const [{ state, folder, ...seen }, ignored] = await Promise.all([
      lookAtWork({ worktreePath: entry.path, env, base: 'none' }),
      ignoredRepos(place),
    ]);
    return { state, ignored, unsavable: (await savable(folder, seen)).reasons };
  } catch (thrown) {
    return { doubt: messageOf(thrown) };
  }
}

/** Where the folder is gone, git still has the worktree's index and reflog. */
async function lookAtMissing(repo: Repo, entry: RegisteredWorktree): Promise<Looked> {
  try {
    const gitDir = await gitDirOf(repo.gitCommonDir, entry.path);
    if (gitDir === undefined) throw new Error(`git has no folder for the worktree ${entry.path}.`);
    const [strays, isStaged] = await Promise.all([strayCommits(repo, gitDir), hasStaged(repo, gitDir)]);
    return {
      unsavable: [
        ...(strays.length > 0 ? [`its folder is gone, and no branch has the commits ${strays.join(', ')}`] : []),
        ...(isStaged ? ['its folder is gone, and what was staged in it is in no commit'] : []),
      ],
    };
  } catch (thrown) {
    return { unsavable: ['its folder is gone, and what git keeps of it cannot be read'], doubt: messageOf(thrown) };
  }
}

async function hasStaged(repo: Repo, gitDir: string): Promise<boolean> {
  const gitEnv = { GIT_DIR: gitDir, GIT_WORK_TREE: gitDir };
  const result = await tryReadGit(repoPlace(repo), ['diff-index', '--cached', '--quiet', 'HEAD', '--'], { gitEnv });
  return result.exitCode !== 0;
}

/** Where there are more folders, the look fails. */
const maxFolders = 200_000;

/** Repositories in ignored folders, which git status passes over and removing a worktree takes along. */
async function ignoredRepos(top: GitPlace): Promise<readonly string[]> {
  const args = ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z'];
  const ignored = nulEnded(await readGit(top, args)).filter((path) => path.endsWith('/'));
  const found: string[] = [];
  const fewAtOnce = pLimit(16);
  let folders = 0;
  const search = async (path: string): Promise<void> => {
    folders += 1;
    if (folders > maxFolders) throw new Error(`more than ${maxFolders} ignored folders lie in ${top.path}.`);
    const entries = await fewAtOnce(() => readdir(join(top.path, path), { withFileTypes: true }));
    if (entries.some(({ name }) => name === '.git')) found.push(path);
    else await Promise.all(entries.filter((entry) => entry.isDirectory()).map(({ name }) => search(`${path}/${name}`)));
  };
  await Promise.all(ignored.map((path) => search(path.slice(0, -1))));
  return found.sort();
}
