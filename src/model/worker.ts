// A worker as the log remembers it.
import type { PresetName } from './rule.ts';
import type { alarmStatuses } from './task.ts';

/** The agents that need no configuration. */
export const builtInAgents = ['claude', 'codex'] as const;
export type BuiltInAgent = (typeof builtInAgents)[number];
/** The name of an agent CLI: built in, or described by the settings. */
export type AgentType = string;
/** In place of an agent's name: the usual one, or another whose account no limit holds. */
export const anyAgent = 'any';
/** What a configured agent may be called. */
export const agentName = /^(?!any$)[a-z][a-z0-9_-]{0,31}$/;
export const isBuiltIn = (type: AgentType): type is BuiltInAgent => builtInAgents.some((name) => name === type);

/** The server of a worker's own tools. Not `crewmux`: a user may have the manager's under that name. */
export const ownServerName = 'crew';

/** Of the process, not of the conversation. */
export type Phase = 'spawning' | 'live' | 'dead' | 'closed';
/** `unknown`: nobody can tell, and no act rests on it. */
export const statuses = ['starting', 'idle', 'working', 'waiting', 'unknown', 'dead', 'closed'] as const;
/** Words of an earlier server for three of them. */
export const olderStatuses = ['ready', 'busy', 'spawning'] as const;

export type Status = (typeof statuses)[number];
export const workerSources = ['spawned', 'adopted', 'restarted'] as const;

/** Tells two server processes apart, also after a pid was handed out again. */
export interface ManagerRef {
  readonly pid: number;
  /** As the system counts it; see `system/process.ts`. */
  readonly processStart: string;
}

/** Everything about a worker that must survive a `kill -9`; the fold of its events. */
export interface WorkerRecord {
  readonly id: string;
  readonly name: string;
  readonly agentType: AgentType;
  readonly phase: Phase;
  readonly crew: string;
  /** Where it works: the worktree, else the project. */
  readonly projectPath: string;
  readonly mainRepoPath?: string;
  readonly worktreePath?: string;
  /** Git's own folder for the worktree, as it was made. */
  readonly worktreeGitDir?: string;
  /** The worktree is ours to remove; an adopted or shared folder is not. */
  readonly ownsWorktree: boolean;
  /** The branch was made with the worktree, and may go with it. */
  readonly ownsBranch?: boolean;
  readonly branch?: string;
  /** The folder below `refs/heads` that its branch had for itself when the worktree was made. */
  readonly branchFolder?: string;
  /** What its work belongs to: it is compared with that and lands there. */
  readonly base?: { readonly ref: string; readonly sha?: string };
  /** Where its branch begins, for a fork that begins at another worker's commit; at its base otherwise. */
  readonly begunAt?: { readonly ref: string; readonly sha?: string };
  /** What of its branch landed last, and as which commit of the target. */
  readonly landed?: { readonly target: string; readonly source: string; readonly to: string };
  readonly annotation?: string;
  readonly bead?: string;
  readonly role?: string;
  /** The configuration declares it under this id. */
  readonly slot?: string;
  /** Its role as it was when the worker began; absent for one that rules alone make. */
  readonly roleKept?: RoleKept;
  readonly model?: string;
  /** Its own preset; `set_permissions` of the worker can put another in its place, or none. */
  readonly preset?: PresetName;
  /** The first of its own ports, `blockSize` in a row. */
  readonly port?: number;
  readonly permissionMode: string;
  /** Nobody named its mode, so that each start chooses it by the rules of that time. */
  readonly choosesMode?: boolean;
  readonly colour: string;
  readonly source: (typeof workerSources)[number];
  readonly manager: ManagerRef;
  readonly createdAt: number;
  readonly restarts: number;
  /** What it takes to start the agent again in the same place. */
  readonly launch: LaunchRecord;
  readonly pane?: PaneRecord;
  /** Offset in bytes up to which its outbox has been reported. */
  readonly outboxRead?: number;
  /** Its last report, where that calls for somebody. */
  readonly alarm?: Alarm;
  /** What it has reported of its work last, 0 to 100. */
  readonly progress?: { readonly percent: number; readonly at: number };
  /** crewmux is ending it: its death is no news. */
  readonly closing?: boolean;
  readonly endedAt?: number;
  readonly endDetail?: string;
  /** The task it was started for. */
  readonly task?: TaskTag;
  /** The kind of its last report, or the status of its last word in between. */
  readonly said?: { readonly as: string; readonly at: number };
  /** Messages that crewmux keeps until nothing is in the way of typing them, by id, oldest first. */
  readonly kept?: readonly string[];
  /** What bounds it, as it was asked for. */
  readonly budget?: Budget;
  /** Of one with a bound on its turns. */
  readonly turnCount?: TurnCount;
  /** How often each of its bounds was granted again, and that of its project on which day. */
  readonly grants?: { readonly turns?: number; readonly cost?: number; readonly day?: DayGrants };
  /** What was told of each of its bounds last, and through it of its project's. */
  readonly limitNotices?: { readonly [K in BoundKind]?: LimitNotice };
  /** The conversation in which it had its newest turn. */
  readonly spokenIn?: string;
  /** When its agent last ended as it started, or in the midst of a turn; those of long ago are left out. */
  readonly failures?: readonly number[];
  /** The agent's id of the conversation whose context window was last said to be nearly full. */
  readonly contextSaid?: string;
  /** The newest turn that the end of its agent cut off. */
  readonly lostTurn?: LostTurn;
  /** Stop time of the newest limit after which it was sent on. */
  readonly resumedLimit?: number;
}

