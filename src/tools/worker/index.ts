// Every tool of a worker, in reading order.

import type { Desk } from '../../worker/api.ts';
import type { Tool } from '../tool.ts';
import { askManager } from './ask-manager.ts';
import { createSubtask } from './create-subtask.ts';
import { getContext } from './get-context.ts';
import { listSubtasks } from './list-subtasks.ts';
import { reportProgress } from './report-progress.ts';
import { requestReview } from './request-review.ts';
import { sendToWorker } from './send-to-worker.ts';
import { submitPlan } from './submit-plan.ts';
import { submitReport } from './submit-report.ts';

export const workerTools: readonly Tool<Desk>[] = [
  reportProgress,
  submitReport,
  askManager,
  sendToWorker,
  createSubtask,
  listSubtasks,
  requestReview,
  getContext,
  submitPlan,
];
