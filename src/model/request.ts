// Something a worker asks and waits for, and the answer that ends the wait.

export const requestKinds = ['permission', 'question', 'plan_approval'] as const;
export type RequestKind = (typeof requestKinds)[number];

/** What an answer can make hold: this launch, this worker, all of its role, or the agent's own mode of accepted edits. */
export const remembers = ['session', 'worker', 'role', 'edits'] as const;
export type Remember = (typeof remembers)[number];

/** Parked in a file of its own until somebody answers; time never does. */
export interface OpenRequest {
  /** Eight hex digits; the `request_id` of the wire. */
  readonly id: string;
  readonly workerId: string;
  readonly launch: number;
  readonly kind: RequestKind;
  /** Who asks: the agent's own permission hook, or the worker by its `ask_manager`. */
  readonly from: 'hook' | 'worker';
  /** Epoch ms. */
  readonly at: number;
  readonly tool?: { readonly name: string; readonly input: unknown; readonly cwd: string };
  readonly question?: { readonly text: string; readonly options: readonly string[] };
  /** The rule that sent it here, in words; undefined when no rule fits. */
  readonly rule?: string;
  /** Whatever the rules say, only a person may allow it. */
  readonly personOnly?: true;
  /** What the agent proposes to remember, as it says it. */
  readonly suggestions?: readonly unknown[];
}

/** The first one written counts. */
export interface RequestAnswer {
  readonly at: number;
  /** `pane`: a person answered where the agent asks. `none`: whoever asked is gone, or its turn is over. */
  readonly by: 'manager' | 'person' | 'pane' | 'none';
  readonly decision: 'allow' | 'deny' | 'text' | 'let-go';
  /** Read by the model. */
  readonly message?: string;
  /** The agent is to remember the rules that it proposes until it ends. */
  readonly remember?: true;
  /** It is to go on in its own mode of accepted edits until it ends. */
  readonly edits?: true;
  /** Takes the place of the tool's input. */
  readonly input?: unknown;
  /** For a question of the agent's own: the answer of each question, by its words. */
  readonly answers?: Readonly<Record<string, string>>;
}

/** What an agent can remember itself once it is told to. */
export interface RememberProposal {
  readonly rules: readonly string[];
  /** What its mode of accepted edits accepts in the folder, in words; undefined where it does not propose that mode. */
  readonly edits?: string;
}
