// One at a time at a worktree: whoever removes it, and whoever is about to work there.
import { createHash } from 'node:crypto';
import { withLock } from '../state/lock.ts';
import type { House } from './house.ts';

const timeoutMs = 120_000;

/** Runs `act` while no other server or call of ours removes, restores or enters the worktree at this path. */
export function holdingTree<T>(house: House, path: string, act: () => Promise<T>): Promise<T> {
  const name = createHash('sha256').update(path).digest('hex').slice(0, 16);
  return withLock(house.home.lockPath(`tree-${name}`), act, { me: house.me, timeoutMs });
}
