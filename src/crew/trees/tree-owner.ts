// Whose a worktree is, by our records.
import type { WorkerRecord } from '../../model/worker.ts';
import type { House } from '../house.ts';

/** That its process has gone is seen before it is written down. */
const isThere = (house: House, { id, phase }: WorkerRecord): boolean =>
  (phase === 'live' && house.roster.turn(id)?.is !== 'gone') || phase === 'spawning';

/** Whoever is there now, else whoever had it last. */
export function ownerOf(house: House, worktreePath: string): WorkerRecord | undefined {
  const had = house.roster.records().filter((record) => record.worktreePath === worktreePath);
  return had.find((record) => isThere(house, record)) ?? had.toSorted((a, b) => b.createdAt - a.createdAt)[0];
}

/** Workers that are in it or about to be, by whatever path they were sent there. */
export const workersAt = (house: House, worktreePath: string): readonly WorkerRecord[] =>
  house.roster
    .records()
    .filter(
      (record) =>
        isThere(house, record) &&
        (record.worktreePath === worktreePath || `${record.projectPath}/`.startsWith(`${worktreePath}/`)),
    );
