// Each wish of a tool, with what must be known before it is served.
import { CrewError } from '../model/errors.ts';
import type { Crew, DoctorResult, Foreseen } from './api.ts';
import { answerWorker } from './attention/answer.ts';
import { setPermissions } from './attention/set-permissions.ts';
import type { Told } from './attention/told.ts';
import type { House } from './house.ts';
import { checkConflicts } from './landing/conflicts.ts';
import { diffWorker } from './landing/diff.ts';
import { mergeWorker } from './landing/merge.ts';
import { openPullRequest } from './landing/pull-request.ts';
import { syncWorker } from './landing/sync.ts';
import { readWorkerScreen } from './screen/screen.ts';
import { interruptWorkers } from './sending/interrupts.ts';
import { messageWorkers } from './sending/messages.ts';
import { adoptWorker } from './starting/adopt.ts';
import { closeWorkers } from './starting/close.ts';
import { discoverWorkers } from './starting/discover.ts';
import { restartWorkers } from './starting/restart.ts';
import { spawnWorkers } from './starting/spawn.ts';
import { cleanupWorktrees } from './trees/cleanup.ts';
import { restoreWork } from './trees/restore-work.ts';
import { readWorktrees } from './trees/worktrees.ts';
import { readChanges } from './watching/changes.ts';
import { examineWorker } from './watching/examine.ts';
import { checkIdle, listWorkers } from './watching/list.ts';
import { readPage } from './watching/logs.ts';
import { borderStatus } from './watching/news.ts';
import { showOnPane } from './watching/publish.ts';
import { readReports } from './watching/read-reports.ts';
import { crewStatus } from './watching/status.ts';
import { readTrackerHelp } from './watching/tracker-help.ts';
import { pastOf, transcriptOf } from './watching/transcript.ts';
import { waitIdle } from './watching/wait.ts';

export interface Sources {
  readonly told: Told;
  /** Resolves when what has been seen is in the log. */
  readonly published: () => Promise<void>;
  readonly foreseen: () => readonly Foreseen[];
  readonly doctor: () => Promise<DoctorResult>;
}

export function actions(house: House, { told, published, foreseen, doctor }: Sources): Omit<Crew, 'dispose'> {
  /** What other servers have done, and which of them live, is looked up once a call: answers rest on it. */
  const knowing = async <T>(act: () => Promise<T>): Promise<T> => {
    await house.log.catchUp();
    await house.roster.lookAtManagers();
    return act();
  };
  /** What a wait has answered is in the log when somebody reads it next. */
  const inLog = async <T>(act: () => Promise<T>): Promise<T> => {
    await published();
    return knowing(act);
  };
  return {
    spawn: (request, call) => knowing(() => spawnWorkers(house, request, call)),
    list: (request) => knowing(() => listWorkers(house, request)),
    examine: (request) => knowing(() => examineWorker(house, request)),
    close: (request, call) => knowing(() => closeWorkers(house, request, call)),
    discover: (request) => knowing(() => discoverWorkers(house, request)),
    adopt: (request) => knowing(() => adoptWorker(house, request)),
    annotate: (request) => knowing(() => annotate(house, request)),
    setPermissions: (request) => knowing(() => setPermissions(house, request)),
    restart: (request, call) => knowing(() => restartWorkers(house, request.session_ids, call)),
    message: (request, call) => knowing(() => messageWorkers(house, told, request, call)),
    interrupt: (request, call) => knowing(() => interruptWorkers(house, request, call)),
    answer: (request, call) => knowing(() => answerWorker(house, request, call)),
    conflicts: (request) => knowing(() => checkConflicts(house, request)),
    diff: (request) => knowing(() => diffWorker(house, request)),
    merge: (request, call) => knowing(() => mergeWorker(house, request, call)),
    propose: (request, call) => knowing(() => openPullRequest(house, request, call)),
    sync: (request, call) => knowing(() => syncWorker(house, request, call)),
    logs: (request) => knowing(() => readLogs(house, request)),
    screen: (request) => knowing(() => readWorkerScreen(house, request)),
    checkIdle: (request) => knowing(() => checkIdle(house, request)),
    wait: (request, call) => knowing(() => waitIdle(house, told, request, call)),
    changes: (request) => inLog(() => readChanges(house, request)),
    reports: (request) => knowing(() => readReports(house, request)),
    status: () => inLog(() => crewStatus(house, foreseen())),
    doctor: () => knowing(doctor),
    worktrees: (request) => knowing(() => readWorktrees(house, request)),
    cleanup: (request) => knowing(() => cleanupWorktrees(house, request)),
    restore: (request) => knowing(() => restoreWork(house, request)),
    trackerHelp: (request, call) => readTrackerHelp(house, request, call),
  };
}

async function annotate(
  house: House,
  { session_id, annotation }: { readonly session_id: string; readonly annotation: string },
) {
  const record = house.roster.resolve(session_id);
  if (record.phase === 'closed') {
    throw new CrewError(
      'worker_dead',
      `${record.name} is closed.`,
      'Only workers that are not closed can be annotated.',
    );
  }
  await house.log.append([
    { type: 'worker_annotated', workerId: record.id, data: { annotation }, set: { annotation } },
  ]);
  const turn = house.roster.turn(record.id);
  await showOnPane(house, house.roster.record(record.id), turn === undefined ? record.phase : borderStatus(turn));
  return { success: true, session_id, annotation };
}

async function readLogs(house: House, request: Parameters<Crew['logs']>[0]) {
  const record = house.roster.resolve(request.session_id);
  await house.roster.following(record.id)?.drain();
  const transcript = await transcriptOf(house, record);
  const past = await pastOf(house, record, transcript);
  return readPage(request.session_id, { ...transcript, ...(past === undefined ? {} : { past }) }, request);
}
