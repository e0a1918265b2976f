// The issue tracker of a main checkout, which the workers with a bead use.
import { join, relative } from 'node:path';
import { defined } from '../../model/defined.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { detectTracker, type FoundTracker } from '../../trackers/tracker.ts';
import type { CrewContext } from './crew-context.ts';

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

/** Those at the top of the checkout, and where its workers have their folders. */
export async function trackersIn(context: CrewContext, checkout: string): Promise<readonly FoundTracker[]> {
  const records = context.roster.records().filter(({ mainRepoPath }) => mainRepoPath === checkout);
  const subfolders = [...new Set(['', ...records.map(subfolderOf)])];
  const found = await Promise.all(subfolders.map((subfolder) => trackerOf(context, { checkout, subfolder })));
  return found.filter((one) => one !== undefined);
}
