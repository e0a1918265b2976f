// Every tool of a worker, in reading order.
import type { Tool } from '../tools/tool.ts';
import type { Desk } from '../worker/api.ts';
import { reportProgress } from './report-progress.ts';
import { submitReport } from './submit-report.ts';

export const workerTools: readonly Tool<Desk>[] = [reportProgress, submitReport];
