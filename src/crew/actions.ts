// Each wish of a tool, with what must be known before it is served.
import { CrewError } from '../model/errors.ts';
import type { DoctorResult } from '../wire/doctor.ts';
import type { Foreseen } from '../wire/landing.ts';
import type { Crew } from './api.ts';
import { answerWorker } from './attention/answer.ts';
import { setPermissions } from './attention/set-permissions.ts';
import type { Told } from './attention/told.ts';
import { cleanupWorktrees } from './landing/cleanup.ts';
import { checkConflicts } from './landing/conflicts.ts';
import { diffWorker } from './landing/diff.ts';
import { mergeWorker } from './landing/merge.ts';
import { openPullRequest } from './landing/pull-request.ts';
import { restoreWork } from './landing/restore-work.ts';
import { syncWorker } from './landing/sync.ts';
import { readWorktrees } from './landing/worktrees.ts';
import { adoptWorker } from './lifecycle/adopt.ts';
import { closeWorkers } from './lifecycle/close.ts';
import { discoverWorkers } from './lifecycle/discover.ts';
import { restartWorkers } from './lifecycle/restart.ts';
import { spawnWorkers } from './lifecycle/spawn.ts';
import { interruptWorkers } from './messages/interrupts.ts';
import { messageWorkers } from './messages/messages.ts';
import { readChanges } from './queries/changes.ts';
import { examineWorker } from './queries/examine.ts';
import { checkIdle, listWorkers } from './queries/list.ts';
import { readPage } from './queries/logs.ts';
import { readReports } from './queries/read-reports.ts';
import { readWorkerScreen } from './queries/screen.ts';
import { crewStatus } from './queries/status.ts';
import { readTrackerHelp } from './queries/tracker-help.ts';
import { waitIdle } from './queries/wait.ts';
import { borderStatus } from './workers/news.ts';
import { showOnPane } from './workers/publish.ts';
import type { CrewContext } from './workers/roster.ts';
import { pastOf, transcriptOf } from './workers/transcript.ts';

export interface Sources {
  readonly told: Told;
  /** Resolves when what has been seen is in the log. */
  readonly published: () => Promise<void>;
  readonly foreseen: () => readonly Foreseen[];
  readonly doctor: () => Promise<DoctorResult>;
}

export function actions(context: CrewContext, { told, published, foreseen, doctor }: Sources): Omit<Crew, 'dispose'> {
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
    spawn: (request, call) => knowing(() => spawnWorkers(context, request, call)),
    list: (request) => knowing(() => listWorkers(context, request)),
    examine: (request) => knowing(() => examineWorker(context, request)),
    close: (request, call) => knowing(() => closeWorkers(context, request, call)),
    discover: (request) => knowing(() => discoverWorkers(context, request)),
    adopt: (request) => knowing(() => adoptWorker(context, request)),
    annotate: (request) => knowing(() => annotate(context, request)),
    setPermissions: (request) => knowing(() => setPermissions(context, request)),
    restart: (request, call) => knowing(() => restartWorkers(context, request.session_ids, call)),
    message: (request, call) => knowing(() => messageWorkers(context, told, request, call)),
    interrupt: (request, call) => knowing(() => interruptWorkers(context, request, call)),
    answer: (request, call) => knowing(() => answerWorker(context, request, call)),
    conflicts: (request) => knowing(() => checkConflicts(context, request)),
    diff: (request) => knowing(() => diffWorker(context, request)),
    merge: (request, call) => knowing(() => mergeWorker(context, request, call)),
    propose: (request, call) => knowing(() => openPullRequest(context, request, call)),
    sync: (request, call) => knowing(() => syncWorker(context, request, call)),
    logs: (request) => knowing(() => readLogs(context, request)),
    screen: (request) => knowing(() => readWorkerScreen(context, request)),
    checkIdle: (request) => knowing(() => checkIdle(context, request)),
    wait: (request, call) => knowing(() => waitIdle(context, told, request, call)),
    changes: (request) => inLog(() => readChanges(context, request)),
    reports: (request) => knowing(() => readReports(context, request)),
    status: () => inLog(() => crewStatus(context, foreseen())),
    doctor: () => knowing(doctor),
    worktrees: (request) => knowing(() => readWorktrees(context, request)),
    cleanup: (request) => knowing(() => cleanupWorktrees(context, request)),
    restore: (request) => knowing(() => restoreWork(context, request)),
    trackerHelp: (request, call) => readTrackerHelp(context, request, call),
  };
}

async function annotate(
  context: CrewContext,
  { session_id, annotation }: { readonly session_id: string; readonly annotation: string },
) {
  const record = context.roster.resolve(session_id);
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
  return { success: true, session_id, annotation };
}

async function readLogs(context: CrewContext, request: Parameters<Crew['logs']>[0]) {
  const record = context.roster.resolve(request.session_id);
  await context.roster.following(record.id)?.drain();
  const transcript = await transcriptOf(context, record);
  const past = await pastOf(context, record, transcript);
  return readPage(request.session_id, { ...transcript, ...(past === undefined ? {} : { past }) }, request);
}
