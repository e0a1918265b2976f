// Tells the log of work that was saved, before what held it is removed.
import type { Salvage } from '../../worktree/salvage/salvage-commit.ts';
import type { House } from '../house.ts';

export async function noteSalvage(
  house: House,
  saved: { readonly workerId: string; readonly path: string; readonly reason: string; readonly salvage: Salvage },
): Promise<void> {
  const { workerId, path, reason, salvage } = saved;
  await house.log.append([{ type: 'salvaged', workerId, data: { ref: salvage.ref, sha: salvage.sha, path, reason } }]);
}
