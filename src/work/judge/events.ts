// The events of tasks, plans, schedules and loops. Pure.
import type { JobEvent } from '../../crew/api.ts';
import { isoTime } from '../../model/clock.ts';
import { defined } from '../../model/defined.ts';
import type { JobEventType } from '../../model/event.ts';
import type { Loop } from '../../model/loop.ts';
import type { Schedule } from '../../model/schedule.ts';
import type { Plan, Task } from '../../model/task.ts';
import { stateOf, type TaskStage } from '../../model/task-progress.ts';

/** What is told of a task that an act has brought to this. */
export function tellsOf(before: Task, progress: TaskStage | undefined): JobEventType | undefined {
  const state = progress && stateOf({ progress });
  if (progress === undefined || state === stateOf(before)) return undefined;
  if (progress.is === 'ended') return 'task_ended';
  if (state === 'bounced') return 'task_bounced';
  if (state === 'waiting') return 'task_waiting';
  return stateOf(before) === 'starting' && state === 'running' ? 'task_started' : undefined;
}

const shown = (reason: string | undefined): string | undefined => reason?.slice(0, 300);

export const taskEvent = (task: Task, type: JobEventType): JobEvent => ({
  type,
  subject: task.worker?.id ?? task.id,
  crew: task.crew,
  data: {
    task_id: task.id,
    title: task.title,
    state: stateOf(task),
    ...defined({ plan_id: task.planId, reason: shown(task.reason) }),
  },
});

export const planEvent = (plan: Plan, type: JobEventType): JobEvent => ({
  type,
  subject: plan.id,
  crew: plan.crew,
  data: { plan_id: plan.id, name: plan.name, state: plan.state, ...defined({ reason: shown(plan.reason) }) },
});

export const scheduleEvent = ({ id, crew, cron, lastRun, pausedBecause }: Schedule, type: JobEventType): JobEvent => ({
  type,
  subject: id,
  crew,
  data: {
    schedule_id: id,
    cron,
    ...defined({
      due: lastRun && isoTime(lastRun.at),
      outcome: lastRun?.outcome,
      reason: shown(type === 'schedule_paused' ? pausedBecause : lastRun?.reason),
      task_id: lastRun?.taskId,
      plan_id: lastRun?.planId,
    }),
  },
});

export const loopEvent = ({ id, crew, state, iteration, reason }: Loop, type: JobEventType): JobEvent => ({
  type,
  subject: id,
  crew,
  data: { loop_id: id, state, iteration, ...defined({ reason: shown(reason) }) },
});
