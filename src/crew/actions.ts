// The verbs of the crew, each with the look at other servers that its answer needs.
import { CrewError } from '../model/errors.ts';
import { deniesEditing } from '../permissions/rule-book.ts';
import type { Foreseen } from '../wire/landing.ts';
import type { Crew } from './api.ts';
import type { AlreadyShown } from './attention/already-shown.ts';
import { answerWorker } from './attention/answer.ts';
import { watchAsked } from './attention/asked.ts';
import type { JobNews } from './attention/notifications.ts';
import { rulesOfWorker } from './attention/permissions.ts';
import { setPermissions } from './attention/set-permissions.ts';
import { readBranch } from './comparing/branch-facts.ts';
import { checkConflicts } from './comparing/conflicts.ts';
import { diffWorker } from './comparing/diff.ts';
import { cleanupWorktrees } from './keeping/clean.ts';
import { restoreWork } from './keeping/restore.ts';
import { readWorktrees } from './keeping/worktrees.ts';
import { landWorker } from './landing/land.ts';
import { syncWorker } from './landing/sync.ts';
import { adoptWorker } from './lifecycle/adopt.ts';
import { asksAhead } from './lifecycle/asking-ahead.ts';
import { closeWorkers } from './lifecycle/close.ts';
import { discoverWorkers } from './lifecycle/discover.ts';
import { openLane } from './lifecycle/lane.ts';
import { takeOverOrphans } from './lifecycle/recover.ts';
import { restartWorkers } from './lifecycle/restart.ts';
import { startWorkers } from './lifecycle/spawn.ts';
import { interruptWorkers, sendToWorkers } from './messages/messages.ts';
import { passReport } from './messages/pass-report.ts';
import { placeOf } from './place.ts';
import { openPullRequest } from './proposing/pull-request.ts';
import type { BoardLines } from './queries/board.ts';
import { cursorOf, readChanges } from './queries/changes.ts';
import { examineWorker, readWorkerScreen } from './queries/examine.ts';
import { checkIdle, listWorkers } from './queries/list.ts';
import { readLogs } from './queries/logs.ts';
import { watchMembers } from './queries/members.ts';
import { readReports } from './queries/reports.ts';
import { crewStatus, needsNow } from './queries/status.ts';
import { readTrackerHelp } from './queries/tracker-help.ts';
import { attentionShown, waitIdle } from './queries/wait.ts';
import { workOf } from './queries/work.ts';
import { borderStatus, showOnPane } from './workers/publish.ts';
import type { CrewContext } from './workers/roster.ts';

export interface Sources {
  readonly alreadyShown: AlreadyShown;
  readonly jobNews: JobNews;
  /** Resolves when the log has every change so far. */
  readonly published: () => Promise<void>;
  readonly foreseen: () => readonly Foreseen[];
  readonly boards: Pick<BoardLines, 'post'>;
}

