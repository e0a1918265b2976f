// Saves everything a worktree holds under one ref, without touching the worktree.
import { systemClock } from '../clock.ts';
import { isoTime } from '../model/clock.ts';
import { topOf } from './draft-index.ts';
import { gitFolderEntries, strayCommits, type TreeEntry, treeOf } from './git-folder.ts';
import { type FolderFacts, inspectFolder, type Repo } from './inspect.ts';
import type { Status } from './porcelain.ts';
import { cannotSave, commitTree, type Salvage, writeSalvage } from './salvage-commit.ts';
import type { Manifest } from './salvage-manifest.ts';
import { assertSavable, diskTree, indexTree, listed, rawStatus, wholeIndex } from './salvage-trees.ts';
import { storeBytes, storeFile } from './store-files.ts';

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
export async function saveWork(request: SaveRequest): Promise<Salvage> {
  const { repo, worktreePath } = request;
  const folder = await inspectFolder({ path: worktreePath, env: repo.env });
  if (folder?.worktreeRoot === undefined || folder.subfolder !== '') {
    throw cannotSave(worktreePath, 'it is not the top of a worktree that git knows');
  }
  const status = await rawStatus(folder);
  assertSavable(worktreePath, status.changes);
  const head = status.sha === undefined ? [] : [status.sha];
  const index = await commitTree(topOf(folder), {
    tree: await indexTree(folder),
    parents: head,
    message: 'crewmux salvage: the index\n',
  });
  const { tree, counts, filtered } = await diskTree(folder, status);
  const own = await commitOwn(folder, { filtered, head: status.sha });
  const at = request.at ?? systemClock.now();
  const manifest: Manifest = {
    version: 1,
    worker_id: request.workerId,
    reason: request.reason,
    saved_at: isoTime(at),
    path: worktreePath,
    main_repo_path: repo.mainRepoPath,
    branch: branchName(status),
    head: status.sha ?? null,
    index,
    own,
    counts,
  };
  return writeSalvage(repo, { tree, parents: [...head, index, own], manifest });
}

/** Null as well for a name that is no text, which no manifest can hold. */
function branchName({ branch }: Status): string | null {
  const text = branch === undefined ? '' : Buffer.from(branch, 'latin1').toString('utf8');
  return text === '' || text.includes('\u{fffd}') ? null : text;
}

/** The index as a file with all its marks, the names git's conversion is to be asked for again, and git's own files. */
async function commitOwn(
  folder: FolderFacts,
  { filtered, head }: { filtered: readonly string[]; head: string | undefined },
): Promise<string> {
  const place = topOf(folder);
  const [index, names, files, strays] = await Promise.all([
    wholeIndex(folder, (path) => storeFile(place, path)),
    storeBytes(place, Buffer.from(listed(filtered), 'latin1')),
    gitFolderEntries(folder),
    strayCommits(folder, folder.gitDir, head),
  ]);
  const entry = (path: string, sha: string): TreeEntry => ({ mode: '100644', sha, path });
  const tree = await treeOf(folder, place, [entry('index', index), entry('filtered', names), ...files]);
  return commitTree(place, { tree, parents: strays, message: 'crewmux salvage: what git kept for the worktree\n' });
}
