// What a tool is: a literal, and the one way to call it.
import { z } from 'zod';
import type { Crew, Run } from '../crew/api.ts';
import { type Answer, answer } from './answer.ts';
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
}

/** How long a wait may be for this client. */
export const waitMs = (timeoutSeconds: number, { maxWaitMs }: Call): number =>
  Math.min(timeoutSeconds * 1_000, maxWaitMs);

export interface ToolDefinition<S, Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
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
  handler(subject: S, args: z.output<Input>, call: Call): Promise<z.output<Output>>;
  /** The answer in a few lines, for people and for clients that show only text. */
  text(output: z.output<Output>): string;
}

/** A tool as the server sees it, whatever its types inside; what it acts on is the crew, or what a worker has of it. */
export interface Tool<S = Crew> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly hints: ToolHints;
  readonly alwaysLoad: boolean;
  readonly inputSchema: () => JsonSchema;
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

function makeTool<S, Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: ToolDefinition<S, Input, Output>,
): Tool<S> {
  const { name, title, description, hints, input, output, shed = [], alwaysLoad = false } = definition;
  return {
    name,
    title,
    description,
    hints,
    alwaysLoad,
    inputSchema: () => render(input, 'input'),
    outputSchema: () => render(output, 'output'),
    async call(open, args, call) {
      const checked = checkArguments(input, args);
      const value = await definition.handler(await open(), checked, call);
      return answer(value, { text: definition.text(value), shed });
    },
  };
}

/** Small on purpose, since a client pays for every character: what a reader can infer is left out. */
function render(schema: z.ZodObject, io: 'input' | 'output'): JsonSchema {
  const {
    $schema: _,
    type: __,
    ...rest
  } = z.toJSONSchema(schema, {
    io,
    reused: io === 'output' ? 'ref' : 'inline',
    override({ jsonSchema }) {
      // A later field of ours must not make a validating client refuse the whole answer.
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      delete jsonSchema.readOnly;
      if (jsonSchema.propertyNames !== undefined) delete jsonSchema.propertyNames;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.minLength === 1) delete jsonSchema.minLength;
      // Far above what anybody means; whoever exceeds it is told the bound.
      if (io === 'input') delete jsonSchema.maxLength;
    },
  });
  return { type: 'object', ...rest };
}
