// JSON of unknown form, looked at without a schema library: where one is too dear to start.
import { parseJson } from './json.ts';

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const wordOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The object a text holds; empty for anything else. */
export const fieldsIn = (text: string): Fields => fieldsOf(parseJson(text));
