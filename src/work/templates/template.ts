// A template: jobs of a plan with places for a goal and for parameters. Pure.
import { z } from 'zod';
import { CrewError } from '../../model/errors.ts';
import { nearest } from '../../model/nearest.ts';
import { agentText } from '../../wire/parts.ts';
import { type JobRequest, job } from '../../wire/plans.ts';
import { inward } from '../../wire/spoken.ts';
import { refuseBadPlan } from '../judge/plan-graph.ts';

export interface Param {
  readonly description: string;
  readonly required: boolean;
  readonly default?: string;
}

export interface Template {
  readonly name: string;
  readonly description: string;
  readonly params: ReadonlyMap<string, Param>;
  readonly jobs: readonly JobRequest[];
}

/** Anything else between braces is text. */
export const placeholder = /\{\{[ \t]*([A-Za-z][\w-]{0,39})[ \t]*\}\}/g;
const paramName = /^[A-Za-z][\w-]{0,39}$/;
export const goalName = 'goal';

/** The words of a job that its worker reads. */
export const textsOf = ({ prompt, acceptanceCriteria = '' }: JobRequest): readonly string[] => [
  prompt,
  acceptanceCriteria,
];
export const placeholdersIn = (text: string): readonly string[] =>
  [...text.matchAll(placeholder)].map(([, name = '']) => name);

const oneLine = z.string().trim().min(1).max(1_000);

const param = z
  .strictObject({
    description: oneLine,
    required: z.boolean().default(false),
    default: z
      .union([agentText, z.number(), z.boolean()])
      .transform((value) => String(value))
      .exactOptional(),
  })
  .refine((one) => !(one.required && one.default !== undefined), 'it is required, so no default can count');

const fields = z.strictObject({
  name: oneLine,
  description: oneLine,
  params: z.record(z.string(), param).default({}),
  jobs: z.array(job).min(1).max(200),
});

export type ReadTemplate = { readonly template: Template } | { readonly fault: string };

/** What a file says, by whose name it is called; or why the whole of it is left aside. */
export function readTemplate(value: unknown, called: string): ReadTemplate {
  const read = fields.safeParse(withoutNull(value));
  if (!read.success) return { fault: faultIn(read.error) };
  const { name, description, params, jobs } = read.data;
  const template: Template = {
    ...{ name, description, params: new Map(Object.entries(params)) },
    jobs: jobs.map((one) => inward(job, one)),
  };
  const fault = nameFault(template, called) ?? placeFault(template) ?? graphFault(template);
  return fault === undefined ? { template } : { fault };
}

/** In YAML a key with nothing behind it is null. */
const withoutNull = (value: unknown): unknown => {
  const record = z.record(z.string(), z.unknown()).safeParse(value);
  return record.success ? Object.fromEntries(Object.entries(record.data).filter(([, held]) => held !== null)) : value;
};

function nameFault({ name, params }: Template, called: string): string | undefined {
  if (name !== called) return `its name is ${JSON.stringify(name)}, and its file is called "${called}.yaml"`;
  const odd = [...params.keys()].find((one) => !paramName.test(one));
  if (odd !== undefined) return `${JSON.stringify(odd)} cannot be the name of a parameter`;
  return params.has(goalName) ? '"goal" is no parameter: create_plan takes it by itself' : undefined;
}

function placeFault({ params, jobs }: Template): string | undefined {
  const known = [goalName, ...params.keys()];
  for (const one of jobs) {
    const odd = textsOf(one)
      .flatMap(placeholdersIn)
      .find((name) => !known.includes(name));
    if (odd === undefined) continue;
    const close = nearest(odd, known);
    return `the job "${one.name}" has {{${odd}}}, and no parameter is called so; ${close === undefined ? `known: ${known.join(', ')}` : `nearest: "${close}"`}`;
  }
  return undefined;
}

function graphFault({ jobs }: Template): string | undefined {
  try {
    refuseBadPlan(jobs);
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof CrewError)) throw thrown;
    return `${thrown.message} ${thrown.hint}`.replace(/\.$/, '');
  }
}

const keysAt: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(fields.shape),
  jobs: Object.keys(job.shape),
  params: ['description', 'required', 'default'],
};

function faultIn(error: z.ZodError): string {
  // A misspelt key is missed as well.
  const issue = error.issues.find(({ code }) => code === 'unrecognized_keys') ?? error.issues[0];
  const { path = [], message = 'it is not of the expected type' } = issue ?? {};
  const at = path.map(String).join('.');
  if (issue?.code === 'unrecognized_keys') {
    const [odd = ''] = issue.keys;
    const known = keysAt[String(path[0] ?? '')] ?? [];
    const close = nearest(odd, known);
    const words = close === undefined ? `known: ${known.join(', ')}` : `nearest: "${close}"`;
    return `${at === '' ? 'it' : `"${at}"`} has a key ${JSON.stringify(odd)}, and there is none; ${words}`;
  }
  return at === '' ? `it names no fields (${message})` : `"${at}" cannot be so: ${message}`;
}
