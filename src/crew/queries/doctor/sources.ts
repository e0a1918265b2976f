// What the doctor may look at, and the form of its checks; a check changes nothing.

import type { Agent } from '../../../agents/agent.ts';
import type { PaneInfo, TerminalHealth } from '../../../backends/terminal.ts';
import type { Clock } from '../../../model/clock.ts';
import type { BuiltInAgent, WorkerRecord } from '../../../model/worker.ts';
import type { LeftAside } from '../../../settings/kept-files.ts';
import type { LoadedSettings } from '../../../settings/settings.ts';
import type { Finding } from '../../../wire/doctor.ts';

export interface DoctorSources {
  /** For git and gh. */
  readonly env: Readonly<Record<string, string>>;
  /** For the agents' programs. */
  readonly workerEnv: Readonly<Record<string, string>>;
  /** The project of this server or of the command line. */
  readonly project: string;
  /** The state folder, whether it exists or not. */
  readonly home: string;
  readonly clock: Clock;
  readonly agents: Readonly<Record<BuiltInAgent, Agent>>;
  readonly loaded: LoadedSettings;
  readonly terminalHealth: () => Promise<TerminalHealth>;
  /** Panes of a tmux server; none when it does not run. */
  readonly panesOf: (socket: string) => Promise<readonly PaneInfo[]>;
  readonly records: () => Promise<readonly WorkerRecord[]>;
  /** Those of plans, in the project and with its user. */
  readonly templates: () => Promise<WrittenDown>;
}

/** Roles or templates that count, and the files that do not. */
export interface WrittenDown {
  readonly known: readonly { readonly name: string; readonly source: string }[];
  readonly aside: readonly Pick<LeftAside, 'why'>[];
}

export type DoctorCheck = (sources: DoctorSources) => Promise<Finding | readonly Finding[]>;

/** By the name that their findings have. */
export type Checks = Readonly<Record<string, DoctorCheck>>;
