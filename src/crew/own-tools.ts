// The tools a worker of ours speaks with: this very program again, with the badge of one launch.
import type { OwnTools } from '../agents/agent.ts';
import type { WorkerRecord } from '../model/worker.ts';
import { badgeVariable, issueBadge } from '../state/badge.ts';
import type { House } from './house.ts';

/** Not `crewmux`: a user may have the manager's server under that name. */
export const ownServerName = 'crew';

/** Longer than any question waits, so that the agent never ends a call of its own accord. */
const longestCallSeconds = 1_860;

/** Makes the badge; earlier launches of this worker are refused from then on. */
export async function ownTools(
  house: House,
  { id }: Pick<WorkerRecord, 'id'>,
  launch: number,
): Promise<OwnTools | undefined> {
  const [command, ...leading] = house.program;
  if (command === undefined) return undefined;
  const launchDir = await house.home.launchDir(id, launch);
  const path = await issueBadge({ workerId: id, launch }, { workerDir: await house.home.workerDir(id), launchDir });
  return {
    name: ownServerName,
    command,
    args: [...leading, 'worker'],
    env: { [badgeVariable]: path, CREWMUX_HOME: house.home.root },
    longestCallSeconds,
  };
}
