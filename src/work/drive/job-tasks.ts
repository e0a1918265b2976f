// Makes tasks of the jobs of a plan.
import type { Attention } from '../../crew/api.ts';
import { defined } from '../../model/defined.ts';
import { newNonce } from '../../model/ids.ts';
import { type Brings, freshProgress, type Task } from '../../model/task.ts';
import type { TaskAsked } from '../../model/task-asked.ts';
import type { JobRequest } from '../../wire/plans.ts';
import { lands } from '../judge/facts.ts';
import { bringsBy } from './brings.ts';

/** A task with everything at rest. */
export const restingTask = {
  ...freshProgress,
  kind: 'task',
  priority: 5,
  dependsOn: [],
  afterFrom: false,
  depth: 0,
  isHeld: false,
  files: [],
  tags: [],
  touchSet: [],
  copyFiles: [],
  symlinkDirs: [],
  setupCommands: [],
  maxRetries: 0,
  onComplete: 'none',
  keepWorker: false,
} as const satisfies Partial<Task>;

/** What of it can be judged before the start of its worker. Pure. */
export function aheadOf(asked: TaskAsked) {
  const { agentType, model, role, preset, permissionMode, skipPermissions, sandbox, mcpConfig, maxCostUsd } = asked;
  return defined({
    ...{ agentType, model, role, preset, permissionMode, skipPermissions, sandbox, maxCostUsd },
    mcpServers: mcpConfig,
  });
}

/** Its worker, as far as it is known before the start. */
export const startOfJob = ({ name, ...asked }: JobRequest) => ({ name, lands: true, ...aheadOf(asked) });

/** The same of one that is entered, or is to be. */
export const startOfTask = ({ title, ...task }: Pick<Task, 'title' | 'onComplete' | 'planId'> & TaskAsked) => ({
  name: title,
  lands: lands(task),
  ...aheadOf(task),
});

type BringingJob = Pick<JobRequest, 'brings' | 'role' | 'preset'>;

const bringsOfJob = (crew: Pick<Attention, 'deniesEditing'>, project: string, { brings, role, preset }: BringingJob) =>
  bringsBy(crew, { kind: 'job', project, ...defined({ brings, role, preset }) });

export const jobsBring = (
  crew: Pick<Attention, 'deniesEditing'>,
  project: string,
  jobs: readonly BringingJob[],
): Promise<readonly Brings[]> => Promise.all(jobs.map((job) => bringsOfJob(crew, project, job)));

interface Making {
  readonly planId: string;
  readonly project: string;
  readonly crew: string;
  readonly at: number;
  /** Ids of the jobs there are already, by name. */
  readonly known: ReadonlyMap<string, string>;
}

export function jobTasks(
  crew: Pick<Attention, 'deniesEditing'>,
  jobs: readonly JobRequest[],
  { known, ...plan }: Making,
): Promise<readonly Task[]> {
  const ids = new Map([...known, ...jobs.map(({ name }) => [name, newNonce()] as const)]);
  const jobTask = async ({ name, dependsOn, ...asked }: JobRequest): Promise<Task> => ({
    ...restingTask,
    ...plan,
    ...asked,
    kind: 'job',
    brings: await bringsOfJob(crew, plan.project, asked),
    id: ids.get(name) ?? newNonce(),
    title: name,
    dependsOn: dependsOn.flatMap((one) => ids.get(one) ?? []),
  });
  return Promise.all(jobs.map(jobTask));
}
