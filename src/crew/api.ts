// The operations that tools may ask of the crew. Floor 3 sees this type and nothing else of the crew.
import type { AnswerRequest, AnswerResult } from '../wire/attention.ts';
import type { DoctorResult } from '../wire/doctor.ts';
import type {
  ChangesRequest,
  ChangesResult,
  CheckIdleRequest,
  CheckIdleResult,
  WaitInput,
  WaitResult,
} from '../wire/events.ts';
import type {
  ExaminedWorker,
  ExamineRequest,
  LogPage,
  LogsRequest,
  ScreenRequest,
  ScreenResult,
} from '../wire/examine.ts';
import type {
  ConflictsRequest,
  ConflictsResult,
  DiffRequest,
  DiffResult,
  LandingResult,
  MergeRequest,
  PullRequestRequest,
  PullRequestResult,
  SyncRequest,
  SyncResult,
} from '../wire/landing.ts';
import type { InterruptRequest, InterruptResult, MessageInput, MessageResult } from '../wire/messages.ts';
import type { PermissionsRequest, PermissionsResult } from '../wire/permissions.ts';
import type { ReportsRequest, ReportsResult } from '../wire/reports.ts';
import type {
  AdoptRequest,
  AdoptResult,
  CloseRequest,
  CloseResult,
  DiscoverRequest,
  DiscoverResult,
  RestartRequest,
  SpawnRequest,
  SpawnResult,
} from '../wire/starting.ts';
import type { StatusResult, TrackerHelpRequest, TrackerHelpResult } from '../wire/status.ts';
import type { AnnotateRequest, AnnotateResult, ListRequest, ListResult } from '../wire/worker.ts';
import type {
  CleanupRequest,
  CleanupResult,
  RestoreRequest,
  RestoreResult,
  WorktreesRequest,
  WorktreesResult,
} from '../wire/worktrees.ts';

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

interface Waiting {
  readonly timeoutSeconds: number;
}

export type WaitRequest = Omit<WaitInput, 'timeout' | 'poll_interval'> & Waiting;
export type MessageRequest = Omit<MessageInput, 'timeout'> & Waiting;

/** Every id parameter takes an id, a terminal id or a name; keys of results are the ids as passed. */
export interface Crew {
  spawn(request: SpawnRequest, call: CallContext): Promise<SpawnResult>;
  list(request: ListRequest): Promise<ListResult>;
  examine(request: ExamineRequest): Promise<ExaminedWorker>;
  close(request: CloseRequest, call: CallContext): Promise<CloseResult>;
  discover(request: DiscoverRequest): Promise<DiscoverResult>;
  adopt(request: AdoptRequest): Promise<AdoptResult>;
  annotate(request: AnnotateRequest): Promise<AnnotateResult>;
  setPermissions(request: PermissionsRequest): Promise<PermissionsResult>;
  restart(request: RestartRequest, call: CallContext): Promise<SpawnResult>;
  message(request: MessageRequest, call: CallContext): Promise<MessageResult>;
  interrupt(request: InterruptRequest, call: CallContext): Promise<InterruptResult>;
  answer(request: AnswerRequest, call: CallContext): Promise<AnswerResult>;
  diff(request: DiffRequest): Promise<DiffResult>;
  conflicts(request: ConflictsRequest): Promise<ConflictsResult>;
  /** Lands a worker's branch on its target. */
  merge(request: MergeRequest, call: CallContext): Promise<LandingResult>;
  /** Brings what the base has gained into a worker's branch. */
  sync(request: SyncRequest, call: CallContext): Promise<SyncResult>;
  /** Pushes a worker's branch and proposes it. */
  propose(request: PullRequestRequest, call: CallContext): Promise<PullRequestResult>;
  logs(request: LogsRequest): Promise<LogPage>;
  screen(request: ScreenRequest): Promise<ScreenResult>;
  checkIdle(request: CheckIdleRequest): Promise<CheckIdleResult>;
  wait(request: WaitRequest, call: CallContext): Promise<WaitResult>;
  changes(request: ChangesRequest): Promise<ChangesResult>;
  reports(request: ReportsRequest): Promise<ReportsResult>;
  status(): Promise<StatusResult>;
  worktrees(request: WorktreesRequest): Promise<WorktreesResult>;
  cleanup(request: CleanupRequest): Promise<CleanupResult>;
  /** Only lists without an id. */
  restore(request: RestoreRequest): Promise<RestoreResult>;
  trackerHelp(request: TrackerHelpRequest, call: CallContext): Promise<TrackerHelpResult>;
  /** Changes nothing; resolves within some five seconds, whatever it finds. */
  doctor(): Promise<DoctorResult>;
  /** Lets go of everything within a second; workers go on. */
  dispose(): Promise<void>;
}
