// Tasks for tests, with what matters to each.
import { defined } from '../../src/model/defined.ts';
import { freshProgress, type Plan, type Task } from '../../src/model/task.ts';
import { type ProgressAt, queued, type TaskState } from '../../src/model/task-progress.ts';
import { ofVersion2 } from '../../src/store/progress-line.ts';

/** How far it is by its state as callers see it, with the parts of its progress that matter. */
export interface TaskGiven
  extends Partial<Task>,
    Partial<Pick<ProgressAt<'running'>, 'message' | 'toldAt'>>,
    Partial<Pick<ProgressAt<'ended'>, 'hold' | 'overAt' | 'isSeenTo'>> {
  readonly state?: TaskState;
}

export function givenTask({
  state,
  message,
  toldAt,
  overAt,
  hold,
  isSeenTo,
  progress,
  ...given
}: TaskGiven): Partial<Task> {
  const was = { progress: progress ?? queued };
  const now = ofVersion2(was, defined({ state, message, toldAt, overAt, hold, isSeenTo }));
  return { ...given, ...was, ...(now && { progress: now.progress }) };
}

const at = Date.UTC(2026, 0, 1);

export const taskOf = (wish: TaskGiven = {}): Task => ({
  ...freshProgress,
  id: 't1',
  kind: 'task',
  title: 'Cart',
  prompt: 'Write it.',
  priority: 5,
  dependsOn: [],
  project: '/project',
  crew: 'shop',
  afterFrom: false,
  depth: 0,
  isHeld: false,
  ...{ files: [], tags: [], touchSet: [], copyFiles: [], symlinkDirs: [], setupCommands: [] },
  maxRetries: 0,
  onComplete: 'none',
  keepWorker: false,
  at,
  ...givenTask(wish),
});

export const planOf = (wish: Partial<Plan> = {}): Plan => ({
  id: 'p1',
  name: 'shop',
  mode: 'autopilot',
  project: '/project',
  crew: 'shop',
  base: { ref: 'main', sha: '0'.repeat(40) },
  branch: 'crewmux/shop-p1',
  onComplete: 'none',
  jobs: [],
  at,
  state: 'running',
  isCancelled: false,
  decisions: {},
  round: 0,
  ...wish,
});
