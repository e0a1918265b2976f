// Makes the jobs of a plan from a template: each place is filled once, and what fills it is text. Pure.
import { CrewError } from '../../model/errors.ts';
import { nearest } from '../../model/nearest.ts';
import { type JobRequest, job } from '../../wire/plans.ts';
import { outward } from '../../wire/spoken.ts';
import { goalName, placeholder, placeholdersIn, type Template, textsOf } from './template.ts';

export interface Filling {
  readonly goal?: string;
  readonly params?: Readonly<Record<string, string>>;
  /** Text for the end of a job's prompt, by the job's name. */
  readonly steps?: Readonly<Record<string, string>>;
}

/** Throws `invalid_argument` with what the template takes. */
export function fill(template: Template, filling: Filling): readonly JobRequest[] {
  const { goal, steps = {} } = filling;
  const given = new Map(Object.entries(filling.params ?? {}));
  refuseUnknown(template, { params: [...given.keys()], steps: Object.keys(steps) });
  refuseMissing(template, { goal, given });
  const values = new Map([...template.params].map(([name, param]) => [name, given.get(name) ?? param.default ?? '']));
  if (goal !== undefined) values.set(goalName, goal);
  const filled = (text: string): string =>
    text.replace(placeholder, (whole, name: string) => values.get(name) ?? whole);
  return template.jobs.map((one) => {
    const step = Object.hasOwn(steps, one.name) ? `\n\n${steps[one.name]}` : '';
    const { acceptanceCriteria: criteria } = one;
    const made = {
      ...{ ...one, prompt: `${filled(one.prompt)}${step}` },
      ...(criteria !== undefined && { acceptanceCriteria: filled(criteria) }),
    };
    refuseBadJob(template, made);
    return made;
  });
}

const refuse = (message: string, hint: string): never => {
  throw new CrewError('invalid_argument', message, hint);
};

/** What it takes, in a sentence. */
export function takes({ params, jobs }: Template): string {
  const words = [...params].map(([name, { description, required, default: value }]) => {
    const how = required
      ? 'required'
      : value === undefined
        ? 'may be left out'
        : `${JSON.stringify(value)} unless given`;
    return `${name} (${how}): ${description.replace(/\.$/, '')}`;
  });
  const goal = jobs.flatMap(textsOf).flatMap(placeholdersIn).includes(goalName) ? 'It needs a goal. ' : '';
  return `${goal}${words.length === 0 ? 'It has no params.' : `Its params: ${words.join('; ')}.`}`;
}

function refuseUnknown(
  template: Template,
  asked: { readonly params: readonly string[]; readonly steps: readonly string[] },
) {
  const { name, params, jobs } = template;
  const check = (words: readonly string[], known: readonly string[], what: string, list: string) => {
    const odd = words.filter((word) => !known.includes(word));
    const [first] = odd;
    if (first === undefined) return;
    const close = nearest(first, known);
    refuse(
      `The template ${name} has no ${what} ${odd.map((one) => JSON.stringify(one.slice(0, 100))).join(', ')}.`,
      `${close === undefined ? '' : `Did you mean "${close}"? `}${list}`,
    );
  };
  const names = jobs.map((one) => one.name);
  check(asked.params, [...params.keys()], 'parameter', takes(template));
  check(asked.steps, names, 'job', `Its jobs: ${names.join(', ')}.`);
}

function refuseMissing(
  template: Template,
  { goal, given }: { readonly goal: string | undefined; readonly given: ReadonlyMap<string, string> },
): void {
  const { name, params, jobs } = template;
  const isBlank = (value: string | undefined) => value === undefined || value.trim() === '';
  const needsGoal = jobs.flatMap(textsOf).flatMap(placeholdersIn).includes(goalName);
  const missing = [
    ...(needsGoal && isBlank(goal) ? [goalName] : []),
    ...[...params].flatMap(([one, { required }]) => (required && isBlank(given.get(one)) ? [one] : [])),
  ];
  if (missing.length > 0) refuse(`The template ${name} needs ${missing.join(', ')}.`, takes(template));
}

function refuseBadJob({ name }: Template, made: JobRequest): void {
  const [issue] = job.safeParse(outward(job, made)).error?.issues ?? [];
  if (issue === undefined) return;
  refuse(
    `The job ${made.name} of the template ${name} cannot be so: ${issue.path.join('.')}: ${issue.message}.`,
    'Give a shorter goal, params or steps.',
  );
}