export interface LostTurn {
  readonly at: number;
  readonly detail: string;
  /** It has come back and knows. */
  readonly told?: true;
  /** It does not come back by itself: a server tried in vain, or found the crash too late. */
  readonly left?: true;
}

/** What its file said of rules; the standing prompt is a private option of its launch. */
export interface RoleKept {
  /** Its file, or "built in". */
  readonly source: string;
  readonly sha256: string;
  readonly preset?: PresetName;
  readonly deny: readonly string[];
}

export interface TaskTag {
  readonly id: string;
  /** Counts the workers started for it, from 1. */
  readonly attempt: number;
  /** It makes the jobs of a plan, and has the tool to hand them in. */
  readonly plans?: true;
}

export interface Budget {
  readonly maxTurns?: number;
  readonly maxCostUsd?: number;
}

/** `day`: dollars of its project in one day. */
export type BoundKind = 'turns' | 'cost' | 'day';

interface DayGrants {
  readonly day: string;
  readonly times: number;
}

/** Turns that its launches have begun. */
export interface TurnCount {
  readonly launch: number;
  readonly before: number;
  /** Of that launch. */
  readonly here: number;
}

/** At 80 % and at 100 % of a limit. */
export interface LimitNotice {
  readonly level: 'notice' | 'stop';
  readonly limit: number;
  readonly day?: string;
  readonly at: number;
}

export interface Alarm {
  readonly status: (typeof alarmStatuses)[number];
  readonly message: string;
  readonly at: number;
}

export const alarmTitle = (name: string, { status }: Pick<Alarm, 'status'>): string =>
  status === 'blocked' ? `${name} reports that it is blocked` : `${name} asks for a review`;

/** Of what it is at: a turn that begins later is about something else. Pure. */
export const standingProgress = (
  { phase, progress }: Pick<WorkerRecord, 'phase' | 'progress'>,
  turnAt = 0,
): number | undefined => (phase === 'live' && turnAt <= (progress?.at ?? 0) ? progress?.percent : undefined);

export const beginningOf = ({ begunAt, base }: Pick<WorkerRecord, 'begunAt' | 'base'>): WorkerRecord['base'] =>
  begunAt ?? base;

export const isSandboxed = ({ sandbox }: Pick<LaunchRecord, 'sandbox'>): boolean =>
  sandbox === 'on' || sandbox === 'partial';

/** It has an agent, or is about to get one. */
export const isLiveOrSpawning = ({ phase }: Pick<WorkerRecord, 'phase'>): boolean =>
  phase === 'live' || phase === 'spawning';

/** Environment, MCP servers and prompts are not here: they lie in `dir`, readable by the user alone. */
export interface LaunchRecord {
  /** Counts from 1; files of one launch lie in their own folder. */
  readonly number: number;
  readonly dir: string;
  readonly command: readonly string[];
  readonly agentSessionId: string;
  readonly transcriptPath: string;
  readonly stateDir?: string;
  /** Tells the account that its agent works on from others, without naming its key. */
  readonly account?: string;
  /** The agent's own process, where somebody else started it in a pane of theirs. */
  readonly process?: ManagerRef;
  readonly skipPermissions: boolean;
  /** Whether its commands run in its agent's own sandbox; not known of one that others have started. */
  readonly sandbox?: 'on' | 'partial' | 'off';
  /** Why the sandbox is `partial`, a sentence each. */
  readonly holes?: readonly string[];
  /** In its sandbox, it can move branches that are not its own; a launch of an earlier version does not say. */
  readonly writesRefs?: boolean;
  /** Commands that failed because of the sandbox itself. */
  readonly sandboxBroke?: { readonly count: number; readonly lastAt: number };
  readonly startedAt: number;
  readonly withPrompt: boolean;
}

export interface PaneRecord {
  readonly socket: string;
  readonly serverPid: number;
  readonly serverStartedAt: number;
  /** Of the process of that server, as the system counts it. */
  readonly serverProcessStart?: string;
  readonly paneId: string;
  readonly windowId: string;
  readonly session: string;
  readonly pid: number;
}
