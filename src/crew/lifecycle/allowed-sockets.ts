// A socket that the user allows stays in sight, and what lies beside it does not.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { below } from '../../system/disk.ts';

/** The hidden places without those that are allowed, or are on the way to one. */
export async function apartFrom(hidden: readonly string[], allowed: readonly string[]): Promise<readonly string[]> {
  const apart = hidden.map(async (path): Promise<readonly string[]> => {
    if (allowed.some((one) => one === path || below(one, path) !== undefined)) return [];
    const inside = allowed.filter((one) => below(path, one) !== undefined);
    if (inside.length === 0) return [path];
    const entries = await readdir(path).catch(() => []);
    return apartFrom(
      entries.map((name) => join(path, name)),
      inside,
    );
  });
  return (await Promise.all(apart)).flat();
}
