// What tools may ask of the crew. Floor 3 sees this type and nothing else of the crew.

import type { EvidenceSource, TurnEnd } from '../model/turn.ts';
import type { AgentType, AttentionView, Status, WorkerView } from '../model/worker.ts';

export interface WorkerRequest {
  readonly project_path: string;
  readonly agent_type?: AgentType;
  readonly name?: string;
  readonly annotation?: string;
  readonly bead?: string;
  readonly prompt?: string;
  readonly skip_permissions?: boolean;
  readonly use_worktree?: boolean;
  readonly worktree?: { readonly branch?: string; readonly base?: string };
  readonly role?: string;
  readonly model?: string;
  readonly permission_mode?: string;
  readonly resume?: string;
  readonly fork?: boolean;
  readonly copy_files?: readonly string[];
  readonly symlink_dirs?: readonly string[];
  readonly setup_commands?: readonly string[];
  readonly mcp_config?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly append_system_prompt?: string;
}

export interface SpawnFailure {
  readonly name: string;
  readonly step: string;
  readonly error: string;
  readonly hint: string;
}

export interface SpawnResult {
  readonly sessions: readonly WorkerView[];
  readonly layout: 'auto' | 'new';
  readonly count: number;
  readonly coordinator_guidance: string;
  readonly failed: readonly SpawnFailure[];
  readonly warnings: readonly string[];
}

/** What a call knows of its caller. */
export interface CallContext {
  readonly signal: AbortSignal;
  /** Tells a waiting client that work goes on; the call decides when. */
  readonly progress: (message: string) => void;
  /** The client's first root, where it has told one. */
  readonly clientRoot?: string;
  /** The longest this client waits for one answer. */
  readonly maxWaitMs: number;
}

export interface WaitRequest {
  readonly session_ids: readonly string[];
  readonly mode: 'all' | 'any';
  readonly timeoutSeconds: number;
  readonly on_attention: 'new' | 'any' | 'ignore';
}

export interface WaitResult {
  readonly session_ids: readonly string[];
  readonly idle_session_ids: readonly string[];
  readonly all_idle: boolean;
  readonly waiting_on: readonly string[];
  readonly mode: 'all' | 'any';
  readonly waited_seconds: number;
  readonly timed_out: boolean;
  readonly attention: readonly AttentionView[];
  readonly cursor: string;
}

export type Verdict = 'submitted' | 'queued' | 'held' | 'unconfirmed' | 'failed';

export interface MessageOutcome {
  readonly success: boolean;
  readonly verdict: Verdict;
  readonly turn: { readonly id: string; readonly ended_by?: TurnEnd } | null;
  readonly evidence: { readonly source: EvidenceSource; readonly at: string; readonly detail: string };
  readonly hint?: string;
}

export interface MessageRequest {
  readonly session_ids: readonly string[];
  readonly message: string;
  readonly wait_mode: 'none' | 'any' | 'all';
  readonly timeoutSeconds: number;
  readonly delivery: 'queue' | 'steer' | 'interrupt';
  readonly as_command: boolean;
  readonly on_attention: 'new' | 'any' | 'ignore';
}

export interface MessageResult {
  readonly success: boolean;
  readonly session_ids: readonly string[];
  readonly results: Readonly<Record<string, MessageOutcome>>;
  readonly idle_session_ids?: readonly string[];
  readonly all_idle?: boolean;
  readonly timed_out?: boolean;
  readonly attention?: readonly AttentionView[];
}

export interface CloseOutcome {
  readonly success: boolean;
  readonly worktree: 'removed' | 'kept' | 'none';
  readonly branch: string | null;
  readonly salvage?: string;
  readonly warning?: string;
}

export interface InterruptOutcome {
  readonly success: boolean;
  /** What was running: `working` became idle, or there was nothing to end. */
  readonly outcome: 'interrupted' | 'nothing_running' | 'unconfirmed' | 'failed';
  readonly detail: string;
  readonly message?: MessageOutcome;
}

export interface ExaminedWorker extends WorkerView {
  readonly conversation_stats: {
    readonly total_messages: number;
    readonly user_messages: number;
    readonly assistant_messages: number;
    readonly last_user_prompt: string | null;
    readonly last_assistant_preview: string | null;
  };
  readonly usage: {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly cache_tokens: number;
    readonly cost_usd?: number;
    readonly context_used?: number;
  };
  readonly git: {
    readonly ahead: number;
    readonly behind: number;
    readonly dirty_files: number;
    readonly commits: readonly string[];
    readonly merged: boolean;
  } | null;
  readonly attention: AttentionView | null;
  readonly screen?: string;
}

export interface LogMessage {
  readonly index: number;
  readonly role: 'user' | 'assistant';
  readonly content: string;
  readonly timestamp: string;
  readonly tool_uses?: readonly { readonly name: string; readonly input: string }[];
}

export interface LogPage {
  readonly session_id: string;
  readonly messages: readonly LogMessage[];
  readonly page_info: {
    readonly total_messages: number;
    readonly total_pages: number;
    readonly page_size: number;
    readonly pages_returned: number;
    readonly messages_returned: number;
    readonly offset: number;
    readonly start_index: number;
    readonly end_index: number;
    readonly note?: string;
  };
}

