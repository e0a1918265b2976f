// The uncommitted changes of a main checkout, and when each was made. Takes no lock and changes nothing.
import { lstat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import pLimit from 'p-limit';
import { below } from '../../system/disk.ts';
import { inspectFolder } from '../git/inspect.ts';
import type { GitPlace } from '../git/repo.ts';
import { readStatus } from './status.ts';

/** A build that nobody ignores, say. */
const mostChanges = 5_000;
const atOnce = 32;

/** By path, epoch ms, without the `except` folders; undefined where `place` is no main checkout. Rejects when git fails. */
export async function changesInCheckout(
  place: GitPlace,
  except: readonly string[],
): Promise<ReadonlyMap<string, number> | undefined> {
  const folder = await inspectFolder(place);
  if (folder === undefined || folder.worktreeRoot !== folder.mainRepoPath) return undefined;
  const top = folder.mainRepoPath;
  const { changes } = await readStatus({ path: top, env: place.env });
  const isPart = (path: string) =>
    !except.some((one) => one === resolve(top, path) || below(one, resolve(top, path)) !== undefined);
  const paths = changes.map(({ path }) => path).filter(isPart);
  const limit = pLimit(atOnce);
  return new Map(
    await Promise.all(
      paths
        .slice(0, mostChanges)
        .map(async (path) => [path, await limit(() => changedAt(top, join(top, path)))] as const),
    ),
  );
}

/** No program sets the inode's time back, and a moved file has the time of its move. A missing file has its folder's. */
async function changedAt(top: string, path: string): Promise<number> {
  const facts = await lstat(path).catch(() => undefined);
  if (facts !== undefined) return facts.isDirectory() ? facts.mtimeMs : facts.ctimeMs;
  return path === top ? 0 : changedAt(top, dirname(path));
}
