// A worker as the wire shows it: its record, its turn and who manages it; in few words for a list.

import { isoTime } from '../../model/clock.ts';
import { defined } from '../../model/defined.ts';
import type { Doing, Evidence } from '../../model/turn.ts';
import { beginningOf, isSandboxed, type Status, standingProgress, type WorkerRecord } from '../../model/worker.ts';
import { doingOf } from '../../turn/doing.ts';
import { backgroundTasks, pending, type TurnFacts } from '../../turn/facts.ts';
import type { Limit } from '../../turn/judge.ts';
import type { Turn, TurnState } from '../../turn/reduce-turn.ts';
import type { LimitView } from '../../wire/attention.ts';
import { type BriefWorker, briefWorker, type WorkerView } from '../../wire/worker.ts';

export interface ViewContext {
  /** Undefined for a worker that has ended. */
  readonly turn: TurnState | undefined;
  /** A bound of its own or of its project that is reached. */
  readonly bound?: LimitView | undefined;
  readonly managerAlive: boolean;
  readonly mine: boolean;
  readonly attach: string | undefined;
}

export function statusOf(record: WorkerRecord, turn: TurnState | undefined): Status {
  if (record.phase === 'closed') return 'closed';
  // Its processes are gone, and its worktree is not seen to yet.
  if (isClosing(record, turn)) return 'working';
  if (record.phase === 'dead' || turn?.is === 'gone') return 'dead';
  if (record.phase === 'spawning' || turn === undefined) return 'starting';
  return turn.is;
}

const isClosing = ({ phase, closing }: WorkerRecord, turn: TurnState | undefined): boolean =>
  phase === 'live' && closing === true && turn?.is === 'gone';

function evidenceOf(record: WorkerRecord, turn: TurnState | undefined): Evidence {
  if (record.phase === 'closed' || record.phase === 'dead') {
    const source = record.phase === 'closed' ? 'us' : 'pane';
    return { source, at: record.endedAt ?? record.createdAt, detail: record.endDetail ?? record.phase };
  }
  if (turn !== undefined && isClosing(record, turn))
    return { source: 'us', at: turn.evidence.at, detail: 'it is being closed' };
  return turn?.evidence ?? { source: 'us', at: record.createdAt, detail: 'being spawned' };
}

export const turnId = (record: WorkerRecord, number: number): string =>
  `${record.id}-${record.launch.number}.${number}`;

const turnView = (record: WorkerRecord, { number, startedAt, endedAt, endedBy }: Turn): WorkerView['turn'] => ({
  id: turnId(record, number),
  started_at: isoTime(startedAt),
  ...defined({ ended_at: isoTimeOf(endedAt), ended_by: endedBy }),
});

/** `keptIn` holds what the sandbox refused. */
export const lastError = ({ launch }: WorkerRecord, facts: TurnFacts | undefined): string | undefined =>
  facts?.trouble?.detail ?? facts?.lastError ?? (isSandboxed(launch) ? facts?.keptIn : undefined);

function placeView(record: WorkerRecord): Partial<WorkerView> {
  const { mainRepoPath, worktreePath, branch, annotation, bead, role, slot, model } = record;
  const paths = { main_repo_path: mainRepoPath, worktree_path: worktreePath };
  return defined({ ...paths, branch, base: beginningOf(record), annotation, bead, role, slot, model });
}

/** Its hooks tell of a change; one that skips permissions is called so, whatever mode its agent has under that. */
const modeOf = ({ launch, permissionMode }: WorkerRecord, facts: TurnFacts | undefined): string =>
  launch.skipPermissions ? permissionMode : (facts?.mode ?? permissionMode);

export const isoTimeOf = (at: number | undefined): string | undefined => (at === undefined ? undefined : isoTime(at));

const doingView = ({ since, ...doing }: Doing): WorkerView['doing'] => ({ ...doing, since: isoTime(since) });

/** What one that is seen at work does, where it is known. */
export function doingNow(record: WorkerRecord, turn: TurnState | undefined): Doing | undefined {
  return turn !== undefined && statusOf(record, turn) === 'working' ? doingOf(turn) : undefined;
}

export const limitView = ({ detail, resetsAt, goesOn }: Limit): LimitView => ({
  kind: 'account',
  detail: detail.slice(0, 300),
  ...defined({ resets_at: isoTimeOf(resetsAt), goes_on: goesOn }),
});

