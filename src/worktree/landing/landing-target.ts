// The branch a worker's work is to land on.
import type { Repo } from '../inspect.ts';
import { type ParentRequest, parentBranch } from '../parent-branch.ts';

export interface Target {
  readonly branch: string;
  readonly sha: string;
}

/** Always one of this repository. Rejects with `base_not_found` that names the branches there are. */
export const landingTarget = (repo: Repo, wanted: Pick<ParentRequest, 'asked' | 'recorded'>): Promise<Target> =>
  parentBranch(repo, { ...wanted, reach: 'local', parameter: 'into' });
