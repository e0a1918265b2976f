// What may be asked about the crew without changing it.
import { defined } from '../../model/defined.ts';
import type { WorkerName } from '../../model/task.ts';
import { resolveProject } from '../../settings/settings.ts';
import { detectTracker, type TrackerHelp, trackerHelp } from '../../trackers/tracker.ts';
import type { ChangesResult, CheckIdleResult, EventView } from '../../wire/events.ts';
import type { ExaminedWorker, LogPage, ScreenResult } from '../../wire/examine.ts';
import type { Foreseen } from '../../wire/landing.ts';
import type { ReportsResult } from '../../wire/reports.ts';
import type { CrewStatus, TrackerHelpResult } from '../../wire/status.ts';
import type { UsageRow, UsageView } from '../../wire/usage.ts';
import type { ListResult } from '../../wire/worker.ts';
import { inspectFolder, realFolder } from '../../worktree/git/inspect.ts';
import type { AlreadyShown } from '../attention/already-shown.ts';
import type { Run } from '../orders.ts';
import type { PlaceQuery } from '../place.ts';
import { type CrewContext, upToDate } from '../workers/crew-context.ts';
import { type ChangesQuery, happenedSince, readChanges } from './changes.ts';
import { examineWorker, readWorkerScreen, type ScreenQuery } from './examine.ts';
import { checkIdle, type ListQuery, listWorkers } from './list.ts';
import { type LogQuery, readLogs } from './logs.ts';
import { type CrewLine, crewLines } from './projects.ts';
import { type ReportsQuery, readReports } from './reports.ts';
import { crewStatus, type Needs, needsNow } from './status.ts';
import { type UsageQuery, usageBy, usageOfTasks } from './usage.ts';
import { type WaitOrder, type WaitOutcome, waitIdle } from './wait.ts';
import { type RequestQuery, type WholeRequest, wholeRequest } from './whole-request.ts';
import { type Work, type WorkQuery, workOf } from './work.ts';

export interface Queries {
  list(query: ListQuery): Promise<ListResult>;
  examine(query: { readonly worker: string; readonly screenLines: number }): Promise<ExaminedWorker>;
  logs(query: LogQuery): Promise<LogPage>;
  /** What a worker asks or has asked, with every line; undefined where no file holds it. */
  wholeRequest(query: RequestQuery): Promise<WholeRequest | undefined>;
  screen(query: ScreenQuery): Promise<ScreenResult>;
  reports(query: ReportsQuery): Promise<ReportsResult>;
  checkIdle(query: { readonly workers: readonly string[] }): Promise<CheckIdleResult>;
  changes(query: ChangesQuery): Promise<ChangesResult>;
  /** Every event that clients see, oldest first; `sinceAt` is epoch ms. */
  happened(query: { readonly sinceAt: number }): Promise<readonly EventView[]>;
  status(): Promise<CrewStatus>;
  /** A line for every crew of this user. */
  crews(): Promise<readonly CrewLine[]>;
  /** Resolves when the wait is over; what it shows counts as told. */
  wait(order: WaitOrder, run: Run): Promise<WaitOutcome>;
  /** What workers of this server need somebody for now, from memory; nothing counts as told by it. */
  needs(): Needs;
  /** What is true now of the workers of these crews, from memory: neither git nor files are read. */
  work(query: WorkQuery): readonly Work[];
  /** What workers have used, those that have ended too. */
  usage(query: UsageQuery): Promise<readonly UsageRow[]>;
  /** Undefined where the workers of these tasks have used nothing that is known. */
  usageOf(query: { readonly tasks: ReadonlySet<string> }): Promise<UsageView | undefined>;
  trackerHelp(query: PlaceQuery): Promise<TrackerHelpResult>;
  /** Rejects where no worker is called so, or several are. */
  whoIs(query: { readonly worker: string }): Promise<WorkerName>;
}

export interface QuerySources {
  readonly alreadyShown: AlreadyShown;
  /** Resolves when the log has every change so far. */
  readonly settled: () => Promise<void>;
  readonly foreseen: () => readonly Foreseen[];
}

export function verbs(context: CrewContext, { alreadyShown, settled, foreseen }: QuerySources): Queries {
  /** A manager that reads the log after a wait finds there all that the wait answered. */
  const inLog = async <T>(act: () => Promise<T>): Promise<T> => {
    await settled();
    return upToDate(context, act);
  };
  return {
    list: (query) => upToDate(context, () => listWorkers(context, query)),
    examine: (query) => upToDate(context, () => examineWorker(context, query)),
    logs: (query) => upToDate(context, () => readLogs(context, query)),
    wholeRequest: (query) => upToDate(context, () => wholeRequest(context, query)),
    screen: (query) => upToDate(context, () => readWorkerScreen(context, query)),
    reports: (query) => upToDate(context, () => readReports(context, query)),
    checkIdle: (query) => upToDate(context, () => checkIdle(context, query)),
    changes: (query) => inLog(() => readChanges(context, query)),
    happened: ({ sinceAt }) => inLog(() => happenedSince(context, sinceAt)),
    crews: () => upToDate(context, async () => crewLines(context)),
    status: () => inLog(() => crewStatus(context, foreseen())),
    wait: (order, run) => upToDate(context, () => waitIdle(context, { alreadyShown }, order, run)),
    needs: () => needsNow(context, alreadyShown),
    work: (query) => workOf(context, query),
    usage: (query) => upToDate(context, () => usageBy(context, query)),
    usageOf: ({ tasks }) => usageOfTasks(context, tasks),
    trackerHelp: (query) => readTrackerHelp(context, query),
    whoIs: ({ worker }) =>
      upToDate(context, async () => {
        const { id, name } = context.roster.resolve(worker);
        return { id, name };
      }),
  };
}

async function readTrackerHelp(context: CrewContext, query: PlaceQuery): Promise<TrackerHelp> {
  const facts = { env: context.environment.server, userHome: context.environment.git.HOME ?? '/', cwd: context.cwd };
  const projectPath = await realFolder(
    resolveProject(query.project, { ...facts, ...defined({ clientRoot: query.here }) }),
  );
  const folder = await inspectFolder({ path: projectPath, env: context.environment.git });
  const { override } = context.settingsFor(projectPath).settings.issue_tracker;
  const found = await detectTracker({
    projectPath,
    ...defined({ mainRepoPath: folder?.mainRepoPath, override }),
  });
  return trackerHelp(found);
}
