// The context that the crew's acts share, in terms of the floors below; crew.ts builds it once.
import type { Agent } from '../agents/agent.ts';
import type { Terminals } from '../backends/joined-terminals.ts';
import type { PaneInfo, PaneRef } from '../backends/terminal.ts';
import type { Clock } from '../model/clock.ts';
import { CrewError } from '../model/errors.ts';
import { type AgentType, type BuiltInAgent, isBuiltIn, type ManagerRef, type WorkerRecord } from '../model/worker.ts';
import { type AgentSettings, knownAgents, type Settings } from '../settings/settings.ts';
import type { EventLog } from '../store/event-log.ts';
import type { Home } from '../store/home.ts';
import type { Log } from '../system/log.ts';
import { rarely } from '../system/once.ts';
import type { Clashes } from '../worktree/landing/clash.ts';

export interface SettingsNow {
  readonly settings: Settings;
  readonly problems: readonly string[];
  /** A file with problems held permission rules. */
  readonly rulesLost?: boolean;
}

export interface Context {
  readonly clock: Clock;
  readonly environment: Environment;
  readonly cwd: string;
  /** How this very program is started again: program and leading arguments. */
  readonly program: readonly string[];
  readonly me: ManagerRef;
  readonly home: Home;
  readonly logger: Log;
  readonly log: EventLog;
  readonly terminal: Terminals;
  readonly tmux: TmuxServers;
  /** Remembers which pieces of work conflict. */
  readonly clashes: Clashes;
  /** The settings of a project; the log gets problems of its files once, as warnings. */
  readonly settingsFor: (projectPath: string) => SettingsNow;
  /** As of at most a second ago, for what is asked with each signal and each view: to read them takes time. */
  readonly recentSettings: (projectPath: string) => Settings;
  readonly agents: Agents;
}

/** `environments.ts` has what other programs get. */
interface Environment {
  /** The server's whole environment, to look things up by name; no program is given it. */
  readonly server: Readonly<Record<string, string>>;
  /** The part of it that git gets. */
  readonly git: Readonly<Record<string, string>>;
  /** The part that programs get which speak to a remote. */
  readonly remote: Readonly<Record<string, string>>;
}

interface TmuxServers {
  /** Name of our own server's socket. */
  readonly socket: string;
  /** Panes of another server of this user, only looked at. */
  readonly panesOf: (socket: string) => Promise<readonly PaneInfo[]>;
  /** What a pane of any of them shows, with colours. */
  readonly screenOf: (pane: PaneRef) => Promise<string>;
}

interface Agents {
  /** Those that need no configuration. */
  readonly builtIn: readonly Agent[];
  /** Built in, or configured for the project; throws `invalid_argument` for any other, naming those there are. */
  readonly named: (type: AgentType, projectPath?: string) => Agent;
  /** The agent of a worker; never throws. One without configuration by now has only its name. */
  readonly of: (record: Pick<WorkerRecord, 'agentType' | 'mainRepoPath' | 'projectPath'>) => Agent;
}

export interface AgentSources {
  readonly agents: Readonly<Record<BuiltInAgent, Agent>>;
  /** Makes an agent of its settings; one without settings reads nothing from a screen. */
  readonly configuredAgent: (name: AgentType, settings: AgentSettings | undefined) => Agent;
  readonly settingsFor: (projectPath: string) => { readonly settings: Settings };
}

const rememberMs = 1_000;

export function recentSettingsFrom(
  { settingsFor }: Pick<AgentSources, 'settingsFor'>,
  clock: Clock,
): Context['recentSettings'] {
  const known = rarely<Settings>(clock, rememberMs);
  return (projectPath) => known(projectPath, () => settingsFor(projectPath).settings);
}

/** How a context finds agents; `of` reads the settings of a project once a second at most. */
export function agentsFrom(
  { agents, configuredAgent, settingsFor }: AgentSources,
  { clock, cwd }: Pick<Context, 'clock' | 'cwd'>,
): Agents {
  const configured = (type: AgentType, project: string) => {
    const { settings } = settingsFor(project);
    const own = Object.hasOwn(settings.agents, type) ? settings.agents[type] : undefined;
    return { settings, own };
  };
  const known = rarely<Agent>(clock, rememberMs);
  return {
    builtIn: Object.values(agents),
    named(type, project = cwd) {
      if (isBuiltIn(type)) return agents[type];
      const { settings, own } = configured(type, project);
      if (own !== undefined) return configuredAgent(type, own);
      throw new CrewError(
        'invalid_argument',
        `There is no agent "${type}" for ${project}. Known: ${knownAgents(settings).join(', ')}.`,
        `Pass one of those as agent_type, or describe "${type}" under agents in the configuration.`,
      );
    },
    of({ agentType: type, mainRepoPath, projectPath }) {
      if (isBuiltIn(type)) return agents[type];
      const project = mainRepoPath ?? projectPath;
      return known(JSON.stringify([type, project]), () => configuredAgent(type, configured(type, project).own));
    },
  };
}
