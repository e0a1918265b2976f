// What says that a worktree was made by us; it lies in the worktree's own git folder and goes with it.

import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../model/json.ts';
import { writeAtomic } from '../../system/atomic.ts';
import { plainText } from '../../system/plain-file.ts';
import { gitDirOf, pinWorktree } from './git-link.ts';
import type { Repo } from './inspect.ts';

const markSchema = z.object({
  version: z.literal(1),
  branch: z.string().exactOptional(),
  /** We made the branch too. */
  branch_created: z.boolean(),
  base: z.object({ ref: z.string(), sha: z.string().exactOptional() }).exactOptional(),
});

export type WorktreeMark = Omit<z.infer<typeof markSchema>, 'version'>;

export const markPath = (gitDir: string) => join(gitDir, 'crewmux-worktree.json');

/** Resolves with git's own folder for the worktree, which it is kept to from now on. Throws when there is none. */
export async function writeMark(repo: Repo, worktreePath: string, mark: WorktreeMark): Promise<string> {
  const gitDir = await gitDirOf(repo.gitCommonDir, worktreePath);
  if (gitDir === undefined) throw new Error(`git has no folder for the worktree ${worktreePath}.`);
  await writeAtomic(markPath(gitDir), JSON.stringify({ version: 1, ...mark }), 0o644);
  pinWorktree(worktreePath, { gitDir, commonDir: repo.gitCommonDir });
  return gitDir;
}

/** Undefined where we made none, or it cannot be read. */
export async function readMark(repo: Repo, worktreePath: string): Promise<WorktreeMark | undefined> {
  const gitDir = await gitDirOf(repo.gitCommonDir, worktreePath);
  const text = gitDir === undefined ? '' : await plainText(markPath(gitDir));
  const mark = markSchema.safeParse(parseJson(text));
  return mark.success ? mark.data : undefined;
}
