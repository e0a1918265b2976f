// Changes the index of a worktree without opening it for writing: a new one takes its place.
import { type FileHandle, lstat, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CrewError } from '../../model/errors.ts';
import { pause } from '../../system/clock.ts';
import { hasCode, unlessMissing } from '../../system/disk.ts';
import { mostBytes, readPlain } from '../../system/plain-file.ts';
import { type DraftGit, withDraftIndex } from './draft-index.ts';
import type { FolderFacts } from './inspect.ts';

/**
 * `use` changes a private copy, which then takes the place of the worktree's own where `keeps` says so. Where git has
 * written that meanwhile, this rejects and leaves it so. `use` gets no second try: it may have changed files as well.
 */
export async function changeIndex<T>(
  folder: FolderFacts,
  use: (draft: DraftGit) => Promise<{ readonly keeps: boolean; readonly result: T }>,
): Promise<T> {
  const before = await stampOf(folder);
  return withDraftIndex(folder, async (draft) => {
    const { keeps, result } = await use(draft);
    if (keeps) await install(folder, draft.path, before);
    return result;
  });
}

async function stampOf({ gitDir }: FolderFacts): Promise<string> {
  const facts = await unlessMissing(lstat(join(gitDir, 'index'), { bigint: true }));
  return facts === undefined ? 'none' : [facts.ino, facts.size, facts.mtimeNs, facts.ctimeNs].join(' ');
}

/** git's own lock keeps every git of the worker's away until the new index is there whole. */
async function install(folder: FolderFacts, from: string, before: string): Promise<void> {
  const lock = join(folder.gitDir, 'index.lock');
  const bytes = await readPlain(from, mostBytes.index);
  if (bytes === undefined) return;
  const { atime, mtime } = await lstat(from);
  const handle = await lockAlone(lock);
  try {
    if ((await stampOf(folder)) !== before) throw changedMeanwhile(folder);
    await handle.writeFile(bytes);
    // git takes a file of the same size and second as unchanged unless the index is as old as the file.
    await handle.utimes(atime, mtime);
    await handle.close();
    await rename(lock, join(folder.gitDir, 'index'));
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(lock, { force: true });
    throw error;
  }
}

const maxTries = 40;
const pauseMs = 50;

/** The file is made, or this rejects; what lies there is never opened. */
async function lockAlone(path: string): Promise<FileHandle> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await open(path, 'wx', 0o644);
    } catch (error) {
      if (!hasCode(error, 'EEXIST') || attempt === maxTries) throw held(path, error);
      await pause(pauseMs);
    }
  }
}

const held = (path: string, cause: unknown) =>
  new CrewError(
    'git_failed',
    `Unable to create '${path}': File exists. A git is at work in the worktree, or was killed there.`,
    'If no git is at work there, have the user remove that file; then call again.',
    { cause },
  );

const changedMeanwhile = ({ gitDir }: FolderFacts) =>
  new CrewError(
    'git_failed',
    `${join(gitDir, 'index')} was written by another git while crewmux made a new one.`,
    'Wait until nobody works in the worktree, then call again.',
  );