export function actions(
  context: CrewContext,
  { alreadyShown, jobNews, published, foreseen, boards }: Sources,
): Omit<Crew, 'dispose'> {
  /** Each call first reads the events of other servers, and looks which of them live. */
  const upToDate = async <T>(act: () => Promise<T>): Promise<T> => {
    await context.log.catchUp();
    await context.roster.lookAtManagers();
    return act();
  };
  /** A manager that reads the log after a wait finds there all that the wait answered. */
  const inLog = async <T>(act: () => Promise<T>): Promise<T> => {
    await published();
    return upToDate(act);
  };
  return {
    start: (orders, run) => upToDate(() => startWorkers(context, orders, run)),
    restart: ({ workers }, run) => upToDate(() => restartWorkers(context, workers, run)),
    close: (order, run) => upToDate(() => closeWorkers(context, order, run)),
    adopt: (order) => upToDate(() => adoptWorker(context, order)),
    discover: (query) => upToDate(() => discoverWorkers(context, query)),
    annotate: (order) => upToDate(() => annotate(context, order)),
    setRules: (order) => upToDate(() => setPermissions(context, order)),
    send: (order) => upToDate(() => sendToWorkers(context, order)),
    interrupt: (order, run) => upToDate(() => interruptWorkers(context, order, run)),
    answer: (order, run) => upToDate(() => answerWorker(context, order, run)),
    wait: (order, run) => upToDate(() => waitIdle(context, alreadyShown, order, run)),
    attention: (query) => upToDate(async () => attentionShown(context, alreadyShown, query)),
    land: (order, run) => upToDate(() => landWorker(context, order, run)),
    sync: (order, run) => upToDate(() => syncWorker(context, order, run)),
    propose: (order, run) => upToDate(() => openPullRequest(context, order, run)),
    openLane: (order) => openLane(context, order),
    branchOf: (query) => inLog(() => readBranch(context, query)),
    clean: (order) => upToDate(() => cleanupWorktrees(context, order)),
    restore: (order) => upToDate(() => restoreWork(context, order)),
    worktrees: (order) => upToDate(() => readWorktrees(context, order)),
    list: (query) => upToDate(() => listWorkers(context, query)),
    examine: (query) => upToDate(() => examineWorker(context, query)),
    diff: (query) => upToDate(() => diffWorker(context, query)),
    conflicts: (query) => upToDate(() => checkConflicts(context, query)),
    logs: (query) => upToDate(() => readLogs(context, query)),
    screen: (query) => upToDate(() => readWorkerScreen(context, query)),
    checkIdle: (query) => upToDate(() => checkIdle(context, query)),
    changes: (query) => inLog(() => readChanges(context, query)),
    reports: (query) => upToDate(() => readReports(context, query)),
    needs: () => needsNow(context, alreadyShown),
    status: () => inLog(() => crewStatus(context, foreseen())),
    ...aboutTasks(context, { boards, jobNews }),
    seen: (keys) => alreadyShown.noteKeys(keys),
    takeOver: (workers) => upToDate(() => takeOverOrphans(context, workers)),
    onAsked: (listen) => watchAsked(context, listen),
    onMembers: (listen) => watchMembers(context, listen),
    trackerHelp: (query) => readTrackerHelp(context, query),
  };
}

/** What whoever gives tasks sees of the crew, and tells it. */
function aboutTasks(
  context: CrewContext,
  { boards, jobNews }: Pick<Sources, 'boards' | 'jobNews'>,
): Pick<
  Crew,
  'place' | 'work' | 'asksAhead' | 'deniesEditing' | 'passReport' | 'onChange' | 'tell' | 'post' | 'cursor'
> {
  return {
    place: (query) => placeOf(context, query),
    work: (query) => workOf(context, query),
    asksAhead: (query) => asksAhead(context, query),
    passReport: (order) => passReport(context, order),
    deniesEditing: async ({ project, role }) =>
      deniesEditing(await rulesOfWorker(context, { projectPath: project, role })),
    onChange(listen) {
      const stops = [context.roster.onChange(() => listen()), context.log.onEvents(() => listen())];
      return () => {
        for (const stop of stops) stop();
      };
    },
    async tell(events) {
      const drafts = events.map(({ type, subject, crew, data }) => ({
        type,
        workerId: subject,
        data: { ...data, crew },
      }));
      if (drafts.length > 0) await context.log.append(drafts);
      jobNews.tell(events);
    },
    post: boards.post,
    cursor: () => cursorOf(context.log.lastSeq),
  };
}

async function annotate(
  context: CrewContext,
  { worker, annotation }: { readonly worker: string; readonly annotation: string },
) {
  const record = context.roster.resolve(worker);
  if (record.phase === 'closed') {
    throw new CrewError(
      'worker_dead',
      `${record.name} is closed.`,
      'Only workers that are not closed can be annotated.',
    );
  }
  await context.log.append([
    { type: 'worker_annotated', workerId: record.id, data: { annotation }, set: { annotation } },
  ]);
  const turn = context.roster.turn(record.id);
  await showOnPane(context, context.roster.record(record.id), turn === undefined ? record.phase : borderStatus(turn));
  return { success: true, session_id: worker, annotation };
}
