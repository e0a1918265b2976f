// What a new worker is told: its prompt, its bead, or both.
import { beadWorkflow, detectTracker } from '../trackers/tracker.ts';
import type { FolderFacts } from '../worktree/inspect.ts';
import type { WorkerRequest } from './api.ts';

export interface PromptParts {
  readonly request: WorkerRequest;
  readonly folder: FolderFacts | undefined;
  readonly projectPath: string;
  readonly override: 'beads' | 'pebbles' | undefined;
}

/** Undefined for a worker that waits for a message. */
export async function firstPrompt({
  request,
  folder,
  projectPath,
  override,
}: PromptParts): Promise<string | undefined> {
  const { bead, prompt } = request;
  if (bead === undefined) return prompt;
  const tracker = await detectTracker({
    projectPath,
    ...(folder === undefined ? {} : { mainRepoPath: folder.mainRepoPath }),
    ...(override === undefined ? {} : { override }),
  });
  return beadWorkflow({
    bead,
    ...(tracker === undefined ? {} : { tracker }),
    ...(request.annotation === undefined ? {} : { annotation: request.annotation }),
    ...(prompt === undefined ? {} : { prompt }),
  });
}
