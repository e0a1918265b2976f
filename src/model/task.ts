// A task of the crew, and the states of the work on one.

export const taskKinds = ['task', 'review'] as const;
/** A worker reports one of these on its work. */
export const progressStatuses = ['working', 'blocked', 'needs_review', 'progress', 'completed'] as const;
export const taskStatuses = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;

export interface Task {
  readonly id: string;
  /** `review`: look at what a worker has done, rather than do something new. */
  readonly kind: (typeof taskKinds)[number];
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
  readonly status: (typeof taskStatuses)[number];
  /** Epoch ms. */
  readonly at: number;
}
