// The task whose worker makes the jobs of a plan.
import type { Plan, Task } from '../../model/task.ts';
import { plannerPrompt } from '../judge/planner-words.ts';
import { aheadOf, restingTask } from './job-tasks.ts';

/** Whatever its role is made of here, it reads and changes nothing. */
const rights = { role: 'architect', preset: 'explore' } as const;

export const plannerAhead = { name: 'its planner', lands: false, ...aheadOf(rights) };

/** It stays open until the plan is approved, for the case that it is sent back. */
export const plannerTask = (
  id: string,
  plan: Pick<Plan, 'id' | 'name' | 'project' | 'crew' | 'base' | 'at' | 'goal' | 'testCommand' | 'loop'>,
  soFar: readonly string[] = [],
): Task => ({
  ...restingTask,
  ...rights,
  id,
  title: `Plan ${plan.name}`,
  prompt: plannerPrompt(plan, soFar),
  brings: 'report',
  keepWorker: true,
  plansFor: plan.id,
  ...{ project: plan.project, crew: plan.crew, at: plan.at, base: plan.base.sha },
});
