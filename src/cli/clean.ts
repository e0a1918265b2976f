// `crewmux doctor --clean`: removes from the state folder what has had its time.
import { counted } from '../model/plural.ts';
import { stateHome } from '../settings/paths.ts';
import { homeAt } from '../store/home.ts';
import { cleanNow } from '../store/housekeeping.ts';
import { readLog } from '../store/read-log.ts';
import { systemClock } from '../system/clock.ts';
import { exists } from '../system/disk.ts';
import { processRef } from '../system/process.ts';
import type { CommandWorld } from './world.ts';

const mebibyte = 1024 * 1024;

/** Throws what the doctor would say of a log that cannot be read; then nothing is removed. */
export async function clean(world: Pick<CommandWorld, 'env' | 'userHome' | 'pid' | 'write' | 'complain'>) {
  const home = homeAt(stateHome(world));
  if (!(await exists(home.root))) return world.write(`${home.root} is not there yet: nothing to remove.\n`);
  const { records } = await readLog(home.root);
  const { count, bytes } = await cleanNow({
    ...{ home, me: await processRef(world.pid), now: systemClock.now(), records: () => records },
    onTrouble: (words) => void world.complain(`${words}\n`),
  });
  if (count === 0) return world.write(`Nothing in ${home.root} has had its time.\n`);
  return world.write(`Removed ${counted(count, 'item')} from ${home.root}: ${(bytes / mebibyte).toFixed(1)} MiB.\n`);
}
