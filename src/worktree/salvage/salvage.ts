// Saves everything a worktree holds under one ref, without touching the worktree.
import { rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { isoTime } from '../../model/clock.ts';
import { systemClock } from '../../system/clock.ts';
import { topOf } from '../draft-index.ts';
import { type FolderFacts, inspectFolder, type Repo } from '../inspect.ts';
import type { Status } from '../porcelain.ts';
import { gitFolderEntries, strayCommits, type TreeEntry, treeOf } from './git-folder.ts';
import type { SavedTrees } from './salvage-check.ts';
import { cannotSave, commitTree, type Salvage, writeSalvage } from './salvage-commit.ts';
import type { Manifest } from './salvage-manifest.ts';
import { assertSavable, indexTree, listed, rawStatus, type WorkTrees, wholeIndex, workTrees } from './salvage-trees.ts';

export interface SaveRequest {
  readonly worktreePath: string;
  readonly repo: Repo;
  readonly workerId: string;
  /** Why it is saved, for whoever finds it later. */
  readonly reason: string;
  /** Epoch ms; now, unless given. */
  readonly at?: number;
}

/**
 * The ref's commit holds the files as they lie on disk, byte for byte, past filters and line-end conversion; its parents
 * are HEAD, a commit of the index, and one of what git keeps for this worktree alone, with the commits only that knows.
 * Ignored files are not saved. Rejects when anything else could not be.
 */
export async function saveWork(request: SaveRequest): Promise<Salvage & { readonly saved: SavedTrees }> {
  const { repo, worktreePath } = request;
  const folder = await inspectFolder({ path: worktreePath, env: repo.env }, { alsoMoved: true });
  if (folder?.worktreeRoot === undefined || folder.subfolder !== '') {
    throw cannotSave(worktreePath, 'it is not the top of a worktree that git knows');
  }
  const status = await rawStatus(folder);
  assertSavable(worktreePath, status.changes);
  const trees = await workTrees(folder, status);
  const salvage = await save(request, folder, { ...trees, head: status.sha, branch: branchName(status) });
  return { ...salvage, saved: trees };
}

/** The same for a worktree whose folder is gone: what was staged in it, and what git kept for it. */
export async function saveMissing(request: SaveRequest, folder: FolderFacts): Promise<Salvage> {
  const [index, tree] = await Promise.all([indexTree(folder), indexTree(folder, { sides: false })]);
  const counts = { changed: 0, deleted: 0, untracked: 0, conflicts: 0 };
  const { sha, branch = null } = folder.head;
  return save(request, folder, { index, tree, counts, filtered: [], head: sha, branch });
}

interface Parts extends WorkTrees {
  readonly head: string | undefined;
  readonly branch: string | null;
}

async function save(request: SaveRequest, folder: FolderFacts, parts: Parts): Promise<Salvage> {
  const parents = parts.head === undefined ? [] : [parts.head];
  const index = await commitTree(topOf(folder), {
    tree: parts.index,
    parents,
    message: 'crewmux salvage: the index\n',
  });
  const own = await commitOwn(folder, parts);
  const manifest: Manifest = {
    version: 1,
    worker_id: request.workerId,
    reason: request.reason,
    saved_at: isoTime(request.at ?? systemClock.now()),
    path: request.worktreePath,
    main_repo_path: request.repo.mainRepoPath,
    branch: parts.branch,
    head: parts.head ?? null,
    index,
    own,
    counts: parts.counts,
  };
  return writeSalvage(request.repo, { tree: parts.tree, parents: [...parents, index, own], manifest });
}

/** Null as well for a name that is no text, which no manifest can hold. */
function branchName({ branch }: Status): string | null {
  const text = branch === undefined ? '' : Buffer.from(branch, 'latin1').toString('utf8');
  return text === '' || text.includes('\u{fffd}') ? null : text;
}

/** The index as a file with all its marks, the names git's conversion is to be asked for again, and git's own files. */
async function commitOwn(folder: FolderFacts, { filtered, head }: Pick<Parts, 'filtered' | 'head'>): Promise<string> {
  const place = topOf(folder);
  const [entries, strays] = await Promise.all([
    wholeIndex(folder, (index) => storeOwn(folder, { index, filtered: listed(filtered) })),
    strayCommits(folder, folder.gitDir, head),
  ]);
  const tree = await treeOf(folder, place, entries);
  return commitTree(place, { tree, parents: strays, message: 'crewmux salvage: what git kept for the worktree\n' });
}

async function storeOwn(
  folder: FolderFacts,
  { index, filtered }: { readonly index: string; readonly filtered: string },
): Promise<readonly TreeEntry[]> {
  const names = `${index}.filtered.index`;
  try {
    await writeFile(names, filtered, 'latin1');
    const places = new Map([
      [basename(index), 'index'],
      [basename(names), 'filtered'],
    ]);
    return await gitFolderEntries(folder, places);
  } finally {
    await rm(names, { force: true });
  }
}
