import type { Crew } from './api.ts';
import type { House } from './house.ts';

export async function readWorktrees(
  _house: House,
  request: Parameters<Crew['worktrees']>[0],
): ReturnType<Crew['worktrees']> {
  return { repo_path: request.repo_path, worktrees: [], total: 0, orphan_count: 0, removed_count: 0 };
}
