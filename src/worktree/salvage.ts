// Saves everything a worktree holds under one ref, without touching the worktree.
import { systemClock } from '../clock.ts';
import { isoTime } from '../model/clock.ts';
import { type DraftGit, hiddenChanges, topOf, withDraftIndex } from './draft-index.ts';
import { type FolderFacts, inspectFolder, type Repo } from './inspect.ts';
import { type Change, decodeStatus, type Status, statusArgs } from './porcelain.ts';
import { untouchedPrepared } from './prepared.ts';
import { readGit } from './repo.ts';
import { cannotSave, commitTree, type Salvage, writeSalvage } from './salvage-commit.ts';
import type { Counts, Manifest } from './salvage-manifest.ts';
import { storeFiles } from './store-files.ts';

export interface SaveRequest {
  readonly worktreePath: string;
  readonly repo: Repo;
  readonly workerId: string;
  /** Why it is saved, for whoever finds it later. */
  readonly reason: string;
  /** Epoch ms; now, unless given. */
  readonly at?: number;
}

/** Where the sides of conflicting files lie in the tree of the saved index: `<this>/<stage>/<path>`. */
export const conflictFolder = '.crewmux-conflict';

/**
 * The ref's commit holds the files as they lie on disk; its parents are HEAD and a commit of the index.
 * Changed and untracked files are stored byte for byte, past filters and line-end conversion.
 * Ignored files are not saved. Rejects when anything else could not be.
 */
export async function saveWork(asked: SaveRequest): Promise<Salvage> {
  const request = { ...asked, at: asked.at ?? systemClock.now() };
  const { repo } = request;
  const folder = await inspectFolder({ path: request.worktreePath, env: repo.env });
  if (folder?.worktreeRoot === undefined || folder.subfolder !== '') {
    throw cannotSave(request.worktreePath, 'it is not the top of a worktree that git knows');
  }
  const status = decodeStatus(await readGit(topOf(folder), statusArgs));
  assertSavable(request.worktreePath, status.changes);
  const index = await commitIndex(folder, status);
  const { tree, counts } = await writeWorktreeTree(folder, status);
  const parents = [...(status.sha === undefined ? [] : [status.sha]), index];
  const manifest: Manifest = {
    version: 1,
    worker_id: request.workerId,
    reason: request.reason,
    saved_at: isoTime(request.at),
    path: request.worktreePath,
    main_repo_path: repo.mainRepoPath,
    branch: status.branch ?? null,
    head: status.sha ?? null,
    index,
    counts,
  };
  return writeSalvage(repo, { tree, parents, manifest });
}

/** git cannot look inside another repository, nor can we find a file by a name that is not UTF-8. */
function assertSavable(path: string, changes: readonly Change[]): void {
  const odd = changes.find((change) => change.path.includes('\u{fffd}'));
  if (odd !== undefined) throw cannotSave(path, `the name ${JSON.stringify(odd.path)} is not UTF-8`);
  const sealed = changes.filter((change) =>
    change.kind === 'untracked' ? change.path.endsWith('/') : change.kind === 'tracked' && change.submodule,
  );
  if (sealed.length === 0) return;
  const names = sealed.map((change) => change.path).join(', ');
  throw cannotSave(path, `it holds repositories of their own with changes: ${names}`);
}

async function commitIndex(folder: FolderFacts, status: Status): Promise<string> {
  const tree = await withDraftIndex(folder, async (draft) => {
    const conflicts = await takeConflicts(draft);
    const sides = conflicts.map((side) => `${side.mode} ${side.sha}\t${conflictFolder}/${side.stage}/${side.path}\0`);
    if (sides.length > 0) await draft(['update-index', '-z', '--index-info'], sides.join(''));
    return draft(['write-tree']);
  });
  const parents = status.sha === undefined ? [] : [status.sha];
  return commitTree(topOf(folder), { tree: tree.trim(), parents, message: 'crewmux salvage: the index\n' });
}

/** Removes conflicting entries from the draft, which could not become a tree with them, and returns their sides. */
async function takeConflicts(draft: DraftGit) {
  const listed = await draft(['ls-files', '--unmerged', '-z']);
  const sides = [...listed.matchAll(/(\d+) ([0-9a-f]+) (\d)\t([^\0]+)\0/g)].map(
    ([, mode = '', sha = '', stage = '', path = '']) => ({ mode, sha, stage, path }),
  );
  const paths = [...new Set(sides.map((side) => side.path))];
  await dropPaths(draft, paths);
  return sides;
}

async function dropPaths(draft: DraftGit, paths: readonly string[]): Promise<void> {
  const input = paths.map((path) => `${path}\0`).join('');
  if (input !== '') await draft(['update-index', '--force-remove', '-z', '--stdin'], input);
}

/** The index as it is, with every file that differs from it taken from disk. */
async function writeWorktreeTree(folder: FolderFacts, status: Status): Promise<{ tree: string; counts: Counts }> {
  const [prepared, hidden] = await Promise.all([
    untouchedPrepared(folder.gitDir, topOf(folder).path),
    hiddenChanges(folder),
  ]);
  const untracked = status.changes.filter((change) => change.kind === 'untracked' && !prepared.has(change.path));
  const conflicts = status.changes.filter((change) => change.kind === 'conflict');
  const changed = status.changes.filter((change) => change.kind === 'tracked' && change.worktree !== '.');
  const paths = [...untracked, ...conflicts, ...changed].map((change) => change.path);
  const files = await storeFiles(topOf(folder), [...new Set([...paths, ...hidden])]);
  const tree = await withDraftIndex(folder, async (draft) => {
    await takeConflicts(draft);
    await dropPaths(draft, files.missing);
    const lines = files.stored.map((file) => `${file.mode} ${file.sha}\t${file.path}\0`).join('');
    if (lines !== '') await draft(['update-index', '--replace', '-z', '--index-info'], lines);
    return draft(['write-tree']);
  });
  const counts = {
    changed: changed.length + hidden.length,
    deleted: files.missing.length,
    untracked: untracked.length,
    conflicts: conflicts.length,
  };
  return { tree: tree.trim(), counts };
}
