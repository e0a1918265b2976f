// Where configuration, state and projects lie, decided from the environment alone.
import { isAbsolute, join, resolve } from 'node:path';
import { absolute } from '../model/path.ts';

type Env = Readonly<Record<string, string | undefined>>;

const set = (value: string | undefined): value is string => value !== undefined && value !== '';
/** The XDG rules say that a relative path there is to be ignored. */
const xdg = (value: string | undefined, fallback: string) => (set(value) && isAbsolute(value) ? value : fallback);

/** The folder of what a user writes down for all projects. */
export const userFolder = ({ env, userHome }: { readonly env: Env; readonly userHome: string }): string =>
  join(xdg(env.XDG_CONFIG_HOME, join(userHome, '.config')), 'crewmux');

/** The user's configuration file, whether it exists or not. */
export const userConfigPath = ({ env, userHome }: { readonly env: Env; readonly userHome: string }): string =>
  set(env.CREWMUX_CONFIG) ? resolve(env.CREWMUX_CONFIG) : join(userFolder({ env, userHome }), 'config.json');

/** The configuration file below a project. */
export const configPath = join('.crewmux', 'config.json');

/** The project's configuration file, whether it exists or not. */
export const projectConfigPath = (project: string): string => join(project, configPath);

/** The folder of everything crewmux remembers. */
export const stateHome = ({ env, userHome }: { readonly env: Env; readonly userHome: string }): string =>
  set(env.CREWMUX_HOME)
    ? resolve(env.CREWMUX_HOME)
    : join(xdg(env.XDG_STATE_HOME, join(userHome, '.local', 'state')), 'crewmux');

/** Where the server writes what went wrong. */
export const logPath = (home: string): string => join(home, 'crewmux.log');

export interface ProjectFacts {
  readonly env: Env;
  readonly userHome: string;
  /** The client's first root, where it has one. */
  readonly clientRoot?: string;
  readonly cwd: string;
}

/** The folder a `project_path` means. `"auto"` is the configured project, then the client's root, then the cwd. */
export function resolveProject(path: string, facts: ProjectFacts): string {
  if (path !== 'auto') return resolve(absolute(path, facts));
  const configured = [facts.env.CREWMUX_PROJECT_DIR, facts.env.CLAUDE_TEAM_PROJECT_DIR].find(set);
  if (configured !== undefined) return resolve(absolute(configured, facts));
  return facts.clientRoot ?? facts.cwd;
}
