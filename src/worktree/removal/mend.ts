// Makes a worktree readable again before a forced removal: what git cannot read goes aside, and nothing of it is lost.
import { lstat, realpath, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { newNonce } from '../../model/ids.ts';
import { writeAtomic } from '../../system/atomic.ts';
import { mostBytes, plainText, readPlain } from '../../system/plain-file.ts';
import { createBranch, findBranch, repoPlace } from '../git/branch.ts';
import { gitDirOf, gitFoldersOf, tieAgain } from '../git/git-link.ts';
import { oddInside } from '../git/held-git.ts';
import { inspectFolder, type Repo } from '../git/inspect.ts';
import { readMark } from '../git/mark.ts';
import { headBranch, oddFiles } from '../git/odd-files.ts';
import { changeIndex } from '../git/own-index.ts';
import { tryReadGit } from '../git/repo.ts';

/** Nothing changes in a worktree that git can read, nor in one that a link leads to. Rejects where it cannot be mended. */
export async function mendWorktree(repo: Repo, worktreePath: string): Promise<void> {
  if ((await lstat(worktreePath).catch(() => undefined))?.isSymbolicLink()) return;
  const path = await realpath(worktreePath).catch(() => worktreePath);
  const gitDir = await gitDirOf(repo.gitCommonDir, path);
  if (gitDir !== undefined) await putAside({ gitDir, commonDir: repo.gitCommonDir, root: path });
  await tieAgain(path);
  const folders = gitFoldersOf(path);
  if (folders?.root !== path || folders.gitDir === folders.commonDir) return;
  await putAside({ ...folders, root: path });
  await nameBranch(repo, { path, gitDir: folders.gitDir });
  await bringBranchBack(repo, { path, gitDir: folders.gitDir });
  await mendIndex(repo, path);
}

interface Own {
  readonly path: string;
  readonly gitDir: string;
}

/** Beside its place: a link, a pipe, or a file that is too large to be one of git's. */
async function putAside(at: { readonly gitDir: string; readonly commonDir: string; readonly root: string }) {
  const inside = await oddInside(at, new AbortController().signal);
  const found = [...oddFiles(at), ...inside].filter(({ why }) => why !== 'is missing');
  const lies = new Map(found.map(({ path, movedTo = path }) => [movedTo, path]));
  for (const [from, path] of lies) await rename(from, asideOf(path));
}

/** Under a name that git and a salvage pass over. */
const asideOf = (path: string): string => join(dirname(path), `.crewmux-aside-${newNonce()}-${basename(path)}`);

/** git takes a folder without HEAD for none of its own. */
async function nameBranch(repo: Repo, { path, gitDir }: Own): Promise<void> {
  const head = join(gitDir, 'HEAD');
  if (await lstat(head).catch(() => undefined)) return;
  const branch = (await readMark(repo, path))?.branch;
  if (branch !== undefined) await writeAtomic(head, `ref: refs/heads/${branch}\n`, 0o644);
}

/** A branch whose file went aside stands again where its history has it last, or where it was begun. */
async function bringBranchBack(repo: Repo, { path, gitDir }: Own): Promise<void> {
  const mark = await readMark(repo, path);
  const branch = mark?.branch;
  if (branch === undefined || headBranch(gitDir) !== branch || (await findBranch(repo, branch)) !== undefined) return;
  const log = await plainText(join(gitDir, 'logs/HEAD'));
  const last = /^[0-9a-f]+ ([0-9a-f]+) .*$/m.exec(log.trimEnd().split('\n').at(-1) ?? '')?.[1];
  for (const sha of [last, mark?.base?.sha]) {
    const isCommit =
      sha !== undefined && (await tryReadGit(repoPlace(repo), ['cat-file', '-e', `${sha}^{commit}`])).exitCode === 0;
    if (isCommit && (await createBranch(repo, branch, sha))) return;
  }
}

/** One that git cannot read is made anew, as the newest commit has it; the files stay as they are. */
async function mendIndex(repo: Repo, path: string): Promise<void> {
  const folder = await inspectFolder({ path, env: repo.env });
  if (folder?.head.sha === undefined) return;
  const index = join(folder.gitDir, 'index');
  const isThere = (await readPlain(index, mostBytes.index)) !== undefined;
  const place = { path, env: repo.env };
  if (isThere && (await tryReadGit(place, ['ls-files', '--stage', '-z'])).exitCode === 0) return;
  if (isThere) await rename(index, asideOf(index));
  await changeIndex(folder, async (draft) => {
    await draft(['read-tree', 'HEAD']);
    return { keeps: true, result: undefined };
  });
}
