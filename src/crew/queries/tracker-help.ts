// Which issue tracker a project has, and how to work with it.
import { defined } from '../../model/defined.ts';
import { resolveProject } from '../../settings/settings.ts';
import { detectTracker, type TrackerHelp, trackerHelp } from '../../trackers/tracker.ts';
import { inspectFolder, realFolder } from '../../worktree/git/inspect.ts';
import type { PlaceQuery } from '../place.ts';
import type { CrewContext } from '../workers/roster.ts';

export async function readTrackerHelp(context: CrewContext, query: PlaceQuery): Promise<TrackerHelp> {
  const facts = { env: context.serverEnv, userHome: context.env.HOME ?? '/', cwd: context.cwd };
  const projectPath = await realFolder(
    resolveProject(query.project, { ...facts, ...defined({ clientRoot: query.here }) }),
  );
  const folder = await inspectFolder({ path: projectPath, env: context.env });
  const { override } = context.settingsFor(projectPath).settings.issue_tracker;
  const found = await detectTracker({
    projectPath,
    ...defined({ mainRepoPath: folder?.mainRepoPath, override }),
  });
  return trackerHelp(found);
}
