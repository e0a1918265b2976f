import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { job } from '../../src/wire/plans.ts';
import { inward, outward, type Spoken } from '../../src/wire/spoken.ts';
import { spawnInput } from '../../src/wire/starting.ts';

const nested = z.object({
  session_id: z.string(),
  next_calls: z.array(z.object({ wait_seconds: z.number().exactOptional() })).readonly(),
  env: z.record(z.string(), z.string()),
  results: z.record(z.string(), z.object({ to_commit: z.string() })),
  mcp_config: z.record(z.string(), z.unknown()).transform((servers) => servers),
  input: z.unknown(),
  tool_use: z.object({ is_ok: z.boolean() }).nullable(),
  one_of: z.union([z.string(), z.object({ job_name: z.string() }), z.object({ job_names: z.array(z.string()) })]),
  at_most: z.number().default(1),
});

const wire: z.output<typeof nested> = {
  session_id: 'a_b',
  next_calls: [{ wait_seconds: 1 }, {}],
  env: { MY_KEY: 'my_value', my_key: 'b' },
  results: { first_one: { to_commit: 'c' } },
  mcp_config: { my_server: { env_vars: { a_b: 1 } } },
  input: { file_path: '/a_b' },
  tool_use: { is_ok: true },
  one_of: { job_names: ['a_b'] },
  at_most: 2,
};

const spoken: Spoken<typeof nested> = {
  sessionId: 'a_b',
  nextCalls: [{ waitSeconds: 1 }, {}],
  env: { MY_KEY: 'my_value', my_key: 'b' },
  results: { first_one: { toCommit: 'c' } },
  mcpConfig: { my_server: { env_vars: { a_b: 1 } } },
  input: { file_path: '/a_b' },
  toolUse: { isOk: true },
  oneOf: { jobNames: ['a_b'] },
  atMost: 2,
};

it('names of ours change at every depth; keys of maps, values and the unknown stay', () => {
  expect(inward(nested, wire)).toEqual(spoken);
  expect(JSON.stringify(outward(nested, spoken))).toBe(JSON.stringify(wire));
});

it('a request keeps the order of its fields, and what it left out stays out', () => {
  const asked = job.parse({ name: 'api', prompt: 'Write it.', max_cost_usd: 2 });
  expect(JSON.stringify(inward(job, asked))).toBe(
    '{"name":"api","prompt":"Write it.","priority":5,"maxCostUsd":2,"dependsOn":[],"touchSet":[]}',
  );
  expectTypeOf<Spoken<typeof job>>().toHaveProperty('maxCostUsd').toEqualTypeOf<number | undefined>();
});

it('a whole .mcp.json, and variables, come through as they were given', () => {
  const [worker] = inward(
    spawnInput,
    spawnInput.parse({
      workers: [{ mcp_config: { mcpServers: { my_server: { some_key: 1 } } }, env: { MY_VAR_NAME: 'x' } }],
    }),
  ).workers;
  expect(worker).toMatchObject({ mcpConfig: { my_server: { some_key: 1 } }, env: { MY_VAR_NAME: 'x' } });
});

const folder = new URL('../../src/wire/', import.meta.url);
const modules: readonly object[] = await Promise.all(
  readdirSync(folder).map((name): Promise<object> => import(new URL(name, folder).href)),
);
const shapes = modules.flatMap((one) =>
  Object.entries(one).flatMap(([name, schema]) => (schema instanceof z.ZodObject ? [{ name, schema }] : [])),
);

/** Of a map: with low lines, and with capital letters. */
const key = fc.stringMatching(/^K(_[a-z0-9]{1,3}|[A-Z]){1,2}$/);
const anything = fc.dictionary(key, fc.dictionary(key, fc.string()));

/** Values that look like the schema's, whatever its bounds. */
function valuesOf(schema: unknown): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodPipe) return valuesOf(schema.in);
  if (schema instanceof z.ZodNullable) return fc.option(valuesOf(schema.unwrap()));
  if (schema instanceof z.ZodUnion) return fc.oneof(...schema.options.map(valuesOf));
  if (schema instanceof z.ZodArray) return fc.array(valuesOf(schema.element), { maxLength: 2 });
  if (schema instanceof z.ZodRecord) return fc.dictionary(key, valuesOf(schema.valueType), { maxKeys: 3 });
  if (schema instanceof z.ZodObject) return fieldsLike(schema);
  if (schema instanceof z.ZodUnknown) return anything;
  return schema instanceof z.ZodType && 'unwrap' in schema && typeof schema.unwrap === 'function'
    ? valuesOf(schema.unwrap())
    : key;
}

function fieldsLike({ shape }: z.ZodObject): fc.Arbitrary<Record<string, unknown>> {
  const parts = Object.entries(shape).map(([name, part]): [string, fc.Arbitrary<unknown>] => [name, valuesOf(part)]);
  const requiredKeys = Object.keys(shape).filter((name) => !(shape[name] instanceof z.ZodExactOptional));
  return fc.record<Record<string, unknown>>(Object.fromEntries(parts), { requiredKeys, noNullPrototype: true });
}

it.each(shapes)('$name comes out as it went in, and no name of ours in between has a low line', ({ schema }) => {
  fc.assert(
    fc.property(fieldsLike(schema), (value) => {
      const within = inward(schema, value);
      expect(JSON.stringify(within)).not.toMatch(/"(?!K)\w*_\w*":/);
      expect(JSON.stringify(outward(schema, within))).toBe(JSON.stringify(value));
      expect(outward(schema, value)).toEqual(value);
    }),
    { numRuns: 10 },
  );
});