export function workerView(record: WorkerRecord, context: ViewContext): WorkerView {
  const { turn } = context;
  const evidence = evidenceOf(record, turn);
  const status = statusOf(record, turn);
  const facts = turn?.facts;
  const kept = stillKept(record, facts);
  const doing = doingNow(record, turn);
  const { agentSessionId, transcriptPath, sandbox = 'unknown' } = record.launch;
  const { pane } = record;
  const { attach } = context;
  return {
    session_id: record.id,
    name: record.name,
    terminal_id: pane === undefined ? null : `tmux:${pane.paneId}`,
    agent_type: record.agentType,
    status,
    ...defined({ waiting_for: status === 'waiting' ? turn?.waitingFor : undefined }),
    evidence: { source: evidence.source, at: isoTime(evidence.at), detail: evidence.detail + keptWords(status, kept) },
    is_idle: isIdle(record, turn),
    ...defined({
      turn: turn?.turn && turnView(record, turn.turn),
      doing: doing && doingView(doing),
      last_error: lastError(record, facts),
      limit: (turn?.limit && limitView(turn.limit)) ?? context.bound,
      progress: standingProgress(record, turn?.turn?.startedAt),
    }),
    background_tasks: facts === undefined ? 0 : backgroundTasks(facts),
    project_path: record.projectPath,
    ...placeView(record),
    permission_mode: modeOf(record, facts),
    sandbox,
    ...defined({ agent_session_id: agentSessionId || undefined, transcript_path: transcriptPath || undefined }),
    ...(pane && attach && { tmux: { socket: pane.socket, session: pane.session, window: pane.windowId, attach } }),
    managed_by: { manager: `pid ${record.manager.pid}`, alive: context.managerAlive, mine: context.mine },
    created_at: isoTime(record.createdAt),
    last_activity: isoTime(lastActivityOf(record, turn)),
    pending_messages: (facts === undefined ? 0 : pending(facts)) + kept.length,
    restarts: record.restarts,
    source: record.source,
  };
}

/** No turn runs, and nothing is kept for it. */
export const isIdle = (record: WorkerRecord, turn: TurnState | undefined): boolean =>
  statusOf(record, turn) === 'idle' && stillKept(record, turn?.facts).length === 0;

/** One that is being typed counts among the agent's own. */
const stillKept = ({ kept = [] }: WorkerRecord, facts: TurnFacts | undefined): readonly string[] =>
  kept.filter((id) => [...(facts?.sends ?? []), ...(facts?.handed ?? [])].every(({ messageId }) => messageId !== id));

const keptWords = (status: Status, kept: readonly string[]): string =>
  status !== 'idle' || kept.length === 0
    ? ''
    : `; ${kept.length} kept ${kept.length === 1 ? 'message waits' : 'messages wait'} until nothing is in the way of typing`;

export const lastActivityOf = (
  { endedAt, createdAt }: Pick<WorkerRecord, 'endedAt' | 'createdAt'>,
  turn: Pick<TurnState, 'lastActivityAt'> | undefined,
): number => turn?.lastActivityAt ?? endedAt ?? createdAt;

/** Since when it is in the state that it shows, epoch ms. */
export const sinceOf = (record: WorkerRecord, turn: TurnState | undefined): number =>
  (statusOf(record, turn) === 'dead' ? record.endedAt : turn?.since) ?? record.createdAt;

/** What the workers of a list share. */
interface Shared {
  /** Null where no worker has a pane. */
  readonly attach: string | null;
  readonly main_repo_path?: string;
}

/** That of the first worker that has it; a closed one has no pane to look at. */
export function sharedBy(views: readonly WorkerView[]): Shared {
  const open = views.filter(({ status }) => status !== 'closed');
  const firstOf = <T>(values: readonly (T | undefined)[]) => values.find((value) => value !== undefined);
  return {
    attach: firstOf(open.map(({ tmux }) => tmux?.attach)) ?? null,
    ...defined({ main_repo_path: firstOf(views.map(({ main_repo_path }) => main_repo_path)) }),
  };
}

/** The one it has where nobody and no rules name another. */
const usualMode = ({ agent_type, worktree_path }: WorkerView): string =>
  agent_type === 'claude' && worktree_path !== undefined ? 'acceptEdits' : 'manual';

const momentMs = 5_000;

/** A time that another one shows to within a moment. */
const tellsAgain = (time: string, others: readonly (string | undefined)[]): boolean =>
  others.some((one) => one !== undefined && Math.abs(Date.parse(time) - Date.parse(one)) < momentMs);

/** Its status, its turn and what it does say all there is to say. Pure. */
function isUsual({ status, doing, pending_messages, evidence: { source } }: WorkerView): boolean {
  if (status === 'working' && doing !== undefined) return true;
  const isTold = source !== 'us' && source !== 'screen';
  return pending_messages === 0 && (status === 'idle' || (status === 'working' && isTold));
}

/** A worker without what few callers need; it says itself what it does not share with the others. */
export function briefly(view: WorkerView, shared: Shared): BriefWorker {
  const { terminal_id, background_tasks, pending_messages, managed_by, main_repo_path, tmux } = view;
  const { permission_mode, last_activity, evidence, turn, doing } = view;
  const { detail: _, ...evident } = evidence;
  const attach = view.status === 'closed' ? undefined : tmux?.attach;
  const fields = {
    ...view,
    evidence: isUsual(view) ? evident : evidence,
    terminal_id: terminal_id ?? undefined,
    background_tasks: background_tasks || undefined,
    pending_messages: pending_messages || undefined,
    permission_mode: permission_mode === usualMode(view) ? undefined : permission_mode,
    last_activity: tellsAgain(last_activity, [evidence.at, turn?.started_at, turn?.ended_at, doing?.since])
      ? undefined
      : last_activity,
    managed_by: managed_by.mine ? undefined : managed_by,
    main_repo_path: main_repo_path === shared.main_repo_path ? undefined : main_repo_path,
    attach: attach === shared.attach ? undefined : attach,
  };
  return briefWorker.parse(defined(fields));
}
