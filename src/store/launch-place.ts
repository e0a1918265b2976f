// What the folder of a launch tells by where it lies.
import { basename, dirname, join } from 'node:path';

export interface LaunchPlace {
  readonly workerDir: string;
  readonly workerId: string;
  readonly launch: number;
}

/** `…/workers/<id>/launches/<n>` */
export function launchPlace(launchDir: string): LaunchPlace {
  const workerDir = dirname(dirname(launchDir));
  return { workerDir, workerId: basename(workerDir), launch: Number(basename(launchDir)) };
}

/** What the agent tells its status line, where it has one. */
export const statusLinePath = (launchDir: string): string => join(launchDir, 'status.json');
