// Writes down what has become of a plan, and tells of it.
import type { Feed } from '../../crew/api.ts';
import type { Plan } from '../../model/task.ts';
import type { OpenBook } from '../../store/job-book.ts';
import { planEvent } from '../judge/events.ts';
import type { DriverStep } from '../judge/facts.ts';

export type PlanNote = Pick<Extract<DriverStep, { readonly do: 'note-plan' }>, 'set' | 'tasks' | 'tell'>;

export interface PlanNoting {
  readonly book: OpenBook;
  readonly crew: Pick<Feed, 'tell'>;
}

export async function notePlan({ book, crew }: PlanNoting, plan: Plan, { set, tasks = [], tell }: PlanNote) {
  await book.write({ plans: [{ id: plan.id, ...set }], tasks });
  const now = book.now().plans.get(plan.id);
  if (tell !== undefined && now !== undefined) await crew.tell([planEvent(now, tell)]);
}
