// Whose a worktree is, by our records.
import type { WorkerRecord } from '../model/worker.ts';
import type { House } from './house.ts';

const isThere = ({ phase }: WorkerRecord): boolean => phase === 'live' || phase === 'spawning';

/** Whoever is there now, else whoever had it last. */
export function ownerOf(house: House, worktreePath: string): WorkerRecord | undefined {
  const had = house.roster.records().filter((record) => record.worktreePath === worktreePath);
  return had.find(isThere) ?? had.toSorted((a, b) => b.createdAt - a.createdAt)[0];
}

/** Workers that are in it or about to be, by whatever path they were sent there. */
export const workersAt = (house: House, worktreePath: string): readonly WorkerRecord[] =>
  house.roster
    .records()
    .filter(
      (record) =>
        isThere(record) &&
        (record.worktreePath === worktreePath || `${record.projectPath}/`.startsWith(`${worktreePath}/`)),
    );
