// A tool as clients see it.
import { z } from 'zod';
import type { JsonSchema, Tool } from '../tools/tool.ts';
import type { ToolDescription } from './profile.ts';

export const describeTool = (tool: Omit<Tool, 'call'>): ToolDescription => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: tool.inputSchema(),
  outputSchema: oneLevel(tool),
  annotations: {
    readOnlyHint: tool.hints.readOnly,
    destructiveHint: tool.hints.destructive,
    idempotentHint: tool.hints.idempotent,
    openWorldHint: tool.hints.openWorld,
  },
  ...(tool.alwaysLoad ? { _meta: { 'anthropic/alwaysLoad': true } } : {}),
});

const whole = z.looseObject({
  properties: z.record(z.string(), z.unknown()),
  required: z.array(z.string()).default([]),
});

/** Each field that every answer has, with its type, open inside: whoever reads an answer sees what is in it. */
function oneLevel({ outputSchema, shed }: Pick<Tool, 'outputSchema' | 'shed'>): JsonSchema {
  const { properties, required } = whole.parse(outputSchema());
  const always = Object.entries(properties).filter(([name]) => required.includes(name));
  return {
    type: 'object',
    properties: Object.fromEntries(always.map(([name, field]) => [name, open(field)])),
    // An answer that would be too long goes without them.
    required: required.filter((name) => !shed.includes(name)),
  };
}

const field = z.looseObject({ anyOf: z.array(z.unknown()).optional(), oneOf: z.array(z.unknown()).optional() });

function open(schema: unknown): Readonly<Record<string, unknown>> {
  const { properties: _, required: __, items: ___, additionalProperties: ____, ...outside } = field.parse(schema);
  const { anyOf, oneOf = anyOf, ...rest } = outside;
  if (oneOf === undefined) return rest;
  // Forms that differ only inside have become one.
  const forms = new Map(oneOf.map(open).map((form) => [JSON.stringify(form), form]));
  return forms.size === 1 ? { ...rest, ...[...forms.values()][0] } : { ...rest, anyOf: [...forms.values()] };
}
