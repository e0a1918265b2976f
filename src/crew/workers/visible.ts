// Which workers concern this server: its own, its project's, and those nobody manages.
import type { WorkerRecord } from '../../model/worker.ts';
import type { CrewContext } from './roster.ts';

/** Other projects' workers of other living managers are left out; an id still reaches them. */
export const visibleTo = (context: CrewContext): readonly WorkerRecord[] =>
  context.roster
    .records()
    .filter((record) => !isFailedSpawn(record) && (!context.roster.isOthers(record) || isNear(context, record)));

/** A spawn that failed was told of in its own answer; it is no worker. */
const isFailedSpawn = (record: WorkerRecord): boolean => record.phase === 'closed' && record.pane === undefined;

const isNear = (context: CrewContext, record: WorkerRecord): boolean =>
  [record.mainRepoPath, record.projectPath].some((path) => path !== undefined && isWithin(context.cwd, path));

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);
