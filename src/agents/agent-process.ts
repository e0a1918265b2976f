// An agent that runs already, as the system shows its process.

/** A process as the system shows it. */
export interface ProcessTraces {
  readonly argv: readonly string[];
  /** Undefined where the system does not show them. */
  readonly openFiles?: readonly OpenFile[];
}

export interface OpenFile {
  readonly path: string;
  /** Epoch ms. */
  readonly modifiedAt: number;
}

/** An agent as its process shows it, whoever started it. */
export interface AgentProcess {
  readonly agentSessionId?: string;
  readonly transcriptPath?: string;
  readonly model?: string;
  readonly permissionMode?: string;
  readonly skipPermissions?: true;
  /** Why it cannot be taken on as it runs, and what would help. */
  readonly refused?: { readonly reason: string; readonly hint: string };
}
