// What verbs speak: a shape of the border with our own names in camelCase. Pure.
import { z } from 'zod';
import { isFields } from '../model/json.ts';

type CamelName<Name> = Name extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<CamelName<Rest>>}` : Name;

type Camel<T> = T extends readonly (infer Item)[]
  ? readonly Camel<Item>[]
  : T extends object
    ? { readonly [K in keyof T as string extends keyof T ? K : CamelName<K>]: Camel<T[K]> }
    : T;

/** The type of a shape as verbs speak it, readonly at every depth. The keys of a map are its caller's, and stay. */
export type Spoken<Schema extends z.ZodType> = Camel<z.output<Schema>>;

/** What a caller sent, once it is checked, as verbs speak it. */
export function inward<Schema extends z.ZodType>(schema: Schema, value: z.output<Schema>): Spoken<Schema>;
export function inward(schema: z.ZodType, value: unknown): unknown {
  return renamed(schema, value, camelName);
}

/** What a verb says, as callers read it. */
export function outward<Schema extends z.ZodType>(schema: Schema, value: Spoken<Schema>): z.output<Schema>;
export function outward(schema: z.ZodType, value: unknown): unknown {
  return renamed(schema, value, (name) => name);
}

const camelName = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
const wireName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Walks value and schema together; a field gets its name by the one that the schema has for it. */
function renamed(schema: unknown, value: unknown, nameFor: (name: string) => string): unknown {
  const walk = (part: unknown, held: unknown) => renamed(part, held, nameFor);
  if (schema instanceof z.ZodPipe) return walk(schema.in, value);
  if (wraps(schema)) return walk(schema.unwrap(), value);
  if (schema instanceof z.ZodUnion) return schema.options.reduce<unknown>((held, one) => walk(one, held), value);
  if (schema instanceof z.ZodArray && Array.isArray(value)) return value.map((item) => walk(schema.element, item));
  if (!isFields(value)) return value;
  const entries = Object.entries(value);
  if (schema instanceof z.ZodRecord)
    return Object.fromEntries(entries.map(([key, held]) => [key, walk(schema.valueType, held)]));
  if (!(schema instanceof z.ZodObject)) return value;
  const field = ([key, held]: readonly [string, unknown]) => {
    const name = Object.hasOwn(schema.shape, key) ? key : wireName(key);
    return Object.hasOwn(schema.shape, name) ? [nameFor(name), walk(schema.shape[name], held)] : [key, held];
  };
  return Object.fromEntries(entries.map(field));
}

const wraps = (schema: unknown) =>
  schema instanceof z.ZodOptional ||
  schema instanceof z.ZodExactOptional ||
  schema instanceof z.ZodDefault ||
  schema instanceof z.ZodNullable ||
  schema instanceof z.ZodReadonly;
