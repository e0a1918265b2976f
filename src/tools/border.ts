// The border guard: what a caller sent becomes what a tool expects, or an error it can act on.

import { z } from 'zod';
import { CrewError } from '../model/errors.ts';
import { parseJson } from '../model/json.ts';
import { nearest } from '../model/nearest.ts';
import { counted } from '../model/plural.ts';

type Path = readonly PropertyKey[];

/** Drops nulls of optional parameters, takes strings for what they mean, and checks the rest. Throws `unknown_parameter` or `invalid_argument`. */
export function checkArguments<Input extends z.ZodObject>(schema: Input, args: unknown): z.output<Input> {
  const cleaned = clean(schema, args ?? {}, []);
  const result = schema.safeParse(cleaned);
  if (result.success) return result.data;
  throw invalidArgument(result.error.issues, cleaned);
}

/** As `checkArguments`; what was left out stays out, and is not filled in. */
export function checkGiven<Input extends z.ZodObject>(
  schema: Input,
  given: Readonly<Record<string, unknown>>,
): z.output<Input> {
  const checked = checkArguments(schema, given);
  for (const name of Object.keys(checked)) if ((given[name] ?? null) === null) Reflect.deleteProperty(checked, name);
  return checked;
}

/** Walks value and schema together; what is no parameter of ours (`env`, `mcp_config`) stays untouched. */
function clean(schema: unknown, given: unknown, path: Path): unknown {
  const inner = unwrap(schema);
  const value = typeof given === 'string' ? meantBy(inner, given) : given;
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item, index) => clean(inner.element, item, [...path, index]));
  }
  const object = record.safeParse(value);
  if (!(inner instanceof z.ZodObject) || !object.success) return value;
  refuseUnknown(Object.keys(object.data), Object.keys(inner.shape), path);
  return Object.fromEntries(
    Object.entries(object.data)
      .filter(([name, held]) => held !== null || !isOptional(inner.shape[name]))
      .map(([name, held]) => [name, clean(inner.shape[name], held, [...path, name])]),
  );
}

/** What models mean by a string where something else is asked for: JSON, a number, or a list of one. Pure. */
function meantBy(schema: unknown, text: string): unknown {
  const isList = schema instanceof z.ZodArray;
  if (isList || schema instanceof z.ZodObject || schema instanceof z.ZodRecord) {
    const held = parseJson(text);
    if (isList ? Array.isArray(held) : record.safeParse(held).success) return held;
    return isList && unwrap(schema.element) instanceof z.ZodString && text !== '' ? [text] : text;
  }
  if (schema instanceof z.ZodUnion && schema.options.some((one) => one instanceof z.ZodArray)) {
    const held = parseJson(text);
    return Array.isArray(held) ? held : text;
  }
  if (schema instanceof z.ZodNumber && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (schema instanceof z.ZodBoolean && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

const record = z.record(z.string(), z.unknown());

const isOptional = (schema: unknown) => schema instanceof z.ZodExactOptional || schema instanceof z.ZodDefault;

function unwrap(schema: unknown): unknown {
  if (schema instanceof z.ZodPipe) return unwrap(schema.in);
  if (schema instanceof z.ZodExactOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodReadonly)
    return unwrap(schema.unwrap());
  return schema;
}

function refuseUnknown(given: readonly string[], known: readonly string[], path: Path): void {
  const unknown = given.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const where = path.length === 0 ? '' : ` of ${show(path)}`;
  const guesses = unknown.flatMap((name) => {
    const close = nearest(name, known);
    return close === undefined ? [] : [`Did you mean "${close}" for "${name}"?`];
  });
  throw new CrewError(
    'unknown_parameter',
    `Unknown parameter${unknown.length > 1 ? 's' : ''}${where}: ${unknown.map((name) => brief(name)).join(', ')}.`,
    [...guesses, known.length === 0 ? 'It takes no parameters.' : `Known parameters: ${known.join(', ')}.`].join(' '),
  );
}

function invalidArgument(issues: readonly z.core.$ZodIssue[], value: unknown): CrewError {
  const firsts = issues.filter((issue, at) => issues.findIndex((one) => show(one.path) === show(issue.path)) === at);
  const lines = firsts.slice(0, 5).map((issue) => complaint(issue, value));
  const left = firsts.length - lines.length;
  return new CrewError(
    'invalid_argument',
    lines.join(' ') + (left > 0 ? ` And ${left} more.` : ''),
    'Correct the named argument and call again.',
  );
}

function complaint(issue: z.core.$ZodIssue, value: unknown): string {
  const name = issue.path.length === 0 ? 'The arguments' : show(issue.path);
  const held = issue.path.reduce<unknown>(step, value);
  if (held === undefined) return `${name} is missing: ${expectation(issue)}.`;
  return `${name} is ${brief(held)}: ${expectation(issue)}.`;
}

const step = (held: unknown, key: PropertyKey): unknown => {
  if (Array.isArray(held)) return held[Number(key)];
  const object = record.safeParse(held);
  return object.success ? object.data[String(key)] : undefined;
};

function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${article(issue.expected)}`;
    case 'invalid_value':
      return `expected one of ${issue.values.map((choice) => JSON.stringify(choice)).join(', ')}`;
    case 'too_small':
      return `expected ${issue.inclusive === false ? 'more than' : 'at least'} ${sized(issue.origin, issue.minimum)}`;
    case 'too_big':
      return `expected at most ${sized(issue.origin, issue.maximum)}`;
    default:
      return issue.message;
  }
}

const article = (type: string) => {
  if (type === 'int') return 'a whole number';
  if (type === 'record') return 'an object';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
};

const units: Readonly<Record<string, string>> = { string: 'character', array: 'item' };

const sized = (origin: string, size: number | bigint): string =>
  units[origin] === undefined ? String(size) : counted(Number(size), units[origin]);

const show = (path: Path): string =>
  path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    return text === '' ? String(key) : `${text}.${String(key)}`;
  }, '');

/** A value as JSON, short enough for an error. */
function brief(value: unknown): string {
  const json = JSON.stringify(value) ?? String(value);
  return json.length <= 80 ? json : `${json.slice(0, 77)}... (${json.length} characters)`;
}
