// Jobs of cardboard for tests of the edge: they answer at once, and keep the crew's diary.

import type { BriefPlan, PlanChanged } from '../../src/wire/plans.ts';
import type { CheckpointView, TaskView } from '../../src/wire/tasks.ts';
import type { Jobs, Workshop } from '../../src/work/api.ts';
import { ada, stubCrew } from './stub-crew.ts';

const worker = { session_id: ada.session_id, name: ada.name };

export const cart: TaskView = {
  task_id: 't1',
  title: 'Cart',
  state: 'running',
  kind: 'task',
  brings: 'commit',
  priority: 5,
  depends_on: [],
  project_path: '/project',
  worker,
  branch: 'ada',
  attempts: 1,
  evidence: { claimed: false, commits: [] },
  next_calls: ['wait_tasks {"task_ids":["t1"]}'],
  created_at: ada.created_at,
};

export const approval: CheckpointView = {
  plan_id: 'p1',
  at: 'start',
  why: 'It has not been approved.',
  calls: ['approve_plan {"plan_id":"p1","checkpoint":"start"}'],
};

const head = { plan_id: 'p1', name: 'shop', state: 'proposed', mode: 'copilot', checkpoint: approval } as const;
const graph = { waves: [['api'], ['page']], critical_path: ['api', 'page'] };
const briefly: BriefPlan = { ...head, jobs: { queued: 2 }, next_calls: [], created_at: ada.created_at };
const changed: PlanChanged = { ...head, integration_branch: 'plan/shop', ...graph, warnings: [], next_calls: [] };

/** `note` gets a line for each call, with what it was called with. */
export function stubJobs(note: (line: string) => void): Jobs {
  const told = (verb: string, order: object) => note(`${verb} ${JSON.stringify(order)}`);
  return {
    ...tasksOf(told),
    ...plansOf(told),
    async workersOf(query) {
      told('workersOf', query);
      return [ada.session_id];
    },
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
    const over = { all_ended: true, ended: ['t1'], waiting_on: [], attention: [], timed_out: false };
    return { tasks: [{ ...cart, state: 'done' }], ...over, waited_seconds: 0, cursor: 'c1', checkpoint: approval };
  },
});

const plansOf = (told: Told): Pick<Jobs, 'createPlan' | 'planStatus' | 'approve' | 'edit' | 'cancel' | 'propose'> => ({
  async createPlan(order) {
    told('createPlan', order);
    return changed;
  },
  async planStatus(query) {
    told('planStatus', query);
    if (query.planId === undefined) return { plans: [briefly] };
    const base = { ref: 'main', sha: ada.base?.sha ?? '' };
    const whole = { ...changed, base, conflicts: [], tests: [], mermaid: 'graph LR', created_at: ada.created_at };
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
