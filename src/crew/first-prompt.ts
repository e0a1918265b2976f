// What a new worker is told: its prompt, its bead, or both.
import type { FolderFacts } from '../worktree/inspect.ts';
import type { WorkerRequest } from './api.ts';

export interface PromptParts {
  readonly request: WorkerRequest;
  readonly folder: FolderFacts | undefined;
  readonly projectPath: string;
  readonly override: 'beads' | 'pebbles' | undefined;
}

/** Undefined for a worker that waits for a message. */
export async function firstPrompt({ request }: PromptParts): Promise<string | undefined> {
  return request.prompt;
}
