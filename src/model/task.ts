// Work that is to be done by somebody, as the crew remembers it.
import { isoTime } from './clock.ts';
import { defined } from './defined.ts';

export interface Task {
  readonly id: string;
  /** `review`: look at what a worker has done, rather than do something new. */
  readonly kind: 'task' | 'review';
  readonly title: string;
  readonly prompt: string;
  readonly role?: string;
  /** 0 to 10; more is sooner. */
  readonly priority: number;
  /** Ids of tasks that come first. */
  readonly dependsOn: readonly string[];
  /** The worker that entered it. */
  readonly from?: { readonly id: string; readonly name: string };
  /** Not before the worker that entered it is done with what it does now. */
  readonly afterFrom: boolean;
  /** 1 for the task of a worker that nobody gave a task of another worker. */
  readonly depth: number;
  readonly files: readonly string[];
  readonly status: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  /** Epoch ms. */
  readonly at: number;
}

/** As the wire shows it. */
export interface TaskView {
  readonly task_id: string;
  readonly kind: Task['kind'];
  readonly title: string;
  readonly status: Task['status'];
  readonly priority: number;
  readonly role?: string;
  readonly depends_on: readonly string[];
  readonly from?: { readonly session_id: string; readonly name: string };
  readonly wait_for_me: boolean;
  readonly files: readonly string[];
  readonly created_at: string;
}

export const taskView = ({ id, from, role, dependsOn, afterFrom, at, ...task }: Task): TaskView => ({
  task_id: id,
  kind: task.kind,
  title: task.title,
  status: task.status,
  priority: task.priority,
  ...defined({ role }),
  depends_on: dependsOn,
  ...defined({ from: from && { session_id: from.id, name: from.name } }),
  wait_for_me: afterFrom,
  files: task.files,
  created_at: isoTime(at),
});

/** Parts of the crew's knowledge that a worker may ask for. */
export const contextScopes = ['task', 'project', 'team', 'history', 'reports'] as const;
export type ContextScope = (typeof contextScopes)[number];
