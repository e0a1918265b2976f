// Each wish of a tool, with what must be known before it is served.

import { defined } from '../model/defined.ts';
import { CrewError } from '../model/errors.ts';
import type { DoctorResult } from '../wire/doctor.ts';
import type { Foreseen } from '../wire/landing.ts';
import type { Crew } from './api.ts';
import type { AlreadyShown } from './attention/already-shown.ts';
import { answerWorker } from './attention/answer.ts';
import { setPermissions } from './attention/set-permissions.ts';
import { cleanupWorktrees } from './landing/cleanup.ts';
import { checkConflicts } from './landing/conflicts.ts';
import { diffWorker } from './landing/diff.ts';
import { landWorker } from './landing/merge.ts';
import { openPullRequest } from './landing/pull-request.ts';
import { restoreWork } from './landing/restore-work.ts';
import { syncWorker } from './landing/sync.ts';
import { readWorktrees } from './landing/worktrees.ts';
import { adoptWorker } from './lifecycle/adopt.ts';
import { closeWorkers } from './lifecycle/close.ts';
import { discoverWorkers } from './lifecycle/discover.ts';
import { restartWorkers } from './lifecycle/restart.ts';
import { startWorkers } from './lifecycle/spawn.ts';

import { interruptWorkers, sendToWorkers } from './messages/messages.ts';
import type { LogQuery } from './orders.ts';
import { readChanges } from './queries/changes.ts';
import { examineWorker } from './queries/examine.ts';
import { checkIdle, listWorkers } from './queries/list.ts';
import { readPage } from './queries/logs.ts';
import { readReports } from './queries/read-reports.ts';
import { readWorkerScreen } from './queries/screen.ts';
import { crewStatus } from './queries/status.ts';
import { readTrackerHelp } from './queries/tracker-help.ts';
import { attentionTold, waitIdle } from './queries/wait.ts';
import { borderStatus } from './workers/news.ts';
import { showOnPane } from './workers/publish.ts';
import type { CrewContext } from './workers/roster.ts';
import { pastOf, transcriptOf } from './workers/transcript.ts';

export interface Sources {
  readonly alreadyShown: AlreadyShown;
  /** Resolves when what has been seen is in the log. */
  readonly published: () => Promise<void>;
  readonly foreseen: () => readonly Foreseen[];
  readonly doctor: () => Promise<DoctorResult>;
}

export function actions(
  context: CrewContext,
  { alreadyShown, published, foreseen, doctor }: Sources,
): Omit<Crew, 'dispose'> {
  /** What other servers have done, and which of them live, is looked up once a call: answers rest on it. */
  const knowing = async <T>(act: () => Promise<T>): Promise<T> => {
    await context.log.catchUp();
    await context.roster.lookAtManagers();
    return act();
  };
  /** What a wait has answered is in the log when somebody reads it next. */
  const inLog = async <T>(act: () => Promise<T>): Promise<T> => {
    await published();
    return knowing(act);
  };
  return {
    start: (orders, run) => knowing(() => startWorkers(context, orders, run)),
    restart: ({ workers }, run) => knowing(() => restartWorkers(context, workers, run)),
    close: (order, run) => knowing(() => closeWorkers(context, order, run)),
    adopt: (order) => knowing(() => adoptWorker(context, order)),
    discover: (query) => knowing(() => discoverWorkers(context, query)),
    annotate: (order) => knowing(() => annotate(context, order)),
    setRules: (order) => knowing(() => setPermissions(context, order)),
    send: (order) => knowing(() => sendToWorkers(context, order)),
    interrupt: (order, run) => knowing(() => interruptWorkers(context, order, run)),
    answer: (order, run) => knowing(() => answerWorker(context, order, run)),
    wait: (order, run) => knowing(() => waitIdle(context, alreadyShown, order, run)),
    attention: (query) => knowing(async () => attentionTold(context, alreadyShown, query)),
    land: (order, run) => knowing(() => landWorker(context, order, run)),
    sync: (order, run) => knowing(() => syncWorker(context, order, run)),
    propose: (order, run) => knowing(() => openPullRequest(context, order, run)),
    clean: (order) => knowing(() => cleanupWorktrees(context, order)),
    restore: (order) => knowing(() => restoreWork(context, order)),
    worktrees: (order) => knowing(() => readWorktrees(context, order)),
    list: (query) => knowing(() => listWorkers(context, query)),
    examine: (query) => knowing(() => examineWorker(context, query)),
    diff: (query) => knowing(() => diffWorker(context, query)),
    conflicts: (query) => knowing(() => checkConflicts(context, query)),
    logs: (query) => knowing(() => readLogs(context, query)),
    screen: (query) => knowing(() => readWorkerScreen(context, query)),
    checkIdle: (query) => knowing(() => checkIdle(context, query)),
    changes: (query) => inLog(() => readChanges(context, query)),
    reports: (query) => knowing(() => readReports(context, query)),
    status: () => inLog(() => crewStatus(context, foreseen())),
    trackerHelp: (query) => readTrackerHelp(context, query),
    doctor: () => knowing(doctor),
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

async function readLogs(context: CrewContext, query: LogQuery) {
  const record = context.roster.resolve(query.worker);
  await context.roster.following(record.id)?.drain();
  const transcript = await transcriptOf(context, record);
  const past = await pastOf(context, record, transcript);
  return readPage(query.worker, { ...transcript, ...defined({ past }) }, query);
}
