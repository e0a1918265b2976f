// The workers as the command line finds them in the log, without a server.
import { resolveBegun, resolveWorker } from '../model/address.ts';
import type { WorkerRecord } from '../model/worker.ts';
import { resolveProject, stateHome } from '../settings/paths.ts';
import { readLog } from '../store/read-log.ts';
import type { CommandWorld } from './world.ts';

export const recordsOf = async (world: CommandWorld): Promise<readonly WorkerRecord[]> => [
  ...(await readLog(stateHome(world))).records.values(),
];

/** By its id, its name or the beginning of either; throws `unknown_worker` or `ambiguous_worker`. */
export const workerNamed = async (ref: string, world: CommandWorld): Promise<WorkerRecord> =>
  resolveBegun(ref, await recordsOf(world));

/** Those of the project that we stand in, without the closed ones. */
export async function workersHere(world: CommandWorld): Promise<readonly WorkerRecord[]> {
  const folders = await world.projectFolders(resolveProject('auto', world));
  const isIn = (path: string | undefined) =>
    path !== undefined && folders.some((folder) => folder === path || folder.startsWith(`${path}/`));
  return (await recordsOf(world)).filter(
    ({ phase, mainRepoPath, projectPath }) => phase !== 'closed' && (isIn(mainRepoPath) || isIn(projectPath)),
  );
}

/** As a person may name it: its name, or its id where others have the same name. */
export const shortest = ({ name, id }: WorkerRecord, all: readonly WorkerRecord[]): string => {
  try {
    return resolveWorker(name, all).id === id ? name : id;
  } catch {
    return id;
  }
};
