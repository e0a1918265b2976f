// What a worker may do: rules in layers, and what is known of the act they are asked about.

export const ruleLists = ['allow', 'confirm', 'deny'] as const;
export type RuleList = (typeof ruleLists)[number];

/** Rules as written, `Tool` or `Tool(pattern)`. */
export type RuleSet = Readonly<Record<RuleList, readonly string[]>>;

export interface PolicyLayer extends RuleSet {
  /** `worker:<id>`, `role:<name>`, `default`, or `preset:<name>`. */
  readonly scope: string;
  /** Its rules about commands permit none that names a place outside the worktree. */
  readonly inside?: boolean;
  /** It permits also what cannot be judged, as long as no other layer forbids or holds anything. */
  readonly blind?: boolean;
}

/** Strongest layer first. */
export type Policy = readonly PolicyLayer[];

/** An act a worker asks for, in words that do not depend on its agent; paths as the agent gave them. */
export interface Act {
  /** `Bash` `Edit` `Write` `Read` `WebFetch` `WebSearch` `mcp__<server>__<tool>`, or the agent's own name of another tool. */
  readonly tool: string;
  readonly cwd: string;
  /** A whole shell line. */
  readonly command?: string;
  readonly paths?: readonly string[];
  readonly url?: string;
}

/** What the disk says about the place of an act. */
export interface Ground {
  /** Where the worker works, symlinks resolved. */
  readonly root: string;
  readonly userHome: string;
  /** Where crewmux keeps its state, these rules among it. */
  readonly stateHome?: string;
  /** The absolute path with symlinks resolved as far as it exists. */
  readonly real: (path: string) => string;
}

export interface Ruling {
  readonly decision: 'allow' | 'deny' | 'confirm';
  /** Of an act of several parts, what holds for each; the whole goes by the heaviest. */
  readonly parts?: readonly (Ruling & { readonly what: string })[];
  /** Undefined when no rule fits, which puts the act to somebody. */
  readonly by?: { readonly scope: string; readonly list: RuleList; readonly rule: string };
  /** Always a person's to decide, whatever the rules say. */
  readonly catastrophic?: string;
  /** What it does cannot be told for certain before it is done. */
  readonly isUnclear?: true;
  /** One sentence: which part of the act met which rule. */
  readonly reason: string;
}
