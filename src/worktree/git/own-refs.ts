// The refs and logs that a worker's sandbox shows it in place of the repository's: its stash lies there.
import { join } from 'node:path';
import { mostBytes, readPlain } from '../../system/plain-file.ts';

const folders = new Map<string, string>();

/** From now on whatever reads what git keeps for this worktree alone reads that folder too. */
export function knowOwnRefs(gitDir: string, folder: string): void {
  folders.set(gitDir, folder);
}

/** The lines of the worktree's own stash, as git writes them into a log; '' where it has none. */
export async function stashLog(gitDir: string): Promise<string> {
  const folder = folders.get(gitDir);
  const bytes = folder && (await readPlain(join(folder, 'logs/refs/stash'), mostBytes.index));
  return bytes ? bytes.toString('latin1') : '';
}
