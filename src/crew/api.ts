// What jobs, tools and the command line may ask of the crew. They see this type and nothing else of the crew.
import type { BoardFacts } from '../draw/board-text.ts';
import type { Disposer } from '../model/clock.ts';
import type { JobEvent } from '../model/event.ts';
import type { AnswerResult, AttentionView } from '../wire/attention.ts';
import type { DoctorResult } from '../wire/doctor.ts';
import type { ChangesResult, CheckIdleResult } from '../wire/events.ts';
import type { ExaminedWorker, LogPage, ScreenResult } from '../wire/examine.ts';
import type { ConflictsResult, DiffResult, PullRequestResult, SyncResult } from '../wire/landing.ts';
import type { InterruptOutcome, MessageOutcome } from '../wire/messages.ts';
import type { PermissionsResult } from '../wire/permissions.ts';
import type { ReportsResult } from '../wire/reports.ts';
import type { AdoptResult, CloseOutcome, DiscoverResult, SpawnResult } from '../wire/starting.ts';
import type { CrewStatus, TrackerHelpResult } from '../wire/status.ts';
import type { AnnotateResult, ListResult } from '../wire/worker.ts';
import type { CleanupResult, RestoreResult, WorktreesResult } from '../wire/worktrees.ts';
import type { Asked } from './attention/asked.ts';
import type { BranchFacts, BranchQuery } from './comparing/branch-facts.ts';
import type { LandOutcome } from './landing/land.ts';
import type {
  AdoptOrder,
  AnswerOrder,
  ChangesQuery,
  CleanOrder,
  DiffQuery,
  LandOrder,
  Lane,
  LaneOrder,
  ListQuery,
  LogQuery,
  ProposeOrder,
  ReportOrder,
  ReportsQuery,
  RestoreOrder,
  RuleOrder,
  Run,
  ScreenQuery,
  SendOrder,
  StartAhead,
  StartOrders,
  SyncOrder,
  WaitOrder,
} from './orders.ts';
import type { Place } from './place.ts';
import type { CrewGlance } from './queries/glance.ts';
import type { Needs } from './queries/status.ts';
import type { Waited } from './queries/wait.ts';
import type { Work } from './queries/work.ts';

export type { Asked } from './attention/asked.ts';
export type { BranchFacts } from './comparing/branch-facts.ts';
export type { LandOutcome } from './landing/land.ts';
export type * from './orders.ts';
export type { Place } from './place.ts';
export type { CrewGlance, Glimpse } from './queries/glance.ts';
export type { Needs } from './queries/status.ts';
export type { Waited } from './queries/wait.ts';
export type { Work } from './queries/work.ts';

/** What became of each worker, by the words that named it. */
export type Outcomes<T> = Readonly<Record<string, T>>;

export type { JobEvent } from '../model/event.ts';

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
  /** Hands the report of one worker to another, as a note. */
  passReport(order: ReportOrder): Promise<void>;
  interrupt(order: Workers & { readonly thenText?: string }, run: Run): Promise<Outcomes<InterruptOutcome>>;
  answer(order: AnswerOrder, run: Run): Promise<AnswerResult>;
  /** Resolves when the wait is over; what it shows counts as told. */
  wait(order: WaitOrder, run: Run): Promise<Waited>;
  /** What they need somebody for now; it counts as told. */
  attention(query: Workers): Promise<readonly AttentionView[]>;
  /** Lands a worker's branch on its target. */
  land(order: LandOrder, run: Run): Promise<LandOutcome>;
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
  status(): Promise<CrewStatus>;
  /** Whoever drives tasks tells what a wait has shown, so that nobody is notified of it. */
  seen(keys: readonly string[]): void;
  /** What workers of this server need somebody for now, from memory; nothing counts as told by it. */
  needs(): Needs;
  /** The project of whoever asks where it is `auto`, and the name of its crew. Rejects where there is no folder. */
  place(query: { readonly project: string; readonly here?: string }): Promise<Place>;
  /**
   * Warnings of workers that will ask somebody about everyday work, for what is not started yet. Throws where one has a
   * bound in cost and its agent tells none.
   */
  asksAhead(query: StartAhead): Promise<readonly string[]>;
  /** Whether the rules of a role keep its workers from changing any file. */
  deniesEditing(query: { readonly project: string; readonly role: string | undefined }): Promise<boolean>;
  /** Makes the branch of a plan, or finds the one that was made under this id. Rejects outside of a repository. */
  openLane(order: LaneOrder): Promise<Lane>;
  /** What is true now of the workers of these crews, from memory: neither git nor files are read. */
  work(query: { readonly crews: readonly string[]; readonly tasks: ReadonlySet<string> }): readonly Work[];
  /**
   * The branch of a worker: commits that its base lacks, newest first, and files that no commit has. After it `work`
   * knows all that the worker has said before. `base` takes the place of its own.
   */
  branchOf(query: BranchQuery): Promise<BranchFacts>;
  /** Calls back after every change of a worker and after every event. */
  onChange(listen: () => void): Disposer;
  /** Writes events of tasks and plans into the log. */
  tell(events: readonly JobEvent[]): Promise<void>;
  /** Lines about tasks and plans for the board of a crew, in place of the ones before. */
  post(crew: string, lines: readonly string[]): void;
  /** Where the log ends now. */
  cursor(): string;
  trackerHelp(query: { readonly project: string; readonly here?: string }): Promise<TrackerHelpResult>;
  /** Calls back with what workers ask a person, oldest first: now, and after each change. */
  onAsked(listen: (asked: readonly Asked[]) => void): Disposer;
  /** Calls back whenever a worker has come or gone. */
  onMembers(listen: () => void): Disposer;
  /** Takes over the workers of servers that are gone, and these, whoever manages them. */
  takeOver(workers: readonly string[]): Promise<void>;
  /** Lets go of everything within a second; workers go on. */
  dispose(): Promise<void>;
}

/** What can be read of a crew without a server of one's own. */
export interface CrewView
  extends Pick<Crew, 'list' | 'examine' | 'diff' | 'logs' | 'conflicts' | 'status' | 'work' | 'place' | 'dispose'> {
  /** Cheap, for a person who looks often. */
  glance(): Promise<CrewGlance>;
  /** Shows the crew now, and again at each change. */
  watch(show: (facts: BoardFacts) => void): Disposer;
}

/** Looks at the machine, and needs no crew: where one cannot be opened, this says why. */
export interface Examiner {
  /** Changes nothing; resolves within some five seconds, whatever it finds. */
  doctor(): Promise<DoctorResult>;
}
