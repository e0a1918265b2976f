// Every tool, in reading order.
import type { Examiner } from '../crew/api.ts';
import type { Workshop } from '../work/api.ts';
import { adoptWorker } from './adopt-worker.ts';
import { annotateWorker } from './annotate-worker.ts';
import { answerWorker } from './answer-worker.ts';
import { approvePlan } from './approve-plan.ts';
import { askExpert } from './ask-expert.ts';
import { cancelPlan } from './cancel-plan.ts';
import { checkConflicts } from './check-conflicts.ts';
import { checkIdleWorkers } from './check-idle-workers.ts';
import { cleanupWorktrees } from './cleanup-worktrees.ts';
import { closeWorkers } from './close-workers.ts';
import { createPlan } from './create-plan.ts';
import { crewStatus } from './crew-status.ts';
import { diffWorker } from './diff-worker.ts';
import { discoverWorkers } from './discover-workers.ts';
import { doctor } from './doctor.ts';
import { editPlan } from './edit-plan.ts';
import { examineWorker } from './examine-worker.ts';
import { interruptWorkers } from './interrupt-workers.ts';
import { issueTrackerHelp } from './issue-tracker-help.ts';
import { listAgentSessions } from './list-agent-sessions.ts';
import { listTasks } from './list-tasks.ts';
import { listWorkers } from './list-workers.ts';
import { listWorktrees } from './list-worktrees.ts';
import { mergeWorker } from './merge-worker.ts';
import { messageWorkers } from './message-workers.ts';
import { openPullRequest } from './open-pull-request.ts';
import { planStatus } from './plan-status.ts';
import { pollWorkerChanges } from './poll-worker-changes.ts';
import { readReports } from './read-reports.ts';
import { readWorkerLogs } from './read-worker-logs.ts';
import { readWorkerScreen } from './read-worker-screen.ts';
import { restartWorkers } from './restart-workers.ts';
import { restoreWork } from './restore-work.ts';
import { runLoop } from './run-loop.ts';
import { scheduleTask } from './schedule-task.ts';
import { setPermissions } from './set-permissions.ts';
import { spawnWorkers } from './spawn-workers.ts';
import { submitTask } from './submit-task.ts';
import { syncWorker } from './sync-worker.ts';
import { on, type Tool } from './tool.ts';
import { updateTask } from './update-task.ts';
import { waitIdleWorkers } from './wait-idle-workers.ts';
import { waitTasks } from './wait-tasks.ts';

const crewTools: readonly Tool<Workshop>[] = [
  spawnWorkers,
  listWorkers,
  examineWorker,
  closeWorkers,
  discoverWorkers,
  adoptWorker,
  annotateWorker,
  restartWorkers,
  messageWorkers,
  interruptWorkers,
  answerWorker,
  readWorkerLogs,
  readWorkerScreen,
  askExpert,
  readReports,
  checkIdleWorkers,
  waitIdleWorkers,
  pollWorkerChanges,
  crewStatus,
  setPermissions,
  submitTask,
  listTasks,
  updateTask,
  waitTasks,
  createPlan,
  planStatus,
  approvePlan,
  editPlan,
  cancelPlan,
  scheduleTask,
  runLoop,
  listWorktrees,
  diffWorker,
  checkConflicts,
  syncWorker,
  mergeWorker,
  openPullRequest,
  cleanupWorktrees,
  restoreWork,
  issueTrackerHelp,
];

export const tools: readonly Tool<Workshop & Examiner>[] = [...crewTools, listAgentSessions, doctor];

/** The same for a server: where no crew can be opened, what needs none answers all the same. */
export const managerTools = (examiner: Examiner): readonly Tool<Workshop>[] => [
  ...crewTools,
  on(examiner, listAgentSessions),
  on(examiner, doctor),
];
