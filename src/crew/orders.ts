// What may be asked of the crew: an order for each of its verbs. `worker` is an id, a terminal's id or a name.

import type { Remember } from '../model/request.ts';
import type { PresetName } from '../model/rule.ts';
import type { MergeStrategy, SyncStrategy, WhereRed } from '../model/train.ts';
import type { AgentType, Status, TaskTag } from '../model/worker.ts';
import type { RuleChange } from '../permissions/rule-book.ts';

/** On whose behalf an act runs. */
export interface Run {
  /** Calls the act off; it says itself what it leaves. */
  readonly signal: AbortSignal;
  /** Tells whoever waits that the act goes on. */
  readonly tell: (message: string) => void;
  /** A person, at a terminal or in a form; the manager otherwise. */
  readonly by?: 'person';
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
  /** A preset of its own, before that of its role. */
  readonly preset?: PresetName;
  /** Refused where its agent tells no cost. */
  readonly maxCostUsd?: number;
  /** The task it is started for, and the how manieth start for it; written into its record before it is made. */
  readonly task?: TaskTag;
}

export interface StartOrders {
  readonly workers: readonly StartOrder[];
  /** The configured one unless given. */
  readonly layout?: 'auto' | 'new';
  /** Where `auto` leads, before the server's own folder. */
  readonly here?: string;
  /** Whoever asks is told of news without a wait. */
  readonly wakes?: boolean;
}

export interface MessageOrder {
  readonly text: string;
  readonly delivery: 'queue' | 'steer' | 'interrupt';
  readonly asCommand: boolean;
  /** What would be held is kept, and typed once nothing is in the way. */
  readonly keep?: boolean;
  /** Under one id a text is typed once at most: a repeat only tells what has become of it. Goes with `keep`. */
  readonly id?: string;
}

export interface SendOrder extends MessageOrder {
  readonly workers: readonly string[];
}

/** What one worker reported, for another. */
export interface ReportOrder {
  readonly worker: string;
  /** The id of the worker that is to read it. */
  readonly to: string;
  /** Of the note; under one id it is told once. */
  readonly id: string;
  readonly about: string;
}

export interface WaitOrder {
  readonly workers: readonly string[];
  readonly mode: 'all' | 'any';
  readonly timeoutMs: number;
  /** Whether a worker that needs somebody ends the wait: only news, anything, or nothing does. */
  readonly onAttention: 'new' | 'any' | 'ignore';
  /** Sent just before, so that the answer tells what was said to it. */
  readonly message?: Pick<MessageOrder, 'text' | 'asCommand'>;
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
  readonly remember?: Remember;
}

/** Workers that are to be started later. */
export interface StartAhead {
  /** `auto` is the project of whoever asks. */
  readonly project: string;
  readonly here?: string;
  readonly starts: readonly {
    /** Of the job or task. */
    readonly name: string;
    readonly agentType?: AgentType;
    readonly role?: string;
    readonly maxCostUsd?: number;
    /** Its branch is to land, so that it has a worktree whatever the configuration says. */
    readonly lands: boolean;
  }[];
}

/** A branch of a plan, which no worker has: its jobs land there. */
export interface Lane {
  /** Of the plan; events carry it. */
  readonly id: string;
  readonly name: string;
  /** The main checkout of the repository. */
  readonly repoPath: string;
  readonly crew: string;
  readonly branch: string;
  readonly base: { readonly ref: string; readonly sha: string };
  /** What of it has landed before. */
  readonly landed?: { readonly target: string; readonly source: string; readonly to: string };
}

export interface LaneOrder extends Pick<Lane, 'id' | 'name'> {
  /** `auto` is the project of whoever asks. */
  readonly project: string;
  readonly here?: string;
  /** A local branch; the current one unless given. */
  readonly base?: string;
}

export interface LandOrder {
  /** A worker's branch, or that of a plan. */
  readonly worker: string | Lane;
  /** Globs of the only paths it may change; where it changes another, nothing lands. */
  readonly touchSet?: readonly string[];
  /** The branch it started from unless given. */
  readonly target?: string;
  readonly strategy?: MergeStrategy;
  readonly message?: string;
  /** Empty for no tests; the configured one unless given. */
  readonly testCommand?: string;
  /** What to do where its tests fail on the target too; unless given, they do not run there. */
  readonly whereRed?: WhereRed;
  /** Epoch ms; what was found of the target's tests before it does not count. */
  readonly testedSince?: number;
  readonly dryRun: boolean;
  /** The answer to an earlier order may be lost: what has landed by that has landed. */
  readonly isAgain?: boolean;
}

export interface SyncOrder {
  readonly worker: string;
  readonly strategy?: SyncStrategy;
  readonly from?: string;
}

/** What its pull request tells of a plan. */
export interface ProposedPlan {
  readonly goal?: string;
  readonly jobs: readonly ProposedJob[];
}

export interface ProposedJob {
  readonly name: string;
  readonly state: string;
  readonly commits: number;
  readonly tests: string;
  /** In the worker's words. */
  readonly report?: { readonly what_open?: string; readonly what_untested?: string };
}

export interface ProposeOrder {
  readonly worker: string | Lane;
  /** Where it is the lane of one. */
  readonly plan?: ProposedPlan;
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
  /** Only with workers: what was never merged goes too. */
  readonly discard: boolean;
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
  /** An agent that has been silent for longer is not taken. */
  readonly maxAgeSeconds?: number;
}

export interface RuleOrder extends RuleChange {
  /** `default`, `role:<name>`, or `worker:<id, name or terminal id>`. */
  readonly scope: string;
}

export interface ListQuery {
  readonly status?: Status;
  readonly project?: string;
  readonly includeClosed: boolean;
  readonly fields: 'brief' | 'full';
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
  readonly format: 'compact' | 'full' | 'person';
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
  /** Ids of several; one that nobody knows is passed over. */
  readonly workers?: readonly string[];
  readonly next: boolean;
}
