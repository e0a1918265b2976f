// Tasks for tests, with what matters to each.
import { freshProgress, type Plan, type Task } from '../../src/model/task.ts';

const at = Date.UTC(2026, 0, 1);

export const taskOf = (wish: Partial<Task> = {}): Task => ({
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
  ...wish,
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
