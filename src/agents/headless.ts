// The contract of an agent without a screen: it answers one question, changes nothing, and prints lines.
import type { Rules } from '../model/rule.ts';
import type { ModelTokens } from '../model/usage.ts';
import type { WrittenFile } from './long-argv.ts';
import type { LeftOut, SandboxSpec } from './sandbox.ts';

/** Paths are absolute and real. */
export interface QuestionSpec {
  /** The value of CREWMUX_WORKER in its environment, so that our hooks of a manager do nothing in it. */
  readonly mark: string;
  readonly question: string;
  readonly cwd: string;
  /** The main checkout, by which an agent knows the project; `cwd` outside of a repository. */
  readonly repoPath: string;
  /** A private folder for `files`. */
  readonly dir: string;
  readonly command: readonly string[];
  /** For a new conversation, where the agent lets us choose. */
  readonly agentSessionId: string;
  /** The conversation to go on with. */
  readonly resume?: string;
  readonly model?: string;
  readonly standingPrompt?: string;
  /** Of its tools these alone. */
  readonly tools?: readonly string[];
  readonly rules: Rules;
  readonly env: Readonly<Record<string, string>>;
  /** Without one, an agent whose commands nothing else keeps from writing has none. */
  readonly sandbox?: SandboxSpec;
  readonly leftOut?: LeftOut;
  /** MCP servers that it would start, by name. */
  readonly servers: readonly string[];
}

export interface QuestionPlan {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly files: readonly WrittenFile[];
}

/** What a run has used: it alone, or its conversation up to now. */
export interface RunUsage {
  readonly of: 'run' | 'conversation';
  readonly tokens: readonly ModelTokens[];
  /** The agent's own figure. */
  readonly usd?: number;
}

export type PrintedLine =
  | { readonly is: 'begun'; readonly agentSessionId: string }
  /** The next letters of a message that is under way. */
  | { readonly is: 'piece'; readonly text: string }
  /** A whole message. */
  | { readonly is: 'said'; readonly text: string }
  | { readonly is: 'ended'; readonly text?: string; readonly trouble?: string; readonly usage?: RunUsage }
  | { readonly is: 'other' };

export const otherLine: PrintedLine = { is: 'other' };

export interface Headless {
  /** A run of the program that names the MCP servers; absent where one flag leaves all of them out. */
  readonly servers?: {
    argv(at: Pick<QuestionSpec, 'command' | 'cwd' | 'repoPath'>): readonly string[];
    /** Undefined for what is no such list. */
    namesIn(printed: string): readonly string[] | undefined;
  };
  /** Throws `invalid_argument` for a question that the agent would take for a command; touches nothing. */
  ask(spec: QuestionSpec): QuestionPlan;
  /** Never throws. */
  readLine(line: string): PrintedLine;
}
