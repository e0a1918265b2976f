// The graph: the crew built by hand of its concrete parts.
import { realpath } from 'node:fs/promises';
import { claudeAgent } from './agents/claude/claude.ts';
import { codexAgent } from './agents/codex/codex.ts';
import { workerEnvironment } from './agents/environment.ts';
import { genericAgent } from './agents/generic/generic.ts';
import { attachTo } from './backends/tmux/attach.ts';
import { captureOf, listPanesOf, openTmux, type TmuxOptions, tmuxHealth } from './backends/tmux/tmux.ts';
import { agentSessions, endReading } from './bin/agent-sessions.ts';
import type { Showing, Visit } from './cli/world.ts';
import type { Crew, Examiner } from './crew/api.ts';
import { type CrewOptions, lookAtCrew, openCrew } from './crew/crew.ts';
import { programEnvironment } from './crew/environments.ts';
import { doctor } from './crew/queries/doctor/doctor.ts';
import type { DoctorSources } from './crew/queries/doctor/sources.ts';
import { hasPane } from './crew/workers/crew-context.ts';
import { defined, definedOf } from './model/defined.ts';
import { CrewError } from './model/errors.ts';
import type { PaneRecord } from './model/worker.ts';
import { loadSettings, settingsReader } from './settings/settings.ts';
import { findTemplateFiles } from './settings/templates.ts';
import { homeAt } from './store/home.ts';
import { type OrderOutcome, type OrderRun, type ToolOrder, takeOrders } from './store/orders.ts';
import { readLog } from './store/read-log.ts';
import { systemClock } from './system/clock.ts';
import type { Log } from './system/log.ts';
import { type ProcessRef, processRef } from './system/process.ts';
import type { DoctorResult } from './wire/doctor.ts';
import type { Jobs, Workshop, WorkshopView } from './work/api.ts';
import { knownTemplates } from './work/templates/known.ts';
import { lookAtJobs } from './work/verbs/look.ts';
import { type JobsParts, openJobs, taskLimits } from './work/work.ts';
import { inspectFolder } from './worktree/git/inspect.ts';
import { tryReadGit } from './worktree/git/repo.ts';
import { between } from './worktree/state/between.ts';

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
const examine = (world: Surroundings): Promise<DoctorResult> => doctor(doctorSources(world));

/** The project, and its main repository where that is another folder: the settings of both may count. */
export async function projectFolders({ env, project }: Pick<Surroundings, 'env' | 'project'>): Promise<string[]> {
  const inside = await inspectFolder({ path: project, env: definedOf(env) }).catch(() => undefined);
  const top = inside?.mainRepoPath;
  const [here, there] = await Promise.all([project, top ?? project].map((path) => realpath(path).catch(() => path)));
  return top === undefined || here === there ? [project] : [project, top];
}

/** The top of the checkout that a folder lies in; undefined outside of one. */
export const checkoutTop = async (env: Surroundings['env'], folder: string): Promise<string | undefined> =>
  (await inspectFolder({ path: folder, env: definedOf(env) }).catch(() => undefined))?.worktreeRoot;

/** The local branches of the repository that a folder lies in; none outside of one. */
export async function branchesOf(env: Surroundings['env'], folder: string): Promise<readonly string[]> {
  const args = ['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads'];
  const { exitCode, stdout } = await tryReadGit({ path: folder, env: definedOf(env) }, args);
  return exitCode === 0 ? stdout.split('\n').filter((name) => name !== '') : [];
}

/** Whether git leaves a file out of commits; so it does where there is no repository. */
export async function isIgnored(env: Surroundings['env'], folder: string, file: string): Promise<boolean> {
  const { exitCode } = await tryReadGit({ path: folder, env: definedOf(env) }, ['check-ignore', '-q', '--', file]);
  return exitCode !== 1;
}

export const commitsBetween = (env: Surroundings['env'], repo: string, commits: { from: string; to: string }) =>
  between(repo, definedOf(env), commits);

/** What can be asked without a crew. */
export const examinerOf = (world: Surroundings): Examiner => ({
  doctor: () => examine(world),
  agentSessions: (asked) => agentSessions(world, asked),
});

function doctorSources(world: Surroundings): DoctorSources {
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
    records: async () => [...(await readLog(home)).records.values()],
    async templates() {
      const { templates, aside } = knownTemplates(await templatesFor(world)(project));
      return { known: templates.map(({ template: { name }, source }) => ({ name, source })), aside };
    },
  };
}

/**
 * A server's crew on the real tmux, git and agents of this machine; it takes the orders that people leave for it. A
 * keeper has no manager: it takes over the workers of its tasks alone.
 */
export async function buildCrew(world: World, role: 'server' | 'keeper' = 'server'): Promise<Workshop> {
  const isKeeper = role === 'keeper';
  const crew = await openCrew(optionsOf(world), { stays: true, ...(isKeeper && { claims: [] }) });
  const me = await processRef(world.pid);
  const jobs = await jobsOf(world, { crew, me, role });
  const own = await crew.place({ project: 'auto' }).catch(() => undefined);
  const workshop: Workshop = { ...crew, jobs };
  const orders = await takeOrders({
    home: world.home,
    me,
    project: world.project,
    ...defined({ crew: own?.crew }),
    ...(isKeeper && { isKeeper }),
    clock: systemClock,
    perform: (order, run) => perform(order, { crew: workshop, world, run }),
    onTrouble: (error) => world.log.write('warn', 'an order could not be taken', error),
  });
  return {
    ...workshop,
    async dispose() {
      endReading();
      await orders.close();
      await jobs.dispose();
      await crew.dispose();
    },
  };
}

