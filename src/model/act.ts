// An act that a worker asks for, in words that do not depend on its agent; paths as the agent gave them.

export interface Act {
  /** `Bash` `Edit` `Write` `Read` `WebFetch` `WebSearch` `mcp__<server>__<tool>`, or the agent's own name of another tool. */
  readonly tool: string;
  readonly cwd: string;
  /** A whole shell line. */
  readonly command?: string;
  readonly paths?: readonly string[];
  readonly url?: string;
}
