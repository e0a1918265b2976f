// The issue tracker of a main checkout, which the workers with a bead use.
import { join, relative } from 'node:path';
import { defined } from '../../model/defined.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { detectTracker, type FoundTracker } from '../../trackers/tracker.ts';
import type { CrewContext } from './roster.ts';

/** In the folder of the checkout or above it. */
export function trackerOf(
  context: Pick<CrewContext, 'settingsFor'>,
  { checkout, subfolder }: { readonly checkout: string; readonly subfolder: string },
): Promise<FoundTracker | undefined> {
  const { override } = context.settingsFor(checkout).settings.issue_tracker;
  return detectTracker({ projectPath: join(checkout, subfolder), ...defined({ override }) });
}

/** The folder of the repository in which a worker works, '' for its top. Pure. */
export function subfolderOf({ worktreePath, mainRepoPath, projectPath }: WorkerRecord): string {
  const path = relative(worktreePath ?? mainRepoPath ?? projectPath, projectPath);
  return path.startsWith('..') ? '' : path;
}
