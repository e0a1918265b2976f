// What tools may ask of the crew. Floor 3 sees this type and nothing else of the crew.
import type { MergeStrategy, SyncStrategy } from '../model/train.ts';
import type { AgentType, AttentionView, Status, WorkerView } from '../model/worker.ts';
import type {
  AnswerResult,
  ChangesResult,
  CloseOutcome,
  DiscoveredView,
  DoctorResult,
  ExaminedWorker,
  InterruptOutcome,
  LogPage,
  MessageResult,
  ReportsResult,
  ScreenResult,
  SpawnResult,
  StatusResult,
  WaitResult,
} from './answers.ts';
import type { PermissionsRequest, PermissionsResult } from './attention/permission-answers.ts';
import type {
  CleanupResult,
  ConflictsResult,
  DiffResult,
  LandingResult,
  PullRequestResult,
  RestoreResult,
  SyncResult,
  WorktreeView,
} from './git-answers.ts';

export type * from './answers.ts';
export type * from './attention/permission-answers.ts';
export type * from './git-answers.ts';

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
  readonly sandbox?: boolean;
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

export interface MessageRequest {
  readonly session_ids: readonly string[];
  readonly message: string;
  readonly wait_mode: 'none' | 'any' | 'all';
  readonly timeoutSeconds: number;
  readonly delivery: 'queue' | 'steer' | 'interrupt';
  readonly as_command: boolean;
  readonly on_attention: 'new' | 'any' | 'ignore';
}

export interface AnswerRequest {
  readonly session_id: string;
  readonly request_id?: string;
  readonly decision: 'allow' | 'deny' | 'choose' | 'text';
  /** Read by the model; for `text` the answer itself. */
  readonly message?: string;
  readonly option?: string;
  /** The answer of each question, by its words. */
  readonly answers?: Readonly<Record<string, string>>;
  /** Takes the place of the tool's input. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** For how long the same is decided without asking: this launch, this worker, or all of its role. */
  readonly remember?: 'session' | 'worker' | 'role';
}

export interface MergeRequest {
  readonly session_id: string;
  readonly into?: string;
  readonly strategy?: MergeStrategy;
  readonly message?: string;
  /** Empty for no tests. */
  readonly test_command?: string;
  readonly dry_run: boolean;
  readonly close: boolean;
  readonly send_back: boolean;
}

export interface CleanupRequest {
  readonly repo_path?: string;
  readonly session_ids?: readonly string[];
  readonly merged: boolean;
  readonly delete_branches: boolean;
  readonly dry_run: boolean;
}

export interface SyncRequest {
  readonly session_id: string;
  readonly strategy?: SyncStrategy;
  readonly from?: string;
}

export interface RestoreRequest {
  readonly salvage_id?: string;
  readonly repo_path?: string;
}

export interface PullRequestRequest {
  readonly session_id: string;
  readonly title?: string;
  readonly body?: string;
  readonly draft: boolean;
  readonly base?: string;
  readonly remote?: string;
}

export interface ChangesRequest {
  /** ISO 8601; the configured recent hours when neither this nor a cursor is given. */
  readonly since?: string;
  readonly stale_threshold_minutes?: number;
  readonly include_snapshots: boolean;
  readonly cursor?: string;
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
  setPermissions(request: PermissionsRequest): Promise<PermissionsResult>;
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
  answer(request: AnswerRequest, call: CallContext): Promise<AnswerResult>;
  diff(request: {
    readonly session_id: string;
    readonly stat: boolean;
    readonly paths?: readonly string[];
    readonly max_chars: number;
  }): Promise<DiffResult>;
  conflicts(request: { readonly session_ids?: readonly string[] }): Promise<ConflictsResult>;
  /** Lands a worker's branch on its target. */
  merge(request: MergeRequest, call: CallContext): Promise<LandingResult>;
  /** Brings what the base has gained into a worker's branch. */
  sync(request: SyncRequest, call: CallContext): Promise<SyncResult>;
  /** Pushes a worker's branch and proposes it. */
  propose(request: PullRequestRequest, call: CallContext): Promise<PullRequestResult>;
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
  reports(request: { readonly worker?: string; readonly next: boolean }): Promise<ReportsResult>;
  status(): Promise<StatusResult>;
  worktrees(request: { readonly repo_path: string; readonly remove_orphans: boolean }): Promise<{
    readonly repo_path: string;
    readonly worktrees: readonly WorktreeView[];
    readonly total: number;
    readonly orphan_count: number;
    readonly removed_count: number;
  }>;
  cleanup(request: CleanupRequest): Promise<CleanupResult>;
  /** Only lists without an id. */
  restore(request: RestoreRequest): Promise<RestoreResult>;
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
  /** Changes nothing; resolves within some five seconds, whatever it finds. */
  doctor(): Promise<DoctorResult>;
  /** Lets go of everything within a second; workers go on. */
  dispose(): Promise<void>;
}
