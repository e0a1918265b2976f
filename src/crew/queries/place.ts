// Which project a folder belongs to, as a worker that is started there would have it.
import { defined } from '../../model/defined.ts';
import { inspectFolder } from '../../worktree/inspect.ts';
import { crewName, projectOf } from '../lifecycle/draft.ts';
import type { CrewContext } from '../workers/roster.ts';

/** A folder as the crew knows it. */
export interface Place {
  /** As a real path. */
  readonly project: string;
  readonly crew: string;
  /** The main checkout; undefined outside of a repository. */
  readonly repoPath?: string;
}

/** Rejects where there is no folder, and where git cannot tell. */
export async function placeOf(
  context: CrewContext,
  { project: asked, here }: { readonly project: string; readonly here?: string },
): Promise<Place> {
  const project = await projectOf(context, asked, here);
  const folder = await inspectFolder({ path: project, env: context.env });
  const { settings } = context.settingsFor(project);
  const crew = crewName(settings.tmux.session_prefix, folder?.mainRepoPath ?? project);
  return { project, crew, ...defined({ repoPath: folder?.mainRepoPath }) };
}
