// Which workers concern this server: its own, its project's, and those nobody manages.
import type { WorkerRecord } from '../../model/worker.ts';
import type { House } from '../house.ts';

/** Other projects' workers of other living managers are left out; an id still reaches them. */
export const visibleTo = (house: House): readonly WorkerRecord[] =>
  house.roster
    .records()
    .filter((record) => !isFailedSpawn(record) && (!house.roster.isOthers(record) || isNear(house, record)));

/** A spawn that failed was told of in its own answer; it is no worker. */
const isFailedSpawn = (record: WorkerRecord): boolean => record.phase === 'closed' && record.pane === undefined;

const isNear = (house: House, record: WorkerRecord): boolean =>
  [record.mainRepoPath, record.projectPath].some((path) => path !== undefined && isWithin(house.cwd, path));

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);
