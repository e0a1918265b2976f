// The issue tracker of a worker with a bead: which one it is told of, and what of it its sandbox opens.
import { defined } from '../../model/defined.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { Settings } from '../../settings/settings.ts';
import { below } from '../../system/disk.ts';
import { detectTracker, type FoundTracker } from '../../trackers/tracker.ts';
import { openFolder, type TrackerFolder, whyClosed } from '../../trackers/tracker-folder.ts';
import type { FolderFacts } from '../../worktree/git/inspect.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { subfolderOf, trackerOf } from '../workers/tracker.ts';
import type { StartOrder } from './start-order.ts';

interface Project {
  readonly projectPath: string;
  readonly folder: FolderFacts | undefined;
  readonly settings: Pick<Settings, 'issue_tracker'>;
}

/** The tracker of a worker with a bead: that of the main checkout, where each worktree has a copy at most. */
export async function trackerFor(
  context: CrewContext,
  { bead, useWorktree }: StartOrder,
  { folder, projectPath, settings }: Project,
): Promise<FoundTracker | undefined> {
  if (bead === undefined) return undefined;
  if (useWorktree && folder !== undefined && !folder.isBare) {
    const { mainRepoPath: checkout, subfolder } = folder;
    const found = await trackerOf(context, { checkout, subfolder });
    if (found !== undefined) return { ...found, shared: true };
  }
  const { override } = settings.issue_tracker;
  const found = await detectTracker({ projectPath, ...defined({ mainRepoPath: folder?.mainRepoPath, override }) });
  return found !== undefined && useWorktree ? { ...found, shared: true } : found;
}

/** Says why the sandbox of a worker with a bead does not open the tracker's folder. */
export async function closedTracker(
  name: string,
  tracker: FoundTracker | undefined,
  checkout: string,
): Promise<readonly string[]> {
  const why = tracker?.shared ? await whyClosed(tracker, checkout) : undefined;
  if (why === undefined) return [];
  return [`${name} cannot change its issue in the sandbox, which keeps the tracker's folder read-only: ${why}.`];
}

/** The folder of the tracker in the main checkout, for a worker with a bead whose own folder does not hold it. */
export async function openedTracker(
  context: CrewContext,
  record: WorkerRecord,
  root: string,
): Promise<TrackerFolder | undefined> {
  const { bead, mainRepoPath: checkout } = record;
  if (bead === undefined || checkout === undefined) return undefined;
  const found = await trackerOf(context, { checkout, subfolder: subfolderOf(record) });
  const isOwn = found === undefined || below(root, found.dir) !== undefined;
  return isOwn ? undefined : openFolder(found, checkout);
}
