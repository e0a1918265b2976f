// What jobs, tools and the command line may ask of the crew. They see this type and nothing else of the crew.
import type { AnswerResult, AttentionView } from '../wire/attention.ts';
import type { DoctorResult } from '../wire/doctor.ts';
import type { ChangesResult, CheckIdleResult } from '../wire/events.ts';
import type { ExaminedWorker, LogPage, ScreenResult } from '../wire/examine.ts';
import type { ConflictsResult, DiffResult, LandingResult, PullRequestResult, SyncResult } from '../wire/landing.ts';
import type { InterruptOutcome, MessageOutcome } from '../wire/messages.ts';
import type { PermissionsResult } from '../wire/permissions.ts';
import type { ReportsResult } from '../wire/reports.ts';
import type { AdoptResult, CloseOutcome, DiscoverResult, SpawnResult } from '../wire/starting.ts';
import type { StatusResult, TrackerHelpResult } from '../wire/status.ts';
import type { AnnotateResult, ListResult } from '../wire/worker.ts';
import type { CleanupResult, RestoreResult, WorktreesResult } from '../wire/worktrees.ts';
import type {
  AdoptOrder,
  AnswerOrder,
  ChangesQuery,
  CleanOrder,
  DiffQuery,
  LandOrder,
  ListQuery,
  LogQuery,
  ProposeOrder,
  ReportsQuery,
  RestoreOrder,
  RuleOrder,
  Run,
  ScreenQuery,
  SendOrder,
  StartOrders,
  SyncOrder,
  WaitOrder,
} from './orders.ts';
import type { Waited } from './queries/wait.ts';

export type * from './orders.ts';
export type { Waited } from './queries/wait.ts';

/** What became of each worker, by the words that named it. */
export type Outcomes<T> = Readonly<Record<string, T>>;

interface Workers {
  readonly workers: readonly string[];
}

/** A worker is named by its id, its terminal's id or its name. */
export interface Crew {
  /** Starts workers. One that cannot be started leaves nothing behind, and the others go on. */
  start(orders: StartOrders, run: Run): Promise<SpawnResult>;
  restart(order: Workers, run: Run): Promise<SpawnResult>;
  close(order: Workers & { readonly force: boolean }, run: Run): Promise<Outcomes<CloseOutcome>>;
  adopt(order: AdoptOrder): Promise<AdoptResult>;
  discover(query: { readonly maxAgeSeconds: number }): Promise<DiscoverResult>;
  annotate(order: { readonly worker: string; readonly annotation: string }): Promise<AnnotateResult>;
  setRules(order: RuleOrder): Promise<PermissionsResult>;
  send(order: SendOrder): Promise<Outcomes<MessageOutcome>>;
  interrupt(order: Workers & { readonly thenText?: string }, run: Run): Promise<Outcomes<InterruptOutcome>>;
  answer(order: AnswerOrder, run: Run): Promise<AnswerResult>;
  /** Resolves when the wait is over; what it shows counts as told. */
  wait(order: WaitOrder, run: Run): Promise<Waited>;
  /** What they need somebody for now; it counts as told. */
  attention(query: Workers): Promise<readonly AttentionView[]>;
  /** Lands a worker's branch on its target. */
  land(order: LandOrder, run: Run): Promise<LandingResult>;
  /** Brings what the base has gained into a worker's branch. */
  sync(order: SyncOrder, run: Run): Promise<SyncResult>;
  /** Pushes a worker's branch and proposes it. */
  propose(order: ProposeOrder, run: Run): Promise<PullRequestResult>;
  clean(order: CleanOrder): Promise<CleanupResult>;
  restore(order: RestoreOrder): Promise<RestoreResult>;
  worktrees(order: { readonly repoPath: string; readonly removeOrphans: boolean }): Promise<WorktreesResult>;
  list(query: ListQuery): Promise<ListResult>;
  examine(query: { readonly worker: string; readonly screenLines: number }): Promise<ExaminedWorker>;
  diff(query: DiffQuery): Promise<DiffResult>;
  conflicts(query: Partial<Workers>): Promise<ConflictsResult>;
  logs(query: LogQuery): Promise<LogPage>;
  screen(query: ScreenQuery): Promise<ScreenResult>;
  checkIdle(query: Workers): Promise<CheckIdleResult>;
  changes(query: ChangesQuery): Promise<ChangesResult>;
  reports(query: ReportsQuery): Promise<ReportsResult>;
  status(): Promise<StatusResult>;
  trackerHelp(query: { readonly project: string; readonly here?: string }): Promise<TrackerHelpResult>;
  /** Changes nothing; resolves within some five seconds, whatever it finds. */
  doctor(): Promise<DoctorResult>;
  /** Lets go of everything within a second; workers go on. */
  dispose(): Promise<void>;
}
