// Who keeps a project: the holder of its lock, one a crew.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { digestOf } from '../system/digest.ts';
import { unlessMissing } from '../system/disk.ts';
import { heldBy } from '../system/lock.ts';
import { homeAt } from './home.ts';

const prefix = 'keep-';

export const keepLock = (home: string, crew: string): string => homeAt(home).lockPath(`${prefix}${digestOf(crew)}`);

/** Whether any project is kept. */
export async function isAnyKept(home: string): Promise<boolean> {
  const folder = join(home, 'locks');
  const names = ((await unlessMissing(readdir(folder))) ?? []).filter((name) => name.startsWith(prefix));
  const keepers = await Promise.all(names.map((name) => heldBy(join(folder, name))));
  return keepers.some((keeper) => keeper !== undefined);
}
