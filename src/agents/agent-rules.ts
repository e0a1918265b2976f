// How rules reach an agent, and which of them do not.
import type { Rules } from '../model/rule.ts';

/** How an agent applies rules. Pure. */
export interface AgentRules {
  /** Of the rules those that would not hold: it has no words for them, or asks for nothing. */
  lacks(rules: Rules, at: { readonly skips: boolean; readonly hasWorktree: boolean }): Rules;
  /** A file in the worker's own worktree by which rules reach it. */
  readonly file?: {
    /** Below the worktree. */
    readonly path: string;
    /** The agent reads it while it runs; else the file holds all rules at each start. */
    readonly isLive: boolean;
    /**
     * The file as it is to be, undefined for none, from what it is: without the rules of ours that it had, with those
     * that are wanted. `added` are those of ours in it. Throws `CrewError` for a text it does not understand.
     */
    written(
      text: string | undefined,
      rules: { readonly had: Rules; readonly want: Rules },
    ): { readonly text: string | undefined; readonly added: Rules };
  };
}
