// The living servers of a project, for acts that no worker leads to.
import { realpath } from 'node:fs/promises';
import type { ManagerRef } from '../model/worker.ts';
import { resolveProject, stateHome } from '../settings/paths.ts';
import { livingServers } from '../store/orders.ts';
import { isAlive, isSameProcess } from '../system/process.ts';
import { workersHere } from './roster.ts';
import type { CommandWorld } from './world.ts';

/** Of the project that we stand in: first those that manage a worker of it, then those that stand in it. */
export async function serversHere(world: CommandWorld): Promise<readonly ManagerRef[]> {
  const [here, servers, workers] = await Promise.all([
    topOf(resolveProject('auto', world), world),
    livingServers(stateHome(world)),
    workersHere(world),
  ]);
  const standing = await Promise.all(
    servers.map(async ({ project }) => project !== undefined && (await topOf(project, world)) === here),
  );
  const managing = await Promise.all(workers.map(async ({ manager }) => ((await isAlive(manager)) ? [manager] : [])));
  const all: readonly ManagerRef[] = [...managing.flat(), ...servers.filter((_, at) => standing[at])];
  return all.filter((one, at) => all.findIndex((other) => isSameProcess(one, other)) === at);
}

/** The main repository of a folder, or the folder itself outside of one. */
async function topOf(folder: string, world: CommandWorld): Promise<string> {
  const top = (await world.projectFolders(folder)).at(-1) ?? folder;
  return realpath(top).catch(() => top);
}
