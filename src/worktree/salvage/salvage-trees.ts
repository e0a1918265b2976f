// The two trees of a salvage: the index, and the files as they lie on disk.

import { readFile } from 'node:fs/promises';
import { type DraftGit, hiddenChanges, indexEntries, topOf, withDraftIndex } from '../draft-index.ts';
import type { FolderFacts } from '../inspect.ts';
import { untouchedPrepared } from '../making/prepared.ts';
import type { Change, Status } from '../porcelain.ts';
import { readStatus } from '../status.ts';
import { lookAtDisk, type RawName, rawName, shownName } from './raw-name.ts';
import { cannotSave } from './salvage-commit.ts';
import type { Counts } from './salvage-manifest.ts';
import { storeFiles } from './store-files.ts';
import { type Conversion, conversionsOf, type TrackedFile, trackedFiles } from './tracked.ts';

/** Where the sides of conflicting files lie in the tree of the saved index: `<this>/<stage>/<path>`. */
export const conflictFolder = '.crewmux-conflict';

/** With the names of files as they are. */
export const rawStatus = (folder: FolderFacts): Promise<Status> => readStatus(topOf(folder), { raw: true });

/** git cannot look inside another repository. */
export function assertSavable(path: string, changes: readonly Change[]): void {
  const sealed = changes.filter((change) =>
    change.kind === 'untracked' ? change.path.endsWith('/') : change.kind === 'tracked' && change.submodule,
  );
  if (sealed.length === 0) return;
  const names = sealed.map((change) => shownName(change.path)).join(', ');
  throw cannotSave(path, `it holds repositories of their own with changes: ${names}`);
}

/** Conflicting entries, which no tree can hold, lie with all their sides in a folder of ours, or are left out. */
export async function indexTree(folder: FolderFacts, { sides: withSides } = { sides: true }): Promise<string> {
  const tree = await withDraftIndex(folder, async (draft) => {
    await (withSides ? placeSides(draft) : takeConflicts(draft));
    return draft(['write-tree']);
  });
  return tree.trim();
}

/** Moves the sides of conflicting entries into the folder of ours and returns where they are now. */
async function placeSides(draft: DraftGit): Promise<readonly RawName[]> {
  const placed = (await takeConflicts(draft)).map((side) => ({
    ...side,
    path: `${conflictFolder}/${side.stage}/${side.path}`,
  }));
  const lines = placed.map((side) => `${side.mode} ${side.sha}\t${side.path}\0`).join('');
  if (lines !== '') await draft.raw(['update-index', '-z', '--index-info'], lines);
  return placed.map(({ path }) => path);
}

/** Removes conflicting entries from the draft and returns their sides. */
async function takeConflicts(draft: DraftGit) {
  const listed = await draft.raw(['ls-files', '--unmerged', '-z']);
  const sides = [...listed.matchAll(/(\d+) ([0-9a-f]+) (\d)\t([^\0]+)\0/g)].map(
    ([, mode = '', sha = '', stage = '', path = '']) => ({ mode, sha, stage, path }),
  );
  await dropPaths(draft, [...new Set(sides.map((side) => side.path))]);
  return sides;
}

async function dropPaths(draft: DraftGit, paths: readonly RawName[]): Promise<void> {
  const input = paths.map((path) => `${path}\0`).join('');
  if (input !== '') await draft.raw(['update-index', '--force-remove', '-z', '--stdin'], input);
}

export interface WorkTrees {
  /** The index, as `indexTree` has it. */
  readonly index: string;
  /** The files on disk. */
  readonly tree: string;
  readonly counts: Counts;
  /** Unchanged files that a program of the user's brings into the form they have on disk. */
  readonly filtered: readonly RawName[];
}

/**
 * Every file that is on disk, byte for byte, but for ignored ones and `filtered`, and the index beside them. Reads what
 * git may have converted.
 */
