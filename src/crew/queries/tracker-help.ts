// Which issue tracker a project has, and how to work with it.
import { resolveProject } from '../../settings/settings.ts';
import { detectTracker, trackerHelp } from '../../trackers/tracker.ts';
import { inspectFolder, realFolder } from '../../worktree/inspect.ts';
import type { CallContext, Crew } from '../api.ts';
import type { CrewContext } from '../workers/roster.ts';

export async function readTrackerHelp(
  context: CrewContext,
  request: { readonly project_path?: string },
  call: CallContext,
): ReturnType<Crew['trackerHelp']> {
  const facts = { env: context.serverEnv, userHome: context.env.HOME ?? '/', cwd: context.cwd };
  const root = call.clientRoot === undefined ? {} : { clientRoot: call.clientRoot };
  const projectPath = await realFolder(resolveProject(request.project_path ?? 'auto', { ...facts, ...root }));
  const folder = await inspectFolder({ path: projectPath, env: context.env });
  const { override } = context.settingsFor(projectPath).settings.issue_tracker;
  const found = await detectTracker({
    projectPath,
    ...(folder === undefined ? {} : { mainRepoPath: folder.mainRepoPath }),
    ...(override === undefined ? {} : { override }),
  });
  return trackerHelp(found);
}
