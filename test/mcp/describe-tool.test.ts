import { expect, it } from 'vitest';
import { z } from 'zod';
import { describeTool } from '../../src/mcp/describe-tool.ts';
import { tools } from '../../src/tools/index.ts';
import { toolMaker } from '../../src/tools/tool.ts';
import { workerTools } from '../../src/tools/worker/index.ts';
import { list } from '../../src/wire/parts.ts';

const inner = z.object({ word: z.string() });
const tool = toolMaker<undefined>()({
  name: 'look',
  title: 'Look',
  description: 'Looks.',
  input: z.strictObject({}),
  output: z.object({
    mode: z.enum(['all', 'any']).describe('Which of them.'),
    count: z.number().exactOptional(),
    one: inner,
    maybe: inner.nullable(),
    either: z.discriminatedUnion('is', [
      z.object({ is: z.literal('a'), a: z.string() }),
      z.object({ is: z.literal('b'), b: z.number() }),
    ]),
    each: z.record(z.string(), inner),
    many: list(inner),
    spare: list(inner),
  }),
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  shed: ['spare', 'word'],
  handler: () => Promise.reject(new Error('nobody calls it')),
  text: () => '',
});

it('an answer is described by the fields that it always has, open inside, and asks for none that may be shed', () => {
  expect(describeTool(tool).outputSchema).toEqual({
    type: 'object',
    properties: {
      mode: { type: 'string', enum: ['all', 'any'], description: 'Which of them.' },
      one: { type: 'object' },
      maybe: { anyOf: [{ type: 'object' }, { type: 'null' }] },
      either: { type: 'object' },
      each: { type: 'object' },
      many: { type: 'array' },
      spare: { type: 'array' },
    },
    required: ['mode', 'one', 'maybe', 'either', 'each', 'many'],
  });
});

const answers = z.object({
  properties: z.record(z.string(), z.looseObject({ anyOf: z.array(z.object({})).optional() })),
});

it('no tool shows more of its answer than the fields', () => {
  const words = [...tools, ...workerTools].flatMap((one) =>
    Object.values(answers.parse(describeTool(one).outputSchema).properties)
      .flatMap((field) => [field, ...(field.anyOf ?? [])])
      .flatMap((field) => Object.keys(field)),
  );
  expect([...new Set(words)].sort()).toEqual(['anyOf', 'const', 'enum', 'type']);
});
