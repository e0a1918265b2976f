// Which salvages are ours: each is written down before what it holds is removed, with its ref and its commit.

import { enterSalvage, madeSalvages } from '../../store/salvage-book.ts';
import type { Salvage } from '../../worktree/salvage/salvage-commit.ts';
import type { CrewContext } from '../workers/roster.ts';

export async function noteSalvage(
  context: CrewContext,
  saved: { readonly workerId: string; readonly path: string; readonly reason: string; readonly salvage: Salvage },
): Promise<void> {
  const { workerId, path, reason, salvage } = saved;
  await enterSalvage(context.home, salvage);
  await context.log.append([
    { type: 'salvaged', workerId, data: { ref: salvage.ref, sha: salvage.sha, path, reason } },
  ]);
}

/** Whether we made it. Anybody who can write to a repository can write a ref there, and move one. */
export type IsOurs = (salvage: Salvage) => boolean;

export async function knownSalvages(context: CrewContext): Promise<IsOurs> {
  await context.log.catchUp();
  // An earlier release has written events alone.
  const events = (await context.log.since(0)).filter(({ type }) => type === 'salvaged').map(({ data }) => data);
  const made = [...(await madeSalvages(context.home)), ...events];
  const known = new Set(made.map(({ ref, sha }) => `${String(ref)} ${String(sha)}`));
  return ({ ref, sha }) => known.has(`${ref} ${sha}`);
}
