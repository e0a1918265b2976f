// The graph: the crew built by hand of its concrete parts.
import { realpath } from 'node:fs/promises';
import { claudeAgent } from './agents/claude/claude.ts';
import { codexAgent } from './agents/codex/codex.ts';
import { workerEnvironment } from './agents/environment.ts';
import { genericAgent } from './agents/generic/generic.ts';
import { captureOf, listPanesOf, openTmux, tmuxHealth } from './backends/tmux/tmux.ts';
import type { Crew } from './crew/api.ts';
import { openCrew } from './crew/crew.ts';
import { programEnvironment } from './crew/environments.ts';
import { doctor } from './crew/queries/doctor/doctor.ts';
import type { DoctorSources } from './crew/queries/doctor/sources.ts';
import { loadSettings } from './settings/settings.ts';
import { readLog } from './store/read-log.ts';
import { systemClock } from './system/clock.ts';
import type { Log } from './system/log.ts';
import type { DoctorResult } from './wire/doctor.ts';
import { inspectFolder } from './worktree/inspect.ts';

/** Where things lie. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  /** The project this server serves. */
  readonly project: string;
  readonly home: string;
}

export interface World extends Surroundings {
  readonly pid: number;
  /** How this very program is started again: program and leading arguments. */
  readonly program: readonly string[];
  readonly log: Log;
  /** Sends SIGCHLD to a process; does nothing when it is gone. */
  readonly remind: (pid: number) => void;
}

/** What the doctor finds without a crew: nobody's workers are taken over by looking. */
export const examine = (world: Surroundings): Promise<DoctorResult> =>
  doctor(doctorSources(world, async () => [...(await readLog(world.home)).records.values()]));

/** The project, and its main repository where that is another folder: the settings of both may count. */
export async function projectFolders({ env, project }: Pick<Surroundings, 'env' | 'project'>): Promise<string[]> {
  const inside = await inspectFolder({ path: project, env: definedOf(env) }).catch(() => undefined);
  const top = inside?.mainRepoPath;
  const [here, there] = await Promise.all([project, top ?? project].map((path) => realpath(path).catch(() => path)));
  return top === undefined || here === there ? [project] : [project, top];
}

function doctorSources(world: Surroundings, records: DoctorSources['records']): DoctorSources {
  const env = definedOf(world.env);
  const tmuxEnv = tmuxEnvOf(env);
  const { userHome, project, home } = world;
  const loaded = loadSettings({ env, userHome, projectPath: project });
  const { pass_env: passes } = loaded.settings.defaults;
  return {
    env: programEnvironment('remote', env, passes),
    workerEnv: workerEnvironment(env, { passes }),
    project,
    home,
    clock: systemClock,
    agents: { claude: claudeAgent, codex: codexAgent },
    loaded,
    terminalHealth: () => tmuxHealth(tmuxEnv),
    panesOf: (socket) => listPanesOf({ socket, env: tmuxEnv }),
    records,
  };
}

/** Opens the crew on the real tmux, git and agents of this machine. */
export async function buildCrew(world: World): Promise<Crew> {
  const env = definedOf(world.env);
  const tmuxEnv = tmuxEnvOf(env);
  return openCrew({
    examine: (records) => doctor(doctorSources(world, records)),
    env,
    cwd: world.project,
    clock: systemClock,
    pid: world.pid,
    program: world.program,
    home: world.home,
    logger: world.log,
    agents: { claude: claudeAgent, codex: codexAgent },
    configuredAgent: genericAgent,
    settingsFor(projectPath) {
      const { settings, problems } = loadSettings({ env, userHome: world.userHome, projectPath });
      const rulesLost = problems.some(({ key }) => key === '' || /^permissions(\.|$)/.test(key));
      return { settings, problems: problems.map(({ message }) => message), rulesLost };
    },
    openTerminal: (socket, kind, alone) =>
      openTmux({
        socket,
        env: tmuxEnv,
        clock: systemClock,
        alone,
        ...(kind === 'own' ? { remind: world.remind } : { transport: 'one-shot' as const }),
      }),
    panesOf: (socket) => listPanesOf({ socket, env: tmuxEnv }),
    screenOf: (pane) => captureOf(pane, tmuxEnv),
  });
}

const tmuxEnvOf = (env: Readonly<Record<string, string>>): Readonly<Record<string, string>> => ({
  TERM: 'xterm-256color',
  ...programEnvironment('tmux', env),
});

const definedOf = (env: World['env']): Record<string, string> =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