interface Opening {
  readonly crew: Crew;
  readonly me: ProcessRef;
  readonly role: JobsParts['role'];
}

function jobsOf(world: World, { crew, me, role }: Opening): Promise<Jobs> {
  const { settingsFor } = optionsOf(world);
  const limits = () => taskLimits(settingsFor(world.project).settings);
  const { lockPath } = homeAt(world.home);
  const { home, log: logger } = world;
  const templates = templatesFor(world);
  return openJobs({ crew, clock: systemClock, home, lockPath, me, logger, limits, templates, role });
}

const templatesFor =
  ({ env, userHome }: Pick<Surroundings, 'env' | 'userHome'>) =>
  async (project: string) =>
    findTemplateFiles({ env, userHome, folders: await projectFolders({ env, project }) });

/** The crew as it is, for a process that is no server. */
export async function lookAround(world: World): Promise<WorkshopView> {
  const options = optionsOf(world);
  const crew = await lookAtCrew(options);
  const jobs = await lookAtJobs({
    crew,
    clock: systemClock,
    home: world.home,
    templates: templatesFor(world),
    limit: () => options.settingsFor(world.project).settings.limits.max_parallel,
    onTrouble: (error) => world.log.write('warn', 'the book of tasks could not be read', error),
  });
  return {
    ...crew,
    jobs,
    async dispose() {
      await jobs.dispose();
      await crew.dispose();
    },
  };
}

/** Performs an order on workers that no server manages: they are this process's meanwhile. */
export async function visit(world: World, { workers, order, tell }: Visit): Promise<OrderOutcome> {
  const crew = await openCrew(optionsOf(world), { stays: false, claims: workers });
  const me = await processRef(world.pid);
  const jobs = await jobsOf(world, { crew, me, role: 'visit' });
  try {
    const run = { signal: new AbortController().signal, tell };
    return await perform(order, { crew: { ...crew, jobs }, world, run });
  } finally {
    await jobs.dispose();
    await crew.dispose();
  }
}

/** Shows a person the pane, or the whole of its tmux session, until they leave. Throws where it is gone. */
export async function attach(world: Pick<World, 'env'>, pane: PaneRecord, how: Showing): Promise<number> {
  const env = definedOf(world.env);
  const panes = await listPanesOf({ socket: pane.socket, env: tmuxEnvOf(env) });
  const isThere = panes.some(
    ({ ref, session }) =>
      hasPane({ pane }, ref) || (how.whole && session === pane.session && ref.serverPid === pane.serverPid),
  );
  if (!isThere)
    throw new CrewError('worker_dead', `Pane ${pane.paneId} is gone.`, '`crewmux restart` starts its worker again.');
  const { socket, session, serverPid, paneId } = pane;
  const sight = { socket, session, serverPid, readOnly: how.readOnly };
  return attachTo(how.whole ? sight : { ...sight, paneId }, env);
}

interface Performing {
  readonly crew: Workshop;
  readonly world: World;
  readonly run: OrderRun;
}

/** A call of a tool by a person at a terminal, whom no choice of tools concerns. */
async function perform({ tool, args }: ToolOrder, { crew, world, run }: Performing): Promise<OrderOutcome> {
  const [{ toolboxOf }, { managerTools }] = await Promise.all([import('./mcp/toolbox.ts'), import('./tools/index.ts')]);
  const tools = toolboxOf(managerTools(examinerOf(world)));
  const context = { ...run, maxWaitMs: personsPatienceMs, by: 'person' as const };
  const outcome = await tools.callTool({ name: tool, args, context }, { open: async () => crew, log: world.log });
  return 'errorText' in outcome ? { text: outcome.errorText } : outcome.answer;
}

const personsPatienceMs = 600_000;

export function optionsOf(world: World): CrewOptions {
  const env = definedOf(world.env);
  const tmuxEnv = tmuxEnvOf(env);
  const read = settingsReader({ env, userHome: world.userHome });
  return {
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
      const { settings, problems } = read(projectPath);
      const rulesLost = problems.some(({ key }) => key === '' || /^permissions(\.|$)/.test(key));
      return { settings, problems: problems.map(({ message }) => message), rulesLost };
    },
    openTerminal: (socket, kind, alone) =>
      openTmux({
        socket,
        env: tmuxEnv,
        clock: systemClock,
        alone,
        ...(kind === 'own' ? { remind: world.remind, keys: keysOf(world) } : { transport: 'one-shot' as const }),
      }),
    panesOf: (socket) => listPanesOf({ socket, env: tmuxEnv }),
    screenOf: (pane) => captureOf(pane, tmuxEnv),
  };
}

/** What a person's keys start: this program, as it runs here. */
function keysOf({ env, userHome, project, program }: World): Exclude<TmuxOptions['keys'], undefined> {
  const { settings } = loadSettings({ env: definedOf(env), userHome, projectPath: project });
  const names = ['CREWMUX_HOME', 'CREWMUX_CONFIG', 'CREWMUX_TMUX_SOCKET', 'XDG_STATE_HOME', 'XDG_CONFIG_HOME'];
  const own = Object.entries(definedOf(env)).filter(([name]) => names.includes(name));
  return {
    choice: settings.tmux.keys,
    program: ['env', ...own.map(([name, value]) => `${name}=${value}`), ...program],
  };
}

export const tmuxEnvOf = (env: Readonly<Record<string, string>>): Readonly<Record<string, string>> => ({
  TERM: 'xterm-256color',
  ...programEnvironment('tmux', env),
});
