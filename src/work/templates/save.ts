// Makes a template of a plan that has ended well: its goal becomes a place, and all else stays as it was. Pure.
import { CrewError } from '../../model/errors.ts';
import type { Plan, Task } from '../../model/task.ts';
import { job } from '../../wire/plans.ts';
import { outward } from '../../wire/spoken.ts';
import { goalName, placeholder, readTemplate } from './template.ts';

export interface SavedTemplate {
  /** As its file says it. */
  readonly value: Readonly<Record<string, unknown>>;
  readonly asksForGoal: boolean;
}

/** Jobs that were left out of the plan are left out here. Throws `invalid_argument`. */
export function templateOf(
  { name, state, goal = '' }: Pick<Plan, 'name' | 'state' | 'goal'>,
  all: readonly Task[],
  called: string,
): SavedTemplate {
  if (state !== 'completed')
    throw new CrewError(
      'invalid_argument',
      `The plan ${name} is ${state}.`,
      'A template is made of a plan that is completed.',
    );
  const places = new Places(goal);
  const jobs = all.filter(({ isSkipped }) => !isSkipped);
  const saved = jobs.map((one) => savedJob(one, jobs, places));
  const params = Object.fromEntries(
    [...places.texts].map(([param, text]) => [param, { description: 'A text of the plan.', default: text }]),
  );
  const value = {
    ...{ name: called, description: `Saved from the plan ${JSON.stringify(name)}.` },
    ...(places.texts.size > 0 && { params }),
    jobs: saved,
  };
  const read = readTemplate(value, called);
  if ('fault' in read)
    throw new CrewError('invalid_argument', `The plan ${name} makes no template: ${read.fault}.`, 'Write it by hand.');
  return { value, asksForGoal: places.hasGoal };
}

function savedJob(task: Task, jobs: readonly Task[], places: Places): Readonly<Record<string, unknown>> {
  const { title: name, prompt, acceptanceCriteria: criteria, dependsOn } = task;
  const asked = outward(job, {
    ...task,
    ...{
      name,
      prompt: places.in(prompt),
      dependsOn: jobs.flatMap(({ id, title }) => (dependsOn.includes(id) ? title : [])),
    },
    ...(criteria !== undefined && { acceptanceCriteria: places.in(criteria) }),
  });
  const resting = new Map<string, unknown>(Object.entries(job.parse({ name, prompt })));
  const known = new Map<string, unknown>(Object.entries(asked));
  return Object.fromEntries(
    Object.keys(job.shape).flatMap((key) => {
      const held = known.get(key);
      const isOwn = key === 'name' || key === 'prompt' || JSON.stringify(held) !== JSON.stringify(resting.get(key));
      const isEmpty = held === undefined || (Array.isArray(held) && held.length === 0);
      return isEmpty || !isOwn ? [] : [[key, held]];
    }),
  );
}

/** What looks like a place in the texts of a plan becomes a parameter that is that text unless given. */
class Places {
  readonly texts = new Map<string, string>();
  hasGoal = false;
  readonly #goal: RegExp | undefined;

  constructor(goal: string) {
    const words = goal.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    this.#goal = goal.trim() === '' ? undefined : new RegExp(`(?<![\\p{L}\\p{N}_])${words}(?![\\p{L}\\p{N}_])`, 'u');
  }

  in(text: string): string {
    const pieces = this.#goal === undefined ? [text] : text.split(this.#goal);
    if (pieces.length > 1) this.hasGoal = true;
    const kept = pieces.map((piece) => piece.replace(placeholder, (whole, name: string) => this.#keep(whole, name)));
    return kept.join(`{{${goalName}}}`);
  }

  #keep(whole: string, name: string): string {
    let param = name === goalName ? `${name}_text` : name;
    while ((this.texts.get(param) ?? whole) !== whole) param += '_';
    this.texts.set(param, whole);
    return `{{${param}}}`;
  }
}
