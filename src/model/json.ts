// JSON of unknown form, read without a schema library: for programs that have no time to load one.

export type Fields = Readonly<Record<string, unknown>>;

/** Undefined for what is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const wordOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The object a text holds; empty for anything else. */
export const fieldsIn = (text: string): Fields => fieldsOf(parseJson(text));
