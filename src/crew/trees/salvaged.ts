// Which salvages are ours: each is written down before what it holds is removed, with its ref and its commit.

import { enterSalvage, madeSalvages } from '../../store/salvage-book.ts';
import type { Salvage } from '../../worktree/salvage/salvage-commit.ts';
import type { House } from '../house.ts';

export async function noteSalvage(
  house: House,
  saved: { readonly workerId: string; readonly path: string; readonly reason: string; readonly salvage: Salvage },
): Promise<void> {
  const { workerId, path, reason, salvage } = saved;
  await enterSalvage(house.home, salvage);
  await house.log.append([{ type: 'salvaged', workerId, data: { ref: salvage.ref, sha: salvage.sha, path, reason } }]);
}

/** Whether we made it. Anybody who can write to a repository can write a ref there, and move one. */
export type IsOurs = (salvage: Salvage) => boolean;

export async function knownSalvages(house: House): Promise<IsOurs> {
  await house.log.catchUp();
  // An earlier release has written events alone.
  const events = (await house.log.since(0)).filter(({ type }) => type === 'salvaged').map(({ data }) => data);
  const made = [...(await madeSalvages(house.home)), ...events];
  const known = new Set(made.map(({ ref, sha }) => `${String(ref)} ${String(sha)}`));
  return ({ ref, sha }) => known.has(`${ref} ${sha}`);
}