export async function workTrees(folder: FolderFacts, status: Status): Promise<WorkTrees> {
  const top = topOf(folder);
  const [ours, entries] = await Promise.all([untouchedPrepared(folder.gitDir, top.path), indexEntries(folder)]);
  const hidden = await hiddenChanges(folder, entries);
  const tracked = trackedFiles(entries);
  const prepared = new Set([...ours].map(rawName));
  const untracked = pathsOf(status, ({ kind, path }) => kind === 'untracked' && !prepared.has(path));
  const conflicts = pathsOf(status, ({ kind }) => kind === 'conflict');
  const changed = pathsOf(status, (change) => change.kind === 'tracked' && change.worktree !== '.');
  const differing = new Set([...untracked, ...conflicts, ...changed, ...hidden]);
  const same = tracked.filter(({ path }) => !differing.has(path));
  const [conversions, absent] = await Promise.all([conversionsOf(folder, same), absentAmong(top.path, same)]);
  const present = same.filter(({ path }) => !absent.has(path));
  const as = (kind: Conversion) => present.filter(({ path }) => conversions.get(path) === kind).map(({ path }) => path);
  const files = await storeFiles(top, [...differing, ...as('lines'), ...as('rewritten')]);
  const trees = await writeBoth(folder, {
    hasConflicts: entries.some(({ stage }) => stage !== '0'),
    gone: [...files.missing, ...absent],
    lines: files.stored.map((file) => `${file.mode} ${file.sha}\t${file.path}\0`).join(''),
  });
  const gone = new Set(files.missing);
  const touched = [...pathsOf(status, ({ kind }) => kind === 'tracked'), ...hidden];
  const counts = {
    changed: touched.filter((path) => !gone.has(path)).length,
    deleted: gone.size,
    untracked: untracked.length,
    conflicts: conflicts.length,
  };
  return { ...trees, counts, filtered: as('filtered') };
}

interface Differences {
  readonly hasConflicts: boolean;
  /** Not on disk. */
  readonly gone: readonly RawName[];
  /** As `git update-index --index-info` takes them. */
  readonly lines: string;
}

/** The index, and then the files on disk, which often are the same. */
const writeBoth = (folder: FolderFacts, { hasConflicts, gone, lines }: Differences) =>
  withDraftIndex(folder, async (draft) => {
    const write = async () => (await draft(['write-tree'])).trim();
    const placed = hasConflicts ? await placeSides(draft) : [];
    const index = await write();
    await dropPaths(draft, [...placed, ...gone]);
    if (lines !== '') await draft.raw(['update-index', '--replace', '-z', '--index-info'], lines);
    return { index, tree: placed.length + gone.length + lines.length === 0 ? index : await write() };
  });

const pathsOf = (status: Status, isMeant: (change: Change) => boolean): readonly RawName[] =>
  status.changes.filter(isMeant).map((change) => change.path);

/** Of the files a sparse checkout leaves out, those that are really not there. */
async function absentAmong(top: string, files: readonly TrackedFile[]): Promise<ReadonlySet<RawName>> {
  const leftOut = files.filter((file) => file.leftOut).map(({ path }) => path);
  const found = await Promise.all(leftOut.map((path) => lookAtDisk(top, path)));
  return new Set(leftOut.filter((_, at) => found[at] === undefined));
}

/** The index as one file that stands by itself, whatever halves the worktree's own may have. */
export const wholeIndex = <T>(folder: FolderFacts, use: (path: string) => Promise<T>): Promise<T> =>
  withDraftIndex(folder, async (draft) => {
    const isWhole = await readFile(draft.path).then(
      (bytes) => !bytes.includes(sharedHalf),
      () => false,
    );
    if (!isWhole) await draft(['update-index', '--no-split-index']);
    return use(draft.path);
  });

/** The extension that names the other half of a split index. A file of that name costs one more start of git. */
const sharedHalf = 'link';

/** The names a listing holds, NUL after each. */
export const listed = (names: readonly RawName[]): string => names.map((name) => `${name}\0`).join('');
