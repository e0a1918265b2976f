// What each program that the crew starts gets of the server's environment, and the ports that each worker has alone.
import {
  pickVariables,
  surroundings,
  type VariableGroup,
  type Variables,
  words,
  workerEnvironment,
} from '../agents/environment.ts';
import type { AgentType } from '../model/worker.ts';
import type { Context } from './context.ts';

type Env = Readonly<Record<string, string>>;

/** How a program reaches the user's screen: to notify, or to ask for the passphrase of a key. */
const desktop: VariableGroup = { names: words('DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS') };

/** Who commits, and which git runs. */
const forGit: VariableGroup = { names: words('EMAIL GPG_TTY DEVELOPER_DIR') };

/** How a remote is reached, and by what account: for gh, ssh and credential helpers, which gh may be one of. */
const forRemotes: VariableGroup = {
  names: words(`
    GH_* GITHUB_TOKEN GITHUB_ENTERPRISE_TOKEN GCM_* GIT_SSL_* GIT_SSH_VARIANT GIT_PROXY_COMMAND
    SSH_AGENT_PID KRB5CCNAME NIX_SSL_CERT_FILE
  `),
};

/** The terminal that tmux draws on, where its sockets lie, and the tmux we stand in. Panes are given theirs one by one. */
const forTmux: VariableGroup = { names: words('TERM TMUX_TMPDIR TMUX') };

const needs = {
  git: [surroundings, desktop, forGit],
  remote: [surroundings, desktop, forGit, forRemotes],
  tmux: [surroundings, forTmux],
} as const;

/** The part for git with the hooks it runs, for what speaks to a remote, or for tmux; `passes` names more. Pure. */
export const programEnvironment = (
  program: keyof typeof needs,
  env: Variables,
  passes: readonly string[] = [],
): Record<string, string> => pickVariables(env, [...needs[program], { names: passes }]);

/** The whole, and what git and a remote get of it. Pure. */
export const environmentsFrom = (env: Env, passes: readonly string[]): Context['environment'] => ({
  server: env,
  git: programEnvironment('git', env, passes),
  remote: programEnvironment('remote', env, passes),
});

/** What a person's own program needs to tell them something. Pure. */
export const noticeEnvironment = (env: Variables, passes: readonly string[]): Record<string, string> => ({
  ...workerEnvironment(env, { passes }),
  ...pickVariables(env, [desktop]),
});

/** The environment of a worker, or of a program of its agent or of its project that runs for it. */
export const environmentOf = (
  context: Context,
  worker: { readonly agentType: AgentType; readonly projectPath: string; readonly own?: Env | undefined },
): Record<string, string> => {
  const { agentType, projectPath, own = {} } = worker;
  return workerEnvironment(context.environment.server, { agentType, own, passes: passedIn(context, projectPath) });
};

/** The environment of a command of the project that runs for nobody, or in a sandbox. No agent's keys are in it. */
export const commandEnvironment = (context: Context, projectPath: string): Record<string, string> =>
  pickVariables(context.environment.server, [surroundings, { names: passedIn(context, projectPath) }]);

/** What a program that speaks to a remote gets and git does not. */
export const tokenNames = ({ environment: { remote, git } }: Pick<Context, 'environment'>): readonly string[] =>
  Object.keys(remote).filter((name) => !(name in git));

export const passedIn = (context: Context, projectPath: string): readonly string[] =>
  context.settingsFor(projectPath).settings.defaults.pass_env;

/** So many in a row: one for each of a project's servers. */
export const blockSize = 10;
// Systems hand out ports of their own from 32,768 on.
const first = 20_000;
const blocks = 1_200;

interface PortsWanted {
  /** Decides where the search begins, so that two servers that search at once begin apart. */
  readonly workerId: string;
  /** The first ports of other workers. */
  readonly given: ReadonlySet<number>;
  /** Ports that a program listens on. */
  readonly listening: ReadonlySet<number>;
}

/** The first port of a free block; undefined where there is none. Pure. */
export function freeBlock({ workerId, given, listening }: PortsWanted): number | undefined {
  const start = Number.parseInt(workerId, 16) % blocks;
  return Array.from({ length: blocks }, (_, i) => first + ((start + i) % blocks) * blockSize).find(
    (base) => !given.has(base) && !Array.from({ length: blockSize }, (_, i) => base + i).some((p) => listening.has(p)),
  );
}

export const portVariable = ({ port }: { readonly port?: number }): Readonly<Record<string, string>> =>
  port === undefined ? {} : { CREWMUX_PORT: String(port) };