export interface EventView {
  readonly seq: number;
  readonly ts: string;
  readonly type: string;
  readonly worker_id: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface ChangesRequest {
  /** ISO 8601; the configured recent hours when neither this nor a cursor is given. */
  readonly since?: string;
  readonly stale_threshold_minutes?: number;
  readonly include_snapshots: boolean;
  readonly cursor?: string;
}

export interface ChangesResult {
  readonly events: readonly EventView[];
  readonly summary: {
    readonly started: readonly string[];
    readonly completed: readonly string[];
    readonly stuck: readonly string[];
    readonly attention: readonly AttentionView[];
  };
  readonly snapshots?: readonly WorkerView[];
  readonly active_count: number;
  readonly idle_count: number;
  readonly poll_ts: string;
  readonly cursor: string;
}

export interface DiscoveredView {
  readonly backend_id: string;
  readonly tmux_pane_id: string;
  readonly tmux_socket: string;
  readonly project_path: string;
  readonly agent_type: AgentType;
  readonly agent_session_id: string | null;
  readonly status: string;
  readonly last_assistant_preview: string | null;
  readonly already_managed: boolean;
  readonly managed_by?: string;
}

export interface WorktreeView {
  readonly path: string;
  readonly name: string;
  readonly branch: string | null;
  readonly commit: string | null;
  readonly worker?: string;
  readonly registered: boolean;
  readonly dirty: boolean;
  readonly ahead: number;
  readonly behind: number;
  readonly merged: boolean;
  readonly orphan: boolean;
  readonly removed: boolean;
}

export interface ScreenResult {
  readonly session_id: string;
  readonly screen: string;
  readonly truncated: boolean;
  /** The whole, where `screen` is cut. */
  readonly path?: string;
  readonly changed: boolean;
  /** Pass as `since` to be told whether anything changed. */
  readonly token: string;
}

export interface StatusResult {
  readonly workers: Readonly<
    Record<Status, readonly { readonly session_id: string; readonly name: string; readonly detail: string }[]>
  >;
  readonly attention: readonly AttentionView[];
  readonly counts: Readonly<Record<Status, number>>;
  readonly recent: readonly EventView[];
  readonly failures: readonly EventView[];
  readonly cost_usd: number | null;
  readonly tokens: { readonly input: number; readonly output: number; readonly cache: number };
  readonly suggested_calls: readonly string[];
  readonly attach: string | null;
}

/** Every id parameter takes an id, a terminal id or a name; keys of results are the ids as passed. */
export interface Crew {
  spawn(
    request: { readonly workers: readonly WorkerRequest[]; readonly layout?: 'auto' | 'new' },
    call: CallContext,
  ): Promise<SpawnResult>;
  list(request: {
    readonly status_filter?: Status;
    readonly project_filter?: string;
    readonly include_closed: boolean;
  }): Promise<{
    readonly workers: readonly WorkerView[];
    readonly count: number;
    readonly attention: readonly AttentionView[];
  }>;
  examine(request: { readonly session_id: string; readonly screen_lines: number }): Promise<ExaminedWorker>;
  close(
    request: { readonly session_ids: readonly string[]; readonly force: boolean },
    call: CallContext,
  ): Promise<{
    readonly session_ids: readonly string[];
    readonly results: Readonly<Record<string, CloseOutcome>>;
    readonly success_count: number;
    readonly failure_count: number;
  }>;
  discover(request: { readonly max_age: number }): Promise<{
    readonly sessions: readonly DiscoveredView[];
    readonly count: number;
    readonly unmanaged_count: number;
  }>;
  adopt(request: {
    readonly session_id?: string;
    readonly tmux_pane_id?: string;
    readonly agent_session_id?: string;
    readonly session_name?: string;
    readonly force: boolean;
  }): Promise<{ readonly success: boolean; readonly message: string; readonly session: WorkerView }>;
  annotate(request: { readonly session_id: string; readonly annotation: string }): Promise<{
    readonly success: boolean;
    readonly session_id: string;
    readonly annotation: string;
  }>;
  restart(request: { readonly session_ids: readonly string[] }, call: CallContext): Promise<SpawnResult>;
  message(request: MessageRequest, call: CallContext): Promise<MessageResult>;
  interrupt(
    request: { readonly session_ids: readonly string[]; readonly then_message?: string },
    call: CallContext,
  ): Promise<{
    readonly session_ids: readonly string[];
    readonly results: Readonly<Record<string, InterruptOutcome>>;
    readonly success: boolean;
  }>;
  logs(request: {
    readonly session_id: string;
    readonly pages: number;
    readonly offset: number;
    readonly format: 'compact' | 'full';
  }): Promise<LogPage>;
  screen(request: {
    readonly session_id: string;
    readonly lines?: number;
    readonly since?: string;
  }): Promise<ScreenResult>;
  checkIdle(request: { readonly session_ids: readonly string[] }): Promise<{
    readonly session_ids: readonly string[];
    readonly idle: Readonly<Record<string, boolean>>;
    readonly all_idle: boolean;
    readonly idle_count: number;
    readonly busy_count: number;
    readonly attention: readonly AttentionView[];
  }>;
  wait(request: WaitRequest, call: CallContext): Promise<WaitResult>;
  changes(request: ChangesRequest): Promise<ChangesResult>;
  status(): Promise<StatusResult>;
  worktrees(request: { readonly repo_path: string; readonly remove_orphans: boolean }): Promise<{
    readonly repo_path: string;
    readonly worktrees: readonly WorktreeView[];
    readonly total: number;
    readonly orphan_count: number;
    readonly removed_count: number;
  }>;
  trackerHelp(
    request: { readonly project_path?: string },
    call: CallContext,
  ): Promise<{
    readonly tracker: string | null;
    readonly cli: string | null;
    readonly help: string;
    readonly quick_commands: Readonly<Record<string, string>>;
    readonly worker_tip: string;
  }>;
  /** Lets go of everything within a second; workers go on. */
  dispose(): Promise<void>;
}
