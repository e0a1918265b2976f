// A server whose workers ask nobody, and what its tools say of tasks and plans.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { CrewError } from '../../src/model/errors.ts';
import { createPlanOutput, planChanged, planStatusOutput } from '../../src/wire/plans.ts';
import { reportsOutput } from '../../src/wire/reports.ts';
import { listTasksOutput, submitTaskOutput, waitTasksOutput } from '../../src/wire/tasks.ts';
import type { Fields } from '../support/mcp.ts';
import { eventually } from '../support/sandbox.ts';
import { openStand, type Server, type Stand } from './crew.ts';

export type Task = z.output<typeof submitTaskOutput>;
type PlanStatus = z.output<typeof planStatusOutput>;

export interface JobServer extends Server {
  submit(order: Fields): Promise<Task>;
  /** By its id. */
  task(id: string): Promise<Task>;
  /** Resolves once the task is seen in this state. */
  comes(id: string, state: Task['state']): Promise<Task>;
  update(id: string, action: string, more?: Fields): Promise<Task>;
  awaited(of: Fields): Promise<z.output<typeof waitTasksOutput>>;
  reports(of: Fields): Promise<z.output<typeof reportsOutput>['reports']>;
  plan(order: Fields): Promise<z.output<typeof createPlanOutput>>;
  status(planId: string): Promise<PlanStatus>;
  approve(planId: string, more?: Fields): Promise<z.output<typeof planChanged>>;
  edit(planId: string, more: Fields): Promise<z.output<typeof planChanged>>;
  /** Makes the very call that an answer names, such as `update_task {"task_id":"1"}`. */
  make(call: string | undefined): Promise<Fields>;
  /** Code, message and hint of a call that is refused; rejects where it is not. */
  refusal(tool: string, args: Fields): Promise<string>;
}

export interface JobStand extends Stand {
  /** The configuration of its servers, a file. */
  readonly config: string;
  serveJobs(env?: Readonly<Record<string, string>>): Promise<JobServer>;
  git(...args: string[]): string;
  subjects(range: string): readonly string[];
}

export function openJobStand(config: Fields = {}): JobStand {
  const stand = openStand();
  const path = join(stand.sandbox.root, 'config.json');
  writeFileSync(path, JSON.stringify({ defaults: { skip_permissions: true }, ...config }));
  const git = (...args: string[]) => stand.sandbox.git(stand.repo, ...args);
  return {
    ...stand,
    config: path,
    git,
    subjects: (range) =>
      git('log', '--format=%s', range)
        .split('\n')
        .filter((line) => line !== ''),
    serveJobs: async (env = {}) => jobServer(await stand.serve({ CREWMUX_CONFIG: path, ...env })),
  };
}

function jobServer(server: Server): JobServer {
  const { call } = server;
  const task: JobServer['task'] = async (id) => {
    const { tasks } = await call('list_tasks', listTasksOutput, { task_id: id });
    const [found] = tasks;
    if (found === undefined) throw new Error(`No task ${id}`);
    return found;
  };
  return {
    ...server,
    task,
    submit: (order) => call('submit_task', submitTaskOutput, { title: 'Task', ...order }),
    comes: (id, state) =>
      eventually(`task ${id} is ${state}`, async () => {
        const seen = await task(id);
        return seen.state === state && seen;
      }),
    update: (id, action, more = {}) => call('update_task', submitTaskOutput, { task_id: id, action, ...more }),
    awaited: (of) => call('wait_tasks', waitTasksOutput, { timeout: 60, ...of }),
    reports: async (of) => (await call('read_reports', reportsOutput, of)).reports,
    plan: (order) => call('create_plan', createPlanOutput, order),
    status: (id) => call('plan_status', planStatusOutput, { plan_id: id }),
    approve: (id, more = {}) => call('approve_plan', planChanged, { plan_id: id, ...more }),
    edit: (id, more) => call('edit_plan', planChanged, { plan_id: id, ...more }),
    async make(line = '') {
      const [, tool = '', args = '{}'] = /^(\w+) (\{.*\})/s.exec(line) ?? [];
      return server.connection.call(tool, JSON.parse(args));
    },
    refusal: (tool, args) =>
      server.connection.call(tool, args).then(
        () => Promise.reject(new Error(`${tool} was not refused`)),
        (error: unknown) =>
          error instanceof CrewError ? `${error.code}: ${error.message} ${error.hint}` : String(error),
      ),
  };
}

/** Written and committed by the agent. */
export const commit = (file: string, text: string): string =>
  `BASH echo ${text} > ${file} && git add -A && git commit -qm "Write ${file}"`;
