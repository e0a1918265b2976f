// What a new worker is told: its prompt, its bead, or both.
import { beadWorkflow, detectTracker } from '../../trackers/tracker.ts';
import type { FolderFacts } from '../../worktree/inspect.ts';
import type { StartOrder } from '../orders.ts';

export interface PromptParts {
  readonly order: StartOrder;
  readonly folder: FolderFacts | undefined;
  readonly projectPath: string;
  readonly override: 'beads' | 'pebbles' | undefined;
}

/** Undefined for a worker that waits for a message. */
export async function firstPrompt({ order, folder, projectPath, override }: PromptParts): Promise<string | undefined> {
  const { bead, prompt, annotation } = order;
  if (bead === undefined) return prompt;
  const usesWorktree = folder !== undefined && order.useWorktree;
  const found = await detectTracker({
    projectPath,
    ...(folder === undefined ? {} : { mainRepoPath: folder.mainRepoPath }),
    ...(override === undefined ? {} : { override }),
  });
  // A tracker's folder that git ignores is not in the worktree; in the main checkout it always is.
  const tracker = found !== undefined && usesWorktree ? { ...found, shared: true } : found;
  return beadWorkflow({
    bead,
    ...(tracker === undefined ? {} : { tracker }),
    ...(annotation === undefined ? {} : { annotation }),
    ...(prompt === undefined ? {} : { prompt }),
  });
}
