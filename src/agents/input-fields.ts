// Fields of a tool's input, read by hand: a hook does this on each request, and loading zod would take longest.

export type Fields = Readonly<Record<string, unknown>>;

/** Empty for what is no object. */
export const fieldsOf = (input: unknown): Fields => (isFields(input) ? input : {});

const isFields = (input: unknown): input is Fields =>
  typeof input === 'object' && input !== null && !Array.isArray(input);

export const textOf = (fields: Fields, name: string): string | undefined => {
  const held = fields[name];
  return typeof held === 'string' ? held : undefined;
};
