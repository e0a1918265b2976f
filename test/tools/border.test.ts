import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CrewError } from '../../src/model/errors.ts';
import { checkArguments } from '../../src/tools/border.ts';
import { agentText, list } from '../../src/wire/parts.ts';

const schema = z.strictObject({
  workers: z
    .array(
      z.strictObject({
        name: z.string().max(5).exactOptional(),
        worktree: z.strictObject({ base: z.string().exactOptional() }).exactOptional(),
        env: z.record(z.string(), z.string()).exactOptional(),
        mcp_config: z.record(z.string(), z.unknown()).exactOptional(),
      }),
    )
    .min(1)
    .max(2),
  timeout: z.int().min(0).positive().max(10).default(6),
  mode: z.enum(['any', 'all']).default('all'),
  prompt: agentText.exactOptional(),
});

describe('null', () => {
  it('is an absent parameter at every depth, and a default is taken', () => {
    const args = { workers: [{ name: null, worktree: { base: null } }], timeout: null, prompt: null };
    expect(checkArguments(schema, args)).toEqual({ workers: [{ worktree: {} }], timeout: 6, mode: 'all' });
    expect(checkArguments(schema, { workers: [{ worktree: null }] }).workers).toEqual([{}]);
  });

  it('stays where the data is not ours', () => {
    const mcp_config = { server: { env: null } };
    expect(checkArguments(schema, { workers: [{ mcp_config }] }).workers).toEqual([{ mcp_config }]);
  });

  it('is refused where a value is required', () => {
    expect(() => checkArguments(schema, { workers: null })).toThrow('workers is null: expected an array.');
  });
});

const failing = (args: unknown) => {
  try {
    checkArguments(schema, args);
  } catch (thrown) {
    return thrown;
  }
  return undefined;
};

describe('an error', () => {
  const ok = [{ name: 'a' }];
  it.each([
    [
      { workers: ok, time_out: 3 },
      'Unknown parameter: "time_out".',
      'Did you mean "timeout" for "time_out"? Known parameters: workers, timeout, mode, prompt.',
    ],
    [
      { workers: ok, a: 1, b: null },
      'Unknown parameters: "a", "b".',
      'Known parameters: workers, timeout, mode, prompt.',
    ],
    [
      { workers: [{ wortree: {} }] },
      'Unknown parameter of workers[0]: "wortree".',
      'Did you mean "worktree" for "wortree"? Known parameters: name, worktree, env, mcp_config.',
    ],
    [
      { workers: [{ worktree: { bse: 'x' } }] },
      'Unknown parameter of workers[0].worktree: "bse".',
      'Did you mean "base" for "bse"? Known parameters: base.',
    ],
  ])('of %j is unknown_parameter with the list of known ones', (args, message, hint) => {
    expect(failing(args)).toMatchObject({ code: 'unknown_parameter', message, hint });
  });

  it.each([
    [{}, 'workers is missing: expected an array.'],
    [undefined, 'workers is missing: expected an array.'],
    [[], 'The arguments is []: expected an object.'],
    [{ workers: 'ada' }, 'workers is "ada": expected an array.'],
    [{ workers: [] }, 'workers is []: expected at least 1 item.'],
    [{ workers: [{ name: 'toolong' }] }, 'workers[0].name is "toolong": expected at most 5 characters.'],
    [{ workers: [{ env: { A: 1 } }] }, 'workers[0].env.A is 1: expected a string.'],
    [{ workers: ok, timeout: 'soon' }, 'timeout is "soon": expected a number.'],
    [{ workers: ok, timeout: 1.5 }, 'timeout is 1.5: expected a whole number.'],
    [{ workers: ok, timeout: 0 }, 'timeout is 0: expected more than 0.'],
    [{ workers: ok, timeout: 11 }, 'timeout is 11: expected at most 10.'],
    [{ workers: ok, mode: 'some' }, 'mode is "some": expected one of "any", "all".'],
  ])('of %j is invalid_argument with the value and what was expected', (args, message) => {
    expect(failing(args)).toMatchObject({ code: 'invalid_argument', message });
  });

  it('of a text that is too long names its bytes and repeats hardly any of it', () => {
    const error = failing({ workers: ok, prompt: 'ä'.repeat(60_001) });
    expect(error).toMatchObject({ code: 'invalid_argument', message: expect.stringContaining('120002 bytes') });
    expect(String(error).length).toBeLessThan(400);
    expect(failing({ workers: ok, prompt: 'ä'.repeat(60_000) })).toBeUndefined();
  });
});

describe('a string', () => {
  const lists = z.strictObject({
    ids: z.array(z.string()).exactOptional(),
    count: z.number().exactOptional(),
    force: z.boolean().exactOptional(),
    worker: z.strictObject({ name: z.string() }).exactOptional(),
    env: z.record(z.string(), z.string()).exactOptional(),
    workers: z.array(z.strictObject({ name: z.string() })).exactOptional(),
    paths: list(z.string()).exactOptional(),
    servers: z
      .record(z.string(), z.unknown())
      .transform((given) => given)
      .exactOptional(),
  });
  it.each([
    ['is a list of one', { ids: 'ada' }, { ids: ['ada'] }],
    ['is the list that it writes', { ids: '["ada","bruno"]' }, { ids: ['ada', 'bruno'] }],
    ['is the number that it writes', { count: '12' }, { count: 12 }],
    ['is yes or no', { force: 'true' }, { force: true }],
    ['is the object that it writes', { worker: '{"name":"ada"}' }, { worker: { name: 'ada' } }],
    ['is the variables that it writes', { env: '{"A":"1"}' }, { env: { A: '1' } }],
    ['is a list of one that nobody may change', { paths: 'src' }, { paths: ['src'] }],
    ['is the record that is taken apart later', { servers: '{"one":{}}' }, { servers: { one: {} } }],
    ['is the list of objects that it writes', { workers: '[{"name":"ada"}]' }, { workers: [{ name: 'ada' }] }],
  ])('%s', (_, given, meant) => expect(checkArguments(lists, given)).toEqual(meant));

  it.each([
    [{ ids: '' }],
    [{ count: 'twelve' }],
    [{ count: '1e3' }],
    [{ force: 'yes' }],
    [{ worker: 'ada' }],
    [{ worker: '["ada"]' }],
    [{ workers: 'ada' }],
    [{ worker: '{"nam":"ada"}' }],
  ])('is refused where it is none of these: %j', (given) => {
    expect(() => checkArguments(lists, given)).toThrow(CrewError);
  });
});
