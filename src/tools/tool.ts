// What a tool is: a literal, and the one way to call it.
import { z } from 'zod';
import type { Crew, Run } from '../crew/api.ts';
import { defined } from '../model/defined.ts';
import { CrewError } from '../model/errors.ts';
import type { ToolSet } from '../model/tool-set.ts';
import { inward, outward, type Spoken } from '../wire/spoken.ts';
import { type Answer, answer, type LongList } from './answer.ts';
import { checkArguments } from './border.ts';

export interface ToolHints {
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly idempotent: boolean;
  readonly openWorld: boolean;
}

/** What a call knows of its caller. */
export interface Call extends Run {
  /** The client's first root, where it has told one. */
  readonly here?: string;
  /** The longest this client waits for one answer. */
  readonly maxWaitMs: number;
  /** Its session is woken when something needs it, so that it need not wait. */
  readonly wakes?: boolean;
}

/** How long a wait may be for this client. */
export const waitMs = (timeoutSeconds: number, { maxWaitMs }: Call): number =>
  Math.min(timeoutSeconds * 1_000, maxWaitMs);

export interface ToolDefinition<S, Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  /** Each tool of a manager is in one; those of a worker are in none, and always there. */
  readonly set?: ToolSet;
  readonly title: string;
  /** When to use it, when another, what it will not do. */
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  readonly hints: ToolHints;
  /** Shown to the model from the start instead of after a search. */
  readonly alwaysLoad?: boolean;
  /** Fields to drop, in this order, from an answer that would be too long. */
  readonly shed?: readonly string[];
  /** The list that loses its end where the answer would be too long. */
  readonly long?: LongList;
  handler(subject: S, args: z.output<Input>, call: Call): Promise<z.output<Output>>;
  /** Hears of arguments that do not fit; the call ends with what it throws, else with what does not fit. */
  unfit?(subject: S, error: CrewError, call: Call): Promise<void>;
  /** The answer in a few lines, for people and for clients that show only text. */
  text(output: z.output<Output>): string;
}

/** A tool as the server sees it, whatever its types inside; what it acts on is the crew, or what a worker has of it. */
export interface Tool<S = Crew> {
  readonly name: string;
  readonly set: ToolSet | undefined;
  readonly title: string;
  readonly description: string;
  readonly hints: ToolHints;
  readonly alwaysLoad: boolean;
  readonly shed: readonly string[];
  readonly inputSchema: () => JsonSchema;
  /** Of the whole answer, at every depth; clients see less of it. */
  readonly outputSchema: () => JsonSchema;
  /** Checks the arguments, does the work and answers within bounds. Throws `CrewError` or what the crew throws. */
  call(open: () => Promise<S>, args: unknown, call: Call): Promise<Answer>;
}

export type JsonSchema = { readonly type: 'object' } & Readonly<Record<string, unknown>>;

/** Makes a tool of its definition; schemas are rendered when first asked for. */
export const toolMaker =
  <S>() =>
  <Input extends z.ZodObject, Output extends z.ZodObject>(definition: ToolDefinition<S, Input, Output>): Tool<S> =>
    makeTool(definition);

export const defineTool = toolMaker<Crew>();

/** What its handler gets and gives has the names that verbs speak; its text is made of the answer as callers read it. */
export interface SpokenDefinition<S, Input extends z.ZodObject, Output extends z.ZodObject>
  extends Omit<ToolDefinition<S, Input, Output>, 'handler'> {
  handler(subject: S, args: Spoken<Input>, call: Call): Promise<Spoken<Output>>;
}

/** Makes a tool over verbs that speak camelCase. */
export const spokenToolMaker =
  <S>() =>
  <Input extends z.ZodObject, Output extends z.ZodObject>(definition: SpokenDefinition<S, Input, Output>): Tool<S> =>
    makeTool({
      ...definition,
      async handler(subject, args, call) {
        const { input, output } = definition;
        return outward(output, await definition.handler(subject, inward(input, args), call));
      },
    });

/** The tool on this subject, whether another can be opened or not. */
export const on = <S>(subject: S, tool: Tool<S>): Tool<unknown> => ({
  ...tool,
  call: (_, args, call) => tool.call(async () => subject, args, call),
});

function makeTool<S, Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: ToolDefinition<S, Input, Output>,
): Tool<S> {
  const { name, set, title, description, hints, input, output, shed = [], long, alwaysLoad = false } = definition;
  return {
    name,
    set,
    title,
    description,
    hints,
    alwaysLoad,
    shed,
    inputSchema: () => render(input, 'input'),
    outputSchema: () => render(output, 'output'),
    async call(open, args, call) {
      const checked = await fitting(args, { definition, open, call });
      const value = await definition.handler(await open(), checked, call);
      return answer(value, { text: definition.text(value), shed, ...defined({ long, by: call.by }) });
    },
  };
}

async function fitting<S, Input extends z.ZodObject, Output extends z.ZodObject>(
  args: unknown,
  { definition, open, call }: Called<S, Input, Output>,
): Promise<z.output<Input>> {
  try {
    return checkArguments(definition.input, args);
  } catch (thrown) {
    if (thrown instanceof CrewError) await definition.unfit?.(await open(), thrown, call);
    throw thrown;
  }
}

interface Called<S, Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly definition: ToolDefinition<S, Input, Output>;
  readonly open: () => Promise<S>;
  readonly call: Call;
}

const unusualItems = 20;
const unusualNumber = 1_000;

/** What another tool shows in full; it is checked all the same. */
function shorten(schema: Record<string, unknown>): void {
  for (const part of ['brief', 'properties', 'required', 'additionalProperties']) delete schema[part];
}

/** Takes away what a caller does not need to know beforehand: whoever errs in it is told the bound, or the known names. */
function lighten(schema: z.core.JSONSchema.BaseSchema): void {
  if (isOpenOrClosed(schema.additionalProperties)) delete schema.additionalProperties;
  if (schema.default === false) delete schema.default;
  for (const bound of ['maxLength', 'minItems', 'exclusiveMinimum']) delete schema[bound];
  if ((schema.minimum ?? 2) <= 1) delete schema.minimum;
  if ((schema.maximum ?? 0) >= unusualNumber) delete schema.maximum;
  if ((schema.maxItems ?? 0) >= unusualItems) delete schema.maxItems;
}

/** It says nothing of the values. */
const isOpenOrClosed = (schema: unknown): boolean =>
  schema === false || (typeof schema === 'object' && schema !== null && Object.keys(schema).length === 0);

/** Small on purpose, since a client pays for every character: what a reader can infer is left out. */
function render(schema: z.ZodObject, io: 'input' | 'output'): JsonSchema {
  const {
    $schema: _,
    type: __,
    ...rest
  } = z.toJSONSchema(schema, {
    io,
    override({ jsonSchema }) {
      // A later field of ours must not make a validating client refuse the whole answer.
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      delete jsonSchema.readOnly;
      if (jsonSchema.propertyNames !== undefined) delete jsonSchema.propertyNames;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.minLength === 1) delete jsonSchema.minLength;
      if (Array.isArray(jsonSchema.default) && jsonSchema.default.length === 0) delete jsonSchema.default;
      if (io === 'input') lighten(jsonSchema);
      if (jsonSchema.brief === true) shorten(jsonSchema);
    },
  });
  return { type: 'object', ...rest };
}
