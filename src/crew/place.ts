// Which project a folder belongs to, as a worker that is started there would have it.
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { defined } from '../model/defined.ts';
import { CrewError } from '../model/errors.ts';
import { resolveProject } from '../settings/settings.ts';
import { inspectFolder, realFolder } from '../worktree/git/inspect.ts';
import { slug } from '../worktree/git/slug.ts';
import type { Context } from './context.ts';

/** A folder as the crew knows it. */
export interface ProjectPlace {
  /** As a real path. */
  readonly project: string;
  readonly crew: string;
  /** The main checkout; undefined outside of a repository. */
  readonly repoPath?: string;
}

type Placing = Pick<Context, 'environment' | 'cwd' | 'settingsFor'>;

export interface PlaceQuery {
  /** `auto` is the project of whoever asks. */
  readonly project: string;
  /** Where `auto` leads, before the server's own folder. */
  readonly here?: string;
}

/** Rejects where there is no folder, and where git cannot tell. */
export async function placeOf(context: Placing, { project: asked, here }: PlaceQuery): Promise<ProjectPlace> {
  const project = await projectOf(context, asked, here);
  const folder = await inspectFolder({ path: project, env: context.environment.git });
  const { settings } = context.settingsFor(project);
  const crew = crewName(settings.tmux.session_prefix, folder?.mainRepoPath ?? project);
  return { project, crew, ...defined({ repoPath: folder?.mainRepoPath }) };
}

/** The real path of the folder of a project; throws `invalid_argument` where there is none. */
export async function projectOf(
  context: Omit<Placing, 'settingsFor'>,
  path: string,
  here: string | undefined,
): Promise<string> {
  const asked = resolveProject(path, {
    env: context.environment.server,
    userHome: context.environment.git.HOME ?? '/',
    cwd: context.cwd,
    ...defined({ clientRoot: here }),
  });
  const real = await realFolder(asked);
  if ((await stat(real)).isDirectory()) return real;
  throw new CrewError('invalid_argument', `${real} is not a folder.`, 'Pass the folder of a project.');
}

/** The name of the project's tmux session: readable, and another one for another project of the same name. */
export function crewName(prefix: string, path: string): string {
  const digest = createHash('sha256').update(path).digest('hex').slice(0, 6);
  // tmux gives `.` and `:` a meaning of their own in targets.
  const word = slug(basename(path), 30).replace(/[.:]/g, '-');
  return `${prefix}${word === '' ? 'project' : word}-${digest}`;
}
