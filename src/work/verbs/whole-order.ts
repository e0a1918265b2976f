// The order of a plan with its name and jobs, whether somebody has given them or a template makes them. Pure.
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { nameOfGoal } from '../../model/goal-name.ts';
import type { Plan } from '../../model/task.ts';
import type { CreatePlanRequest, JobRequest } from '../../wire/plans.ts';
import { fill } from '../templates/fill.ts';
import { chooseTemplate, type KnownTemplates } from '../templates/known.ts';

export interface WholeOrder {
  readonly name: string;
  readonly jobs: readonly JobRequest[];
  readonly from: Pick<Plan, 'template'>;
  readonly warnings: readonly string[];
  /** There are no jobs yet: a planner makes them of the goal. */
  readonly isPlanned?: true;
}

type Asked = Pick<CreatePlanRequest, 'name' | 'jobs' | 'goal' | 'template' | 'params' | 'steps'>;

/** `known` is asked for a template alone. Throws `invalid_argument`. */
export async function wholeOrder(order: Asked, known: () => Promise<KnownTemplates>): Promise<WholeOrder> {
  const { name, jobs, goal, template: asked, params, steps } = order;
  if (asked === undefined) {
    refuse(params !== undefined || steps !== undefined, 'params and steps are for a template', 'Leave them out.');
    if (jobs === undefined) return planned(name, goal);
    if (name === undefined) throw wrong('name is missing', 'Pass a name; a template or a goal alone has one.');
    return { name, jobs, from: {}, warnings: [] };
  }
  refuse(jobs !== undefined, 'jobs and template are given, and they exclude each other', 'Pass one of them.');
  const { template, sha256, warnings } = chooseTemplate(await known(), asked);
  return {
    name: name ?? template.name,
    jobs: fill(template, defined({ goal, params, steps })),
    from: { template: { name: template.name, sha256 } },
    warnings,
  };
}

const longestGoal = 20_000;

function planned(name: string | undefined, goal: string | undefined): WholeOrder {
  if (goal === undefined) {
    throw wrong('Neither jobs nor a template is given', 'Pass jobs, a template and a goal, or a goal alone.');
  }
  refuse(goal.trim() === '', 'goal is empty', 'Say what the plan is for.');
  refuseLongGoal(goal);
  return { name: name ?? nameOfGoal(goal), jobs: [], from: {}, warnings: [], isPlanned: true };
}

/** Throws for one that no planner takes. */
export function refuseLongGoal(goal: string): void {
  const { length } = [...goal];
  refuse(
    length > longestGoal,
    `goal has ${length} characters, and a planner takes ${longestGoal}`,
    'Put the rest into a file of the repository, and name the file.',
  );
}

const wrong = (what: string, hint: string): CrewError => new CrewError('invalid_argument', `${what}.`, hint);

function refuse(isWrong: boolean, what: string, hint: string): void {
  if (isWrong) throw wrong(what, hint);
}
