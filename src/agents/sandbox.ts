// The OS sandbox that an agent brings for the commands of its model.
import type { Rules } from '../model/rule.ts';
import type { GitWalls } from './bwrap.ts';

/** The settings of one worker's sandbox. Paths are absolute and real, and they exist. */
export interface SandboxSpec {
  /** The worktree, or the project where there is none. */
  readonly root: string;
  /** The worker's own folder for temporary files. */
  readonly temp: string;
  /** Writable beside the worktree and `temp`. */
  readonly writable: readonly string[];
  /** Writable for its commands alone: no rule lets a file tool write there. */
  readonly writableByCommands: readonly string[];
  /** Not writable, whatever lies around it is. */
  readonly unwritable: readonly string[];
  readonly unreadable: readonly string[];
  /** Hosts that its commands may reach without asking. */
  readonly allowedDomains: readonly string[];
  /** Commands that run outside, in the agent's own syntax for rules. */
  readonly excludedCommands: readonly string[];
  readonly allowUnixSockets: readonly string[];
  readonly allowLocalBinding: boolean;
  /** Ways out that stay open whatever the launch asks for. */
  readonly holes: readonly SandboxHole[];
  /** Its own view of the repository's git folder; none where bubblewrap does not build the sandbox. */
  readonly walls?: GitWalls;
  readonly leftOut?: LeftOut;
  /**
   * For its commands alone. What the agent itself starts outside, such as an MCP server, must not run what lies in a
   * cache that a command writes.
   */
  readonly commandEnv?: CommandEnv;
}

/** The project's own files that the agent is started without, since they can name programs. */
export interface LeftOut {
  /** Those that everybody has, those of this user alone, or both. */
  readonly sources: readonly ('project' | 'local')[];
  /** What counts of them all the same. */
  readonly rules: Rules;
}

export interface CommandEnv {
  readonly set: Readonly<Record<string, string>>;
  readonly unset: readonly string[];
}

/** A way out of a sandbox that is on, which this worker has all the same. */
export interface SandboxHole {
  /** A sentence for a person, without the worker's name. */
  readonly words: string;
  /** The caller or the user chose it, so that a sandbox which must be on lets it be. */
  readonly isWished: boolean;
  /** Its commands can move branches that are not its own. */
  readonly writesRefs?: true;
}

/** A program that ends well where the sandbox works. */
export interface SandboxProbe {
  readonly argv: readonly string[];
  /** What to do where it does not. */
  readonly fix: string;
}

export interface AgentSandbox {
  /** `command` is how the agent is started. */
  probes(at: { readonly platform: string; readonly command: readonly string[] }): readonly SandboxProbe[];
  /** Names of files that it lays over a worktree while a command runs. */
  readonly standIns: readonly string[];
  /** The host that this label of a dialog lets through from now on. */
  hostOf(label: string): string | undefined;
  /** It opens no folder of git by itself: without walls, what a commit writes must be named. */
  readonly guardsGit: boolean;
  /**
   * The rules in the text of a project's settings that only take something away. An agent that has it can be started
   * without these files.
   */
  readonly strictRulesIn?: (text: string) => Rules;
}
