// The short sentences in which answers speak of tasks and plans.
import type { Shape } from '../wire/parts.ts';
import type { briefPlan, createPlanOutput, planChanged } from '../wire/plans.ts';
import type { checkpoint, paused, submitTaskOutput, task } from '../wire/tasks.ts';
import { lines, warningLines } from './words.ts';

type Shown = Pick<Shape<typeof task>, 'task_id' | 'title' | 'name' | 'state' | 'worker' | 'reason'> &
  Partial<Pick<Shape<typeof task>, 'kind'>>;

export const taskLine = ({ task_id, title, name, kind, state, worker, reason }: Shown): string =>
  [
    `${kind ?? (name === undefined ? 'task' : 'job')} ${task_id} (${name ?? title}): ${state}`,
    worker === undefined ? '' : `, ${worker.name}`,
    reason === undefined ? '' : ` (${reason})`,
  ].join('');

export const pausedWords = ({ since }: Shape<typeof paused>): string =>
  `Paused since ${since}: no task starts, and nothing lands.`;

/** Of a task that was entered or changed. */
export const changedLines = ({
  warnings = [],
  next_calls,
  ...task
}: Shown & Pick<Shape<typeof submitTaskOutput>, 'warnings' | 'next_calls'>): readonly string[] => [
  taskLine(task),
  ...warningLines(warnings),
  ...nextLines(next_calls),
];

export const checkpointLines = (point: Shape<typeof checkpoint> | undefined): readonly string[] =>
  point === undefined ? [] : [`Plan ${point.plan_id} waits at ${point.at}: ${point.why}`, ...nextLines(point.calls)];

/** While it has none. */
export const plannerLine = (planner: Shape<typeof createPlanOutput>['planner']): string =>
  planner === undefined ? '' : `${planner.name} [${planner.session_id}] makes its jobs.`;

export const nextLines = (calls: readonly string[]): readonly string[] => calls.map((call) => `Next: ${call}`);

export const planLine = ({
  plan_id,
  name,
  state,
  jobs,
  reason,
}: Omit<Shape<typeof briefPlan>, 'next_calls'>): string => {
  const counts = Object.entries(jobs).map(([is, count]) => `${count} ${is}`);
  const done = counts.length === 0 ? '' : `: ${counts.join(', ')}`;
  return `Plan ${name} [${plan_id}] is ${state}${done}${reason === undefined ? '' : ` (${reason})`}`;
};

/** The same call is worth saying once. */
export const distinct = (said: readonly string[]): string => lines([...new Set(said)]);

export const planChangedLines = (plan: Shape<typeof planChanged>): string =>
  distinct([
    `Plan ${plan.name} [${plan.plan_id}] is ${plan.state}; its branch is ${plan.integration_branch}.`,
    ...warningLines(plan.warnings),
    ...(plan.branches ?? []).map((branch) => `Kept: ${branch}`),
    ...checkpointLines(plan.checkpoint),
    ...nextLines(plan.next_calls),
  ]);
