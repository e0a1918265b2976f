// A git that does not end: looks whether a pipe, or another file that is none, holds it.
import { lstat, readdir, readlink, rename, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import pLimit from 'p-limit';
import { systemClock } from '../../system/clock.ts';
import { notPlain, oddness } from '../../system/plain-file.ts';
import type { GitFolders } from './git-link.ts';
import { movedName, type OddFile, oddFiles, oddInTree, readInTree } from './odd-files.ts';

export interface Held {
  /** Aborts once something is found: with an error for whoever asked, or without one where git can be run again. */
  readonly signal: AbortSignal;
  stop(): void;
}

// Most calls have ended by then, and are not looked at.
const repositoryMs = 50;
const treeMs = 300;

/** Watches a git that runs in these folders until it is stopped. */
export function watchHeld(folders: GitFolders | undefined): Held {
  const found = new AbortController();
  const ended = new AbortController();
  if (folders === undefined) return { signal: found.signal, stop: () => undefined };
  const look = (act: () => Promise<void>) => () => void act().catch(() => undefined);
  const stops = [
    systemClock.after(
      repositoryMs,
      look(async () => {
        const odd = await oddForAll(folders);
        if (ended.signal.aborted || odd.length === 0) return;
        const holds = await Promise.all(odd.map(canHold));
        await Promise.all(odd.map(setAside));
        // A git that nothing holds goes on: one that is killed leaves what it has half made.
        if (holds.includes(true)) found.abort();
      }),
    ),
    systemClock.after(
      treeMs,
      look(async () => {
        const [odd] = await oddInside(folders, ended.signal);
        if (odd !== undefined && !ended.signal.aborted) found.abort(notPlain(odd.path, odd.why));
      }),
    ),
  ];
  return {
    signal: found.signal,
    stop() {
      ended.abort();
      for (const stop of stops) stop();
    },
  };
}

/** What git reads of every worktree, whichever it works in. */
const readOfAll = /^(HEAD|locked|BISECT_\w+|rebase-(merge|apply))$/;

/** Files of other worktrees, branches and objects that no git can use, and every git may wait for. */
async function oddForAll({ gitDir, commonDir }: GitFolders): Promise<readonly OddFile[]> {
  const trees = (await namesIn(join(commonDir, 'worktrees'))).map((name) => join(commonDir, 'worktrees', name));
  const inTrees = trees
    .filter((path) => path !== gitDir)
    .flatMap((path) => oddFiles({ gitDir: path, commonDir: path }))
    .filter(({ path }) => readOfAll.test(path.slice(join(commonDir, 'worktrees').length + 1).split('/')[1] ?? ''))
    .filter(({ why, movedTo }) => why !== 'is missing' && movedTo === undefined);
  return [...inTrees, ...(await oddBelow(join(commonDir, 'refs/heads'))), ...(await oddObjects(commonDir))];
}

async function oddBelow(folder: string): Promise<readonly OddFile[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  const files = entries.filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'));
  return (await Promise.all(files.map(({ parentPath, name }) => oddAt(join(parentPath, name))))).flat();
}

async function oddAt(path: string): Promise<readonly OddFile[]> {
  const facts = await lstat(path).catch(() => undefined);
  const why = facts && oddness(facts);
  // git of long ago made such a link of a branch that is another name of one.
  if (facts?.isSymbolicLink() && (await readlink(path)).startsWith('refs/')) return [];
  return why === undefined ? [] : [{ path, why }];
}

async function oddObjects(commonDir: string): Promise<readonly OddFile[]> {
  const folders = (await namesIn(join(commonDir, 'objects'))).filter((name) => /^[0-9a-f]{2}$/.test(name));
  const found = folders.map(async (name) => {
    const entries = await readdir(join(commonDir, 'objects', name), { withFileTypes: true }).catch(() => []);
    return entries
      .filter((entry) => !entry.isFile() && !entry.isDirectory() && !entry.name.startsWith('tmp_'))
      .map((entry) => ({ path: join(entry.parentPath, entry.name), why: 'is no plain file' }));
  });
  return (await Promise.all(found)).flat();
}

/** A link to a folder or to a plain file holds nobody; where it leads to anything else, git may wait for that. */
async function canHold({ path }: OddFile): Promise<boolean> {
  const facts = await lstat(path).catch(() => undefined);
  if (facts?.isSymbolicLink() !== true) return facts !== undefined && !facts.isDirectory();
  const end = await stat(path).catch(() => undefined);
  return end !== undefined && !end.isDirectory() && oddness(end) !== undefined;
}

/** Under a name that git passes over. Nothing is opened, and what a link leads to stays as it is. */
async function setAside({ path }: OddFile): Promise<void> {
  const isObject = /^[0-9a-f]{2}$/.test(basename(dirname(path)));
  await rename(path, movedName(path, isObject ? 'tmp_' : '.'));
}

const mostFolders = 50_000;

/** The first file of the work tree that git would wait for, in a folder that it may look into. */
export async function oddInside({ root }: GitFolders, ended: AbortSignal): Promise<readonly OddFile[]> {
  if (root === undefined) return [];
  const limit = pLimit(8);
  const found: OddFile[] = [];
  let folders = 0;
  const search = async (folder: string): Promise<void> => {
    folders += 1;
    if (ended.aborted || found.length > 0 || folders > mostFolders) return;
    const entries = await limit(() => readdir(folder, { withFileTypes: true })).catch(() => []);
    for (const { name } of entries) if (readInTree.has(name)) found.push(...oddInTree(folder, name));
    const below = entries.filter((entry) => entry.isDirectory() && entry.name !== '.git');
    await Promise.all(below.map(({ name }) => search(join(folder, name))));
  };
  await search(root);
  return found;
}

const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);
