// What the crew's acts share, in terms of the floors below; built once, in crew.ts.
import type { Agent } from '../agents/agent.ts';
import type { Terminals } from '../backends/joined-terminals.ts';
import type { PaneInfo, PaneRef } from '../backends/terminal.ts';
import type { Clock } from '../model/clock.ts';
import type { AgentType, ManagerRef, WorkerRecord } from '../model/worker.ts';
import type { Settings } from '../settings/settings.ts';
import type { EventLog } from '../store/event-log.ts';
import type { Home } from '../store/home.ts';
import type { Log } from '../system/log.ts';
import type { Clashes } from '../worktree/landing/clash.ts';

export interface SettingsNow {
  readonly settings: Settings;
  readonly problems: readonly string[];
  /** Rules among what was left aside. */
  readonly rulesLost?: boolean;
}

export interface Context {
  readonly clock: Clock;
  /** The server's whole environment, to look things up by name; no program is given it. */
  readonly serverEnv: Readonly<Record<string, string>>;
  /** The part of it that git gets; `environments.ts` has those of other programs. */
  readonly env: Readonly<Record<string, string>>;
  /** The part that programs get which speak to a remote. */
  readonly remoteEnv: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** How this very program is started again: program and leading arguments. */
  readonly program: readonly string[];
  readonly me: ManagerRef;
  readonly home: Home;
  readonly logger: Log;
  readonly log: EventLog;
  readonly terminal: Terminals;
  /** Name of our own tmux server's socket. */
  readonly socket: string;
  /** Panes of another tmux server of this user, only looked at. */
  readonly panesOf: (socket: string) => Promise<readonly PaneInfo[]>;
  /** What a pane of any of them shows, with colours. */
  readonly screenOf: (pane: PaneRef) => Promise<string>;
  /** What is known of how pieces of work merge. */
  readonly clashes: Clashes;
  /** Settings as they hold for a project; problems of its files are told once, as warnings. */
  readonly settingsFor: (projectPath: string) => SettingsNow;
  /** Built in, or configured for the project; throws `invalid_argument` for any other, naming those there are. */
  readonly agentFor: (type: AgentType, projectPath?: string) => Agent;
  /** The agent of a worker that is there; one that nobody configures any more is known by its name alone. */
  readonly agentOf: (record: WorkerRecord) => Agent;
  /** The agents that need no configuration. */
  readonly agents: readonly Agent[];
}
