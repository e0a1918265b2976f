// The two trees of a salvage: the index, and the files as they lie on disk.
import { copyFile } from 'node:fs/promises';
import { mostBytes, readPlain } from '../../system/plain-file.ts';
import { type DraftGit, draftGit, hiddenChanges, indexEntries, topOf, withDraftIndex } from '../git/draft-index.ts';
import { type FolderFacts, inspectFolder, type Repo } from '../git/inspect.ts';
import { differsOnDisk, type FileChange, type GitStatus, listed } from '../git/porcelain.ts';
import { untouchedPrepared } from '../git/prepared.ts';
import { noLimits, takeInto } from '../git/take.ts';
import { readStatus } from '../state/status.ts';
import { byteForByte } from './byte-for-byte.ts';
import { type Counts, cannotSave } from './salvage-commit.ts';
import { savable } from './unsavable.ts';

/** Where the sides of conflicting files lie in the tree of the saved index: `<this>/<stage>/<path>`. */
export const conflictFolder = '.crewmux-conflict';

export interface WorkTrees {
  /** No tree holds conflicting entries, so all their sides lie in `conflictFolder`. */
  readonly index: string;
  /** The files on disk. */
  readonly tree: string;
  readonly counts: Counts;
  /** Unchanged files that git has to convert again when they come back. */
  readonly converted: readonly string[];
}

/** Every file on disk but ignored and converted ones, byte for byte, and the index. Throws what could not come back exactly. */
export async function workTrees(folder: FolderFacts, status: GitStatus): Promise<WorkTrees> {
  const top = topOf(folder).path;
  const [ours, entries] = await Promise.all([untouchedPrepared(folder.gitDir, top), indexEntries(folder)]);
  const hidden = await hiddenChanges(folder, entries);
  const changes = status.changes.filter(({ kind, path }) => kind !== 'untracked' || !ours.has(path));
  const { reasons, absent, converted } = await savable(folder, { changes, hidden, entries });
  const why = [...sealedReason(changes), ...reasons];
  if (why.length > 0) throw cannotSave(top, why.join('; '));
  const { gone, ...trees } = await writeBoth(folder, {
    changes: [...changes.filter(differsOnDisk), ...hidden.map(changeOf)],
    hasConflicts: entries.some(({ stage }) => stage !== '0'),
    // Marks of a hidden one would keep its file from being added.
    dropped: [...absent, ...hidden],
  });
  const count = (kind: FileChange['kind']) => changes.filter((change) => change.kind === kind).length;
  const isGone = new Set(gone);
  const touched = [...changes.filter(({ kind }) => kind === 'tracked').map(({ path }) => path), ...hidden];
  const counts = {
    changed: touched.filter((path) => !isGone.has(path)).length,
    deleted: gone.length,
    untracked: count('untracked'),
    conflicts: count('conflict'),
  };
  return { ...trees, counts, converted };
}

const changeOf = (path: string): FileChange => ({
  kind: 'tracked',
  path,
  index: '.',
  worktree: 'M',
  submodule: false,
  changedInside: false,
});

/** git cannot look inside another repository. */
function sealedReason(changes: readonly FileChange[]): readonly string[] {
  const sealed = changes.filter((change) =>
    change.kind === 'untracked' ? change.path.endsWith('/') : change.kind === 'tracked' && change.submodule,
  );
  const names = sealed.map(({ path }) => path).join(', ');
  return names === '' ? [] : [`it holds repositories of their own with changes: ${names}`];
}

interface Differences {
  readonly changes: readonly FileChange[];
  readonly hasConflicts: boolean;
  readonly dropped: readonly string[];
}

/** The index, and then the files on disk, which often are the same. Rejects on any that it cannot read. */
const writeBoth = (folder: FolderFacts, { changes, hasConflicts, dropped }: Differences) =>
  withDraftIndex(folder, async (draft) => {
    const write = async () => (await draft(['write-tree'])).trim();
    const placed = hasConflicts ? await placeSides(draft) : [];
    const index = await write();
    if (placed.length + dropped.length + changes.length === 0) return { index, tree: index, gone: [] };
    await dropPaths(draft, [...placed, ...dropped]);
    const place = topOf(folder);
    const { gone } = await byteForByte({ ...folder, sha: index }, (env) => {
      const own = draftGit(place, draft.path, { ...env, GIT_WORK_TREE: place.path });
      return takeInto(own, { top: place.path, changes, limits: noLimits });
    });
    return { index, tree: await write(), gone };
  });

/** Moves the sides of conflicting entries into `conflictFolder` and returns their new paths. */
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

/** Copies the index as one file, also where git has split it in two. */
export const copyWholeIndex = (folder: FolderFacts, to: string): Promise<void> =>
  withDraftIndex(folder, async (draft) => {
    const bytes = await readPlain(draft.path, mostBytes.index);
    if (bytes === undefined) await draft(['read-tree', '--empty']);
    else if (bytes.includes(sharedHalf)) await draft(['update-index', '--no-split-index']);
    await copyFile(draft.path, to);
  });

/** The extension that names the other half of a split index. A tracked file of that name costs one more git process. */
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
