// A task of the book as callers see it.
import { isoTime } from '../model/clock.ts';
import { defined, unlessEmpty } from '../model/defined.ts';
import { bringsOf, type Task, type WorkerName } from '../model/task.ts';
import { shownAsked } from '../model/task-asked.ts';
import { stateOf } from '../model/task-progress.ts';
import { hasEnded, holdOf } from '../model/task-state.ts';
import type { TaskView } from './tasks.ts';

export interface TaskAround {
  /** The name of a job in the same plan, by its id. */
  readonly names: (id: string) => string | undefined;
  /** The exact calls that are worth making now. */
  readonly nextCalls: readonly string[];
  /** Percent, as its worker reported last. */
  readonly progress?: number | undefined;
}

/** Without the fields that say nothing: false, empty, none yet. Pure. */
export function taskView(task: Task, { names, nextCalls, progress }: TaskAround): TaskView {
  const isJob = task.kind === 'job';
  return {
    taskId: task.id,
    ...(isJob ? { name: task.title } : { title: task.title }),
    state: stateOf(task),
    kind: task.kind,
    brings: bringsOf(task),
    priority: task.priority,
    dependsOn: task.dependsOn.map((id) => (isJob ? names(id) : undefined) ?? id),
    projectPath: task.project,
    attempts: task.attempt + (task.repeats ?? 0),
    evidence: evidenceOf(task),
    nextCalls,
    createdAt: isoTime(task.at),
    ...defined({ progress: hasEnded(task) ? undefined : progress }),
    ...askedFor(task),
    ...cameOfIt(task),
  };
}

const askedFor = (task: Task) =>
  defined({
    from: named(task.from),
    waitForMe: task.afterFrom ? (true as const) : undefined,
    held: task.isHeld && !hasEnded(task) ? (true as const) : undefined,
    files: unlessEmpty(task.files),
    touchSet: unlessEmpty(task.touchSet),
    acceptanceCriteria: task.acceptanceCriteria,
    tags: unlessEmpty(task.tags),
    ...shownAsked.parse(task),
    planId: task.planId ?? task.plansFor,
  });

const cameOfIt = (task: Task) =>
  defined({
    skipped: task.isSkipped ? (true as const) : undefined,
    worker: named(task.worker),
    branch: task.branch,
    bounces: task.bounces === 0 ? undefined : task.bounces,
    reason: task.reason ?? holdOf(task)?.words,
    artefacts: unlessEmpty(task.artefacts),
    startedAt: timeOf(task.startedAt),
    endedAt: timeOf(task.endedAt),
  });

const evidenceOf = ({ evidence: { claimed, commits, checkedAt, landedAt } }: Task): TaskView['evidence'] => ({
  claimed,
  commits,
  ...defined({ checkedAt, landedAt }),
});

const named = (worker: WorkerName | undefined) =>
  worker === undefined ? undefined : { sessionId: worker.id, name: worker.name };

const timeOf = (at: number | undefined): string | undefined => (at === undefined ? undefined : isoTime(at));
