// The two trees of a salvage: the index, and the files as they lie on disk.
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exists } from '../../system/disk.ts';
import { type DraftGit, draftGit, hiddenChanges, indexEntries, topOf, withDraftIndex } from '../draft-index.ts';
import { type FolderFacts, inspectFolder, type Repo } from '../inspect.ts';
import { untouchedPrepared } from '../making/prepared.ts';
import { type Change, listed, type Status } from '../porcelain.ts';
import { readStatus } from '../status.ts';
import { byteForByte } from './byte-for-byte.ts';
import { type Counts, cannotSave } from './salvage-commit.ts';
import { type Changes, differingFiles, savable } from './unsavable.ts';

/** Where the sides of conflicting files lie in the tree of the saved index: `<this>/<stage>/<path>`. */
export const conflictFolder = '.crewmux-conflict';

export interface WorkTrees {
  /** Conflicting entries, which no tree can hold, lie with all their sides in a folder of ours. */
  readonly index: string;
  /** The files on disk. */
  readonly tree: string;
  readonly counts: Counts;
  /** Unchanged files that git has to convert again when they come back. */
  readonly converted: readonly string[];
}

/** Every file on disk but ignored and converted ones, byte for byte, and the index. Throws what could not come back exactly. */
export async function workTrees(folder: FolderFacts, status: Status): Promise<WorkTrees> {
  const top = topOf(folder).path;
  const [ours, entries] = await Promise.all([untouchedPrepared(folder.gitDir, top), indexEntries(folder)]);
  const hidden = await hiddenChanges(folder, entries);
  const changes = status.changes.filter(({ kind, path }) => kind !== 'untracked' || !ours.has(path));
  const seen = { changes, hidden, entries };
  const { reasons, absent, converted } = await savable(folder, seen);
  const why = [...sealedReason(changes), ...reasons];
  if (why.length > 0) throw cannotSave(top, why.join('; '));
  const gone = await goneAmong(top, seen);
  const trees = await writeBoth(folder, {
    hasConflicts: entries.some(({ stage }) => stage !== '0'),
    // Marks of a hidden one would keep its file from being added.
    dropped: [...gone, ...absent, ...hidden],
    added: [...differingFiles(seen)].filter((path) => !gone.has(path)),
  });
  const count = (kind: Change['kind']) => changes.filter((change) => change.kind === kind).length;
  const touched = [...changes.filter(({ kind }) => kind === 'tracked').map(({ path }) => path), ...hidden];
  const counts = {
    changed: touched.filter((path) => !gone.has(path)).length,
    deleted: gone.size,
    untracked: count('untracked'),
    conflicts: count('conflict'),
  };
  return { ...trees, counts, converted };
}

async function goneAmong(top: string, seen: Changes): Promise<ReadonlySet<string>> {
  const deleted = seen.changes.filter((change) => change.kind === 'tracked' && change.worktree === 'D');
  const gone = new Set(deleted.map(({ path }) => path));
  // Of a deleted file a link in the place of its folder may lead to another of that name.
  const others = [...differingFiles(seen)].filter((path) => !gone.has(path));
  const isThere = await Promise.all(others.map((path) => exists(join(top, path))));
  return new Set([...gone, ...others.filter((_, at) => !isThere[at])]);
}

/** git cannot look inside another repository. */
function sealedReason(changes: readonly Change[]): readonly string[] {
  const sealed = changes.filter((change) =>
    change.kind === 'untracked' ? change.path.endsWith('/') : change.kind === 'tracked' && change.submodule,
  );
  const names = sealed.map(({ path }) => path).join(', ');
  return names === '' ? [] : [`it holds repositories of their own with changes: ${names}`];
}

interface Differences {
  readonly hasConflicts: boolean;
  /** Not on disk, or not as the index has them. */
  readonly dropped: readonly string[];
  readonly added: readonly string[];
}

/** The index, and then the files on disk, which often are the same. */
const writeBoth = (folder: FolderFacts, { hasConflicts, dropped, added }: Differences) =>
  withDraftIndex(folder, async (draft) => {
    const write = async () => (await draft(['write-tree'])).trim();
    const placed = hasConflicts ? await placeSides(draft) : [];
    const index = await write();
    await dropPaths(draft, [...placed, ...dropped]);
    if (added.length > 0) await addBytes(folder, { index: draft.path, sha: index, paths: added });
    return { index, tree: placed.length + dropped.length + added.length === 0 ? index : await write() };
  });

/** Moves the sides of conflicting entries into the folder of ours and returns where they are now. */
async function placeSides(draft: DraftGit): Promise<readonly string[]> {
  const unmerged = await draft(['ls-files', '--unmerged', '-z']);
  const sides = [...unmerged.matchAll(/(\d+) ([0-9a-f]+) (\d)\t([^\0]+)\0/g)].map(
    ([, mode = '', sha = '', stage = '', path = '']) => ({ mode, sha, path, to: `${conflictFolder}/${stage}/${path}` }),
  );
  await dropPaths(draft, [...new Set(sides.map(({ path }) => path))]);
  const lines = sides.map(({ mode, sha, to }) => `${mode} ${sha}\t${to}\0`).join('');
  await draft(['update-index', '-z', '--index-info'], lines);
  return sides.map(({ to }) => to);
}

async function dropPaths(draft: DraftGit, paths: readonly string[]): Promise<void> {
  if (paths.length > 0) await draft(['update-index', '--force-remove', '-z', '--stdin'], listed(paths));
}

/** Rejects on any that it cannot read, and on what is neither a file nor a symlink. */
const addBytes = (
  folder: FolderFacts,
  { index, sha, paths }: { readonly index: string; readonly sha: string; readonly paths: readonly string[] },
) =>
  byteForByte({ ...folder, sha }, (env) => {
    const place = topOf(folder);
    const git = draftGit(place, index, { ...env, GIT_WORK_TREE: place.path });
    return git(['update-index', '--add', '--remove', '--replace', '-z', '--stdin'], listed(paths));
  });

/** Copies the index as one file that stands by itself, whatever halves the worktree's own may have. */
export const copyWholeIndex = (folder: FolderFacts, to: string): Promise<void> =>
  withDraftIndex(folder, async (draft) => {
    const isWhole = await readFile(draft.path).then(
      (bytes) => !bytes.includes(sharedHalf),
      () => false,
    );
    if (!isWhole) await draft(['update-index', '--no-split-index']);
    await copyFile(draft.path, to);
  });

/** The extension that names the other half of a split index. A file of that name costs one more start of git. */
const sharedHalf = 'link';

export type SavedTrees = Pick<WorkTrees, 'index' | 'tree'>;

/** Whether a worktree still is what was saved of it: files, modes and index, byte for byte. Throws what cannot be saved. */
export async function isAsSaved(
  repo: Repo,
  { path, saved }: { readonly path: string; readonly saved: SavedTrees },
): Promise<boolean> {
  const folder = await inspectFolder({ path, env: repo.env });
  if (folder?.worktreeRoot !== path) return false;
  const now = await workTrees(folder, await readStatus(topOf(folder)));
  return now.tree === saved.tree && now.index === saved.index;
}
