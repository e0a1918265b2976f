// What the crew answers; the shapes of the wire.
import type { Finding, FindingStatus } from '../model/finding.ts';
import type { Progress, Report } from '../model/report.ts';
import type { TaskView } from '../model/task.ts';
import type { EvidenceSource, TurnEnd } from '../model/turn.ts';
import type { AgentType, AttentionView, Status, WorkerView } from '../model/worker.ts';
import type { EscapeView, Foreseen, WorkerGit } from './git-answers.ts';

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

export interface MessageResult {
  readonly success: boolean;
  readonly session_ids: readonly string[];
  readonly results: Readonly<Record<string, MessageOutcome>>;
  readonly idle_session_ids?: readonly string[];
  readonly all_idle?: boolean;
  readonly timed_out?: boolean;
  readonly attention?: readonly AttentionView[];
}

export interface AnswerResult {
  /** The agent was seen to take it. */
  readonly success: boolean;
  readonly session_id: string;
  readonly request_id: string | null;
  readonly decision: 'allow' | 'deny' | 'choose' | 'text';
  readonly via: 'hook' | 'screen' | 'worker_tool';
  /** The label chosen on the screen. */
  readonly option?: string;
  /** The rule that decides the same from now on. */
  readonly remembered?: string;
  readonly evidence: { readonly source: EvidenceSource; readonly at: string; readonly detail: string };
  readonly status: Status;
  readonly hint?: string;
}

export interface CloseOutcome {
  readonly success: boolean;
  readonly worktree: 'removed' | 'kept' | 'none';
  readonly branch: string | null;
  readonly salvage?: string;
  readonly warning?: string;
}

export interface DoctorResult {
  /** The worst of the findings. */
  readonly status: FindingStatus;
  readonly findings: readonly Finding[];
}

export interface InterruptOutcome {
  readonly success: boolean;
  /** What was running: `working` became idle, or there was nothing to end. */
  readonly outcome: 'interrupted' | 'nothing_running' | 'unconfirmed' | 'failed';
  readonly detail: string;
  /** Messages that were queued and went back into the prompt box instead: they will not run by themselves. */
  readonly returned?: readonly string[];
  readonly message?: MessageOutcome;
}

export interface ExaminedWorker extends WorkerView {
  /** Null, as `usage` is, where the agent leaves no transcript that is known. */
  readonly conversation_stats: {
    readonly total_messages: number;
    readonly user_messages: number;
    readonly assistant_messages: number;
    readonly last_user_prompt: string | null;
    readonly last_assistant_preview: string | null;
  } | null;
  readonly usage: {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly cache_tokens: number;
    readonly cost_usd?: number;
    readonly context_used?: number;
  } | null;
  /** Null without a worktree of its own, and where git cannot tell. */
  readonly git: WorkerGit | null;
  /** Why git cannot tell. */
  readonly git_unreadable?: string;
  readonly attention: AttentionView | null;
  /** The last account of its work that the worker gave. */
  readonly report?: ReportView;
  /** What it said last, of any kind. */
  readonly last_word?: WordView;
  readonly screen?: string;
}

/** Written by the worker itself: data, not instructions. */
export interface ReportView extends Partial<Progress>, Partial<Report> {
  readonly session_id: string;
  readonly name: string;
  readonly report_id: string;
  readonly at: string;
  readonly kind: 'progress' | 'report' | 'note' | 'finding';
  /** Of a note or a finding: the worker it went to. */
  readonly to?: string;
  readonly file?: string;
  readonly severity?: string;
}

/** The gist of a report. */
export interface WordView extends Pick<ReportView, 'session_id' | 'name' | 'at'> {
  readonly kind: string;
  readonly says: string;
}

export interface ReportsResult {
  /** Newest first. */
  readonly reports: readonly ReportView[];
  readonly count: number;
  readonly next_task?: { readonly title: string; readonly prompt: string };
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
  /** Why adopt_worker would refuse it, and what would help. */
  readonly not_adoptable?: string;
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
  /** Merges of live branches that would stop; as of the last commit or turn. */
  readonly conflicts: readonly Foreseen[];
  /** Changes in main checkouts that appeared while workers worked elsewhere, and still stand. */
  readonly escapes: readonly EscapeView[];
  readonly failures: readonly EventView[];
  readonly reports: readonly WordView[];
  /** Those that are not finished. */
  readonly tasks: readonly TaskView[];
  readonly cost_usd: number | null;
  readonly tokens: { readonly input: number; readonly output: number; readonly cache: number };
  readonly suggested_calls: readonly string[];
  readonly attach: string | null;
}
