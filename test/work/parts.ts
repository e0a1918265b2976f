// Tasks, plans, workers and facts as the tests of the judgement need them.
import type { Work } from '../../src/crew/api.ts';
import type { Loop } from '../../src/model/loop.ts';
import type { Book, Plan, Task } from '../../src/model/task.ts';
import type { AttentionView } from '../../src/wire/attention.ts';
import { restingTask } from '../../src/work/drive/job-tasks.ts';
import type { Facts } from '../../src/work/judge/facts.ts';
import { taskStep } from '../../src/work/judge/task-step.ts';
import { givenTask, type TaskGiven } from '../support/tasks.ts';

export const task = (given: TaskGiven = {}): Task => {
  const id = given.id ?? 't';
  return { ...restingTask, id, title: id, prompt: `do ${id}`, project: '/p', crew: 'crew', at: 0, ...givenTask(given) };
};

export const job = (given: TaskGiven = {}): Task => task({ kind: 'job', planId: 'p', ...given });

export const plan = (jobs: readonly string[], given: Partial<Plan> = {}): Plan => ({
  ...{ id: 'p', name: 'cart', mode: 'autopilot', project: '/p', crew: 'crew', base: { ref: 'main', sha: 'a' } },
  ...{
    branch: 'lane',
    onComplete: 'merge',
    jobs,
    at: 0,
    state: 'running',
    isCancelled: false,
    decisions: {},
    round: 0,
  },
  ...given,
});

export const loopOf = (given: Partial<Loop> = {}): Loop => ({
  ...{ id: 'l', crew: 'crew', project: '/p', goal: 'Sell a cart.', mode: 'autopilot', maxIterations: 10 },
  ...{ branch: 'crewmux/loop-l', base: 'main', state: 'running', iteration: 1, plans: ['p'], failures: 0 },
  ...{ isStopping: false, at: 0 },
  ...given,
});

export const worker = { id: 'w', name: 'ada' };

export const work = (given: Partial<Work> = {}): Work => ({
  ...{ id: 'w', name: 'ada', crew: 'crew', agentType: 'claude', branch: 'ada', status: 'idle', isUnborn: false },
  ...{ isIdle: true, turns: 1, lastWords: 'All is well.', attention: [], isOthers: false },
  ...given,
});

export const need = (name = 'ada'): AttentionView => ({
  ...{ session_id: 'w', name, waiting_for: 'permission', since: '2026-01-01T00:00:00.000Z' },
  ...{ title: `${name} asks permission`, detail: '', answer_with: ['answer_worker {}'] },
});

export const ended = (endedBy: 'completed' | 'interrupted' | 'error' | 'limit' = 'completed', id = 'w:1') => ({
  ...{ id, startedAt: 10, endedAt: 20, endedBy },
});

export const bookOf = (tasks: readonly TaskGiven[], plans: readonly Plan[] = []): Book => ({
  tasks: new Map(tasks.map(task).map((one) => [one.id, one])),
  plans: new Map(plans.map((one) => [one.id, one])),
  schedules: new Map(),
  loops: new Map(),
});

export interface Given extends Partial<Omit<Facts, 'book' | 'works' | 'busy'>> {
  readonly tasks: readonly TaskGiven[];
  readonly plans?: readonly Plan[];
  readonly works?: readonly Work[];
  readonly busy?: readonly string[];
}

export const facts = ({ tasks, plans = [], works = [], busy = [], ...more }: Given): Facts => ({
  ...{ now: 1_000, room: 8, startsSubtasks: false, accounts: new Map(), roles: new Map() },
  ...more,
  book: bookOf(tasks, plans),
  works: new Map(works.map((one) => [one.id, one])),
  busy: new Set(busy),
});

/** The next step of a task, beside what else is given. */
export const stepOf = (one: TaskGiven, { tasks = [], ...more }: Partial<Given> = {}) =>
  taskStep(facts({ ...more, tasks: [one, ...tasks] }), task(one));
