// Whose a worktree is, by our records.
import type { WorkerRecord } from '../../model/worker.ts';
import type { CrewContext } from '../workers/roster.ts';

/** That its process has gone is seen before it is written down. */
const isThere = (context: CrewContext, { id, phase }: WorkerRecord): boolean =>
  (phase === 'live' && context.roster.turn(id)?.is !== 'gone') || phase === 'spawning';

/** Whoever is there now, else whoever had it last. */
export function ownerOf(context: CrewContext, worktreePath: string): WorkerRecord | undefined {
  const had = context.roster.records().filter((record) => record.worktreePath === worktreePath);
  return had.find((record) => isThere(context, record)) ?? had.toSorted((a, b) => b.createdAt - a.createdAt)[0];
}

/** Workers that are in it or about to be, by whatever path they were sent there. */
export const workersAt = (context: CrewContext, worktreePath: string): readonly WorkerRecord[] =>
  context.roster
    .records()
    .filter(
      (record) =>
        isThere(context, record) &&
        (record.worktreePath === worktreePath || `${record.projectPath}/`.startsWith(`${worktreePath}/`)),
    );
