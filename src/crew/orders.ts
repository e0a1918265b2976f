// What may be asked of the crew: an order for each of its verbs. `worker` is an id, a terminal's id or a name.

import type { MergeStrategy, SyncStrategy } from '../model/train.ts';
import type { AgentType, Status } from '../model/worker.ts';
import type { RuleChange } from '../permissions/rule-book.ts';

/** On whose behalf an act runs. */
export interface Run {
  /** Calls the act off; it says itself what it leaves. */
  readonly signal: AbortSignal;
  /** Tells whoever waits that the act goes on. */
  readonly tell: (message: string) => void;
}

export interface StartOrder {
  /** `auto` is the project of whoever asks. */
  readonly project: string;
  readonly agentType?: AgentType;
  readonly name?: string;
  readonly annotation?: string;
  readonly bead?: string;
  readonly prompt?: string;
  readonly skipPermissions?: boolean;
  readonly useWorktree?: boolean;
  readonly worktree?: { readonly branch?: string; readonly base?: string };
  readonly role?: string;
  readonly model?: string;
  readonly permissionMode?: string;
  /** The past worker, or the agent's own id of a conversation, that goes on. */
  readonly resume?: string;
  readonly fork?: boolean;
  readonly copyFiles?: readonly string[];
  readonly symlinkDirs?: readonly string[];
  readonly setupCommands?: readonly string[];
  readonly mcpServers?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly appendSystemPrompt?: string;
  readonly sandbox?: boolean;
}

export interface StartOrders {
  readonly workers: readonly StartOrder[];
  /** The configured one unless given. */
  readonly layout?: 'auto' | 'new';
  /** Where `auto` leads, before the server's own folder. */
  readonly here?: string;
}

export interface MessageOrder {
  readonly text: string;
  readonly delivery: 'queue' | 'steer' | 'interrupt';
  readonly asCommand: boolean;
}

export interface SendOrder extends MessageOrder {
  readonly workers: readonly string[];
}

export interface WaitOrder {
  readonly workers: readonly string[];
  readonly mode: 'all' | 'any';
  readonly timeoutMs: number;
  /** Whether a worker that needs somebody ends the wait: only news, anything, or nothing does. */
  readonly onAttention: 'new' | 'any' | 'ignore';
}

export interface AnswerOrder {
  readonly worker: string;
  readonly requestId?: string;
  readonly decision: 'allow' | 'deny' | 'choose' | 'text';
  /** The model reads it; for `text` it is the answer. */
  readonly message?: string;
  readonly option?: string;
  /** The answer of each question, by its words. */
  readonly answers?: Readonly<Record<string, string>>;
  /** Takes the place of the tool's input. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** For how long the same is decided without asking: this launch, this worker, or all of its role. */
  readonly remember?: 'session' | 'worker' | 'role';
}

export interface LandOrder {
  readonly worker: string;
  /** The branch it started from unless given. */
  readonly target?: string;
  readonly strategy?: MergeStrategy;
  readonly message?: string;
  /** Empty for no tests; the configured one unless given. */
  readonly testCommand?: string;
  readonly dryRun: boolean;
}

export interface SyncOrder {
  readonly worker: string;
  readonly strategy?: SyncStrategy;
  readonly from?: string;
}

export interface ProposeOrder {
  readonly worker: string;
  readonly title?: string;
  readonly body?: string;
  readonly draft: boolean;
  readonly base?: string;
  readonly remote?: string;
}

export interface CleanOrder {
  readonly repoPath?: string;
  readonly workers?: readonly string[];
  readonly merged: boolean;
  readonly deleteBranches: boolean;
  readonly dryRun: boolean;
}

export interface RestoreOrder {
  /** Without one, salvages are only listed. */
  readonly salvageId?: string;
  readonly repoPath?: string;
}

export interface AdoptOrder {
  readonly worker?: string;
  readonly paneId?: string;
  readonly agentSessionId?: string;
  readonly name?: string;
  readonly force: boolean;
}

export interface RuleOrder extends RuleChange {
  /** `default`, `role:<name>`, or `worker:<id, name or terminal id>`. */
  readonly scope: string;
}

export interface ListQuery {
  readonly status?: Status;
  readonly project?: string;
  readonly includeClosed: boolean;
}

export interface DiffQuery {
  readonly worker: string;
  readonly stat: boolean;
  readonly paths?: readonly string[];
  readonly maxChars: number;
}

export interface LogQuery {
  readonly worker: string;
  readonly pages: number;
  readonly offset: number;
  readonly format: 'compact' | 'full';
}

export interface ScreenQuery {
  readonly worker: string;
  readonly lines?: number;
  readonly since?: string;
}

export interface ChangesQuery {
  /** ISO 8601; the configured recent hours when neither this nor a cursor is given. */
  readonly since?: string;
  readonly staleMinutes?: number;
  readonly includeSnapshots: boolean;
  readonly cursor?: string;
}

export interface ReportsQuery {
  readonly worker?: string;
  readonly next: boolean;
}
