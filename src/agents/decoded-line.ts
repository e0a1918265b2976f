// What one line of an agent's transcript holds.
import type { Signal } from '../model/turn.ts';
import type { LimitUse, Tokens } from '../model/usage.ts';

/** One entry of a conversation as `read_worker_logs` shows it. */
export interface ConversationEntry {
  readonly role: 'user' | 'assistant';
  readonly content: string;
  readonly at: number;
  readonly toolUses?: readonly ToolUse[];
  /** Lines of one message share it; entries with the same id are one message. */
  readonly messageId?: string;
}

export type ToolUse = { readonly id?: string; readonly name: string; readonly input: string };
/** The answer to the tool use of that id. */
export type ToolResult = {
  readonly id: string;
  readonly output: string;
  /** The first line of a failure, with its exit status where it has one; absent for what went well. */
  readonly failure?: string;
};

export interface TokenUsage extends Tokens {
  readonly at: number;
  /** Counted once per id, whatever the number of lines that carry it. */
  readonly messageId: string;
  /** Of the whole conversation up to this message, where the agent sums it up. */
  readonly total?: Tokens;
}

/** What one transcript line holds. `unknown` names a form this decoder does not know. */
export interface DecodedLine {
  readonly signals: readonly Signal[];
  readonly entry?: ConversationEntry;
  readonly toolResults?: readonly ToolResult[];
  readonly usage?: TokenUsage;
  /** Of the whole conversation so far. */
  readonly costUsd?: number;
  /** Of the context window, 0 to 1. */
  readonly contextLeft?: number;
  readonly limits?: readonly LimitUse[];
  readonly model?: string;
  /** The conversation that this one continues; its past is not in this transcript. */
  readonly forkedFrom?: string;
  readonly unknown?: string;
}

export interface Subagents {
  /** The folder of their transcripts, `*.jsonl`; it may not exist. */
  dirOf(transcriptPath: string): string;
  /** Never throws. */
  decodeLine(line: string): Pick<DecodedLine, 'usage' | 'model'>;
}
