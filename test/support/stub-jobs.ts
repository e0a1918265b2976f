// Jobs of cardboard for tests of the edge: they answer at once, and keep the crew's diary.

import type { BriefPlan, PlanChanged } from '../../src/wire/plans.ts';
import type { CheckpointView, TaskView } from '../../src/wire/tasks.ts';
import type { Jobs, Workshop } from '../../src/work/api.ts';
import { ada, stubCrew } from './stub-crew.ts';

const worker = { sessionId: ada.session_id, name: ada.name };

export const cart: TaskView = {
  taskId: 't1',
  title: 'Cart',
  state: 'running',
  kind: 'task',
  brings: 'commit',
  priority: 5,
  dependsOn: [],
  projectPath: '/project',
  worker,
  branch: 'ada',
  attempts: 1,
  evidence: { claimed: false, commits: [] },
  nextCalls: ['wait_tasks {"task_ids":["t1"]}'],
  createdAt: ada.created_at,
};

export const approval: CheckpointView = {
  planId: 'p1',
  at: 'start',
  why: 'It has not been approved.',
  calls: ['approve_plan {"plan_id":"p1","checkpoint":"start"}'],
};

const head = { planId: 'p1', name: 'shop', state: 'proposed', mode: 'copilot', checkpoint: approval } as const;
const graph = { waves: [['api'], ['page']], criticalPath: ['api', 'page'] };
const briefly: BriefPlan = { ...head, jobs: { queued: 2 }, nextCalls: [], createdAt: ada.created_at };
const changed: PlanChanged = { ...head, integrationBranch: 'plan/shop', ...graph, warnings: [], nextCalls: [] };

/** `note` gets a line for each call, with what it was called with. */
export function stubJobs(note: (line: string) => void): Jobs {
  const told = (verb: string, order: object) => note(`${verb} ${JSON.stringify(order)}`);
  return {
    ...tasksOf(told),
    ...plansOf(told),
    async workersOf(query) {
      told('workersOf', query);
      return [{ worker: ada.session_id, from: 0, until: Number.POSITIVE_INFINITY }];
    },
    async pauseOrResume(order) {
      told('pauseOrResume', order);
      return { projectPath: '/project', ...(order.action === 'pause' && { paused: { since: ada.created_at } }) };
    },
    projects: async () => [
      { path: '/project', workers: { idle: 1, waiting: 2 }, tasks: 1, plans: 0, needs: ['ada: permission'] },
    ],
    digest: async ({ since }) => ({
      ...{ since, landed: [], waiting: [], skipped: [], spent: [] },
      failed: [{ what: 'task Cart [t1]: failed', why: 'no commit', nextCalls: ['update_task {}'] }],
    }),
    jobsSummary: async () => ({ plans: [briefly], tasks: [cart], running: 1, limit: 8, checkpoints: [approval] }),
    onChange: () => () => undefined,
    dispose: async () => undefined,
  };
}

type Told = (verb: string, order: object) => void;

const tasksOf = (told: Told): Pick<Jobs, 'submit' | 'list' | 'update' | 'wait'> => ({
  async submit(order) {
    told('submit', order);
    return { ...cart, warnings: [] };
  },
  async list(query) {
    told('list', query);
    return { tasks: [cart], count: 1, running: 1, limit: 8, driver: 'this' };
  },
  async update(order) {
    told('update', order);
    return cart;
  },
  async wait(order, run) {
    told('wait', order);
    run.tell('waiting for tasks');
    const over = { allEnded: true, ended: ['t1'], waitingOn: [], attention: [], timedOut: false };
    return { tasks: [{ ...cart, state: 'done' }], ...over, waitedSeconds: 0, cursor: 'c1', checkpoint: approval };
  },
});

const plansOf = (
  told: Told,
): Pick<Jobs, 'createPlan' | 'schedule' | 'runLoop' | 'planStatus' | 'approve' | 'edit' | 'cancel' | 'propose'> => ({
  async createPlan(order) {
    told('createPlan', order);
    return changed;
  },
  async planStatus(query) {
    told('planStatus', query);
    if (query.planId === undefined) return { plans: [briefly] };
    const base = { ref: 'main', sha: ada.base?.sha ?? '' };
    const whole = { ...changed, base, conflicts: [], tests: [], mermaid: 'graph LR', createdAt: ada.created_at };
    return { ...whole, jobs: [cart] };
  },
  async approve(order) {
    told('approve', order);
    return changed;
  },
  async edit(order) {
    told('edit', order);
    return changed;
  },
  async cancel(order) {
    told('cancel', order);
    return { ...changed, state: 'cancelled', branches: ['ada'] };
  },
  async schedule(order) {
    told('schedule', order);
    const runs = { nextRuns: [ada.created_at], missed: 0, runsOnlyWhile: 'a server or crewmux keep lives' } as const;
    const one = { id: 's1', cron: '0 3 * * *', timezone: 'UTC', task: { title: 'Nightly' }, enabled: true, ...runs };
    return { id: 's1', schedules: [one] };
  },
  async runLoop(order) {
    told('runLoop', order);
    const plans = [{ planId: 'p1', name: 'Shop (1)', state: 'running' as const }];
    return { loopId: 'l1', state: 'running', iteration: 1, plans, nextCalls: ['wait_tasks {"plan_id":"p1"}'] };
  },
  async propose(order) {
    told('propose', order);
    const there = { url: 'https://github.com/acme/app/pull/2', branch: 'plan/shop', remote: 'origin', base: 'main' };
    const text = { title: 'Shop', body_path: '/home/pull-request.md', commits: 2 };
    return { success: true, session_id: 'p1', ...there, ...text, pushed: true, existing: false, missing: [] };
  },
});

export const stubWorkshop = (note: (line: string) => void, how?: Parameters<typeof stubCrew>[1]): Workshop => ({
  ...stubCrew(note, how),
  jobs: stubJobs(note),
});
