import { describe, expect, test } from 'vitest';
import { decodeLine } from '../../../src/agents/codex/rollout.ts';

const timestamp = '2030-01-01T00:00:00.000Z';
const at = Date.parse(timestamp);
const line = (type: string, payload: object) => decodeLine(JSON.stringify({ timestamp, ordinal: 1, type, payload }));
const event = (type: string, fields: object = {}) => line('event_msg', { type, ...fields });
const item = (type: string, fields: object) => event('item_completed', { item: { type, ...fields } });

describe('a turn', () => {
  test.each<[string, ReturnType<typeof decodeLine>, object]>([
    ['begins', event('task_started'), { kind: 'activity' }],
    ['ends well', event('task_complete', { last_agent_message: 'x' }), { kind: 'ended', how: 'completed' }],
    [
      'ends in an error',
      event('task_complete', { error: { message: 'no', codex_error_info: { http_connection_failed: {} } } }),
      { kind: 'ended', how: 'error', detail: 'no' },
    ],
    [
      'ends at a spent allowance',
      event('task_complete', { error: { message: 'spent', codex_error_info: 'usage_limit_exceeded' } }),
      { kind: 'ended', how: 'limit', detail: 'spent', ofAccount: true },
    ],
    ['is broken off', event('turn_aborted', { reason: 'interrupted' }), { kind: 'ended', how: 'interrupted' }],
  ])('%s', (_, { signals }, signal) => {
    expect(signals).toMatchObject([{ from: 'transcript', at, ...signal }]);
  });
});

describe('a spent allowance', () => {
  const spent = (message: string) =>
    event('task_complete', { error: { message, codex_error_info: 'usage_limit_exceeded' } }).signals;
  const local = (...when: [number, number, number, number, number]) => new Date(...when).getTime();

  test('is over at the time its words give, by the clock of this machine', () => {
    const words = 'You’ve hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro) or try again at ';
    expect(spent(`${words}Jan 22nd, 2030 4:39 PM.`)).toMatchObject([{ resetsAt: local(2030, 0, 22, 16, 39) }]);
    expect(spent('You’ve hit your usage limit. Try again later.')[0]).not.toHaveProperty('resetsAt');
  });

  test('is counted, as the longest of what is spent', () => {
    const limits = (primary: object | null, secondary: object | null) =>
      event('token_count', { info: null, rate_limits: { limit_id: 'codex', primary, secondary } }).signals;
    const full = { used_percent: 100, window_minutes: 300, resets_at: 1_900_000_000 };
    expect(limits(full, { ...full, resets_at: 1_900_000_500 })).toMatchObject([{ spentUntil: 1_900_000_500_000 }]);
    expect(limits(full, { ...full, used_percent: 99, resets_at: 1_900_000_500 })).toMatchObject([
      { kind: 'allowance', spentUntil: 1_900_000_000_000 },
    ]);
    expect(limits({ used_percent: 12.5, resets_at: 1 }, null)).toEqual([]);
    expect(event('token_count', { rate_limits: { primary: 'odd' } }).signals).toEqual([]);
    expect(event('token_count', { rate_limits: null }).signals).toEqual([]);
  });
});

describe('an item', () => {
  test('of a person is a prompt and a message', () => {
    expect(item('UserMessage', { content: [{ type: 'text', text: 'hi' }] })).toEqual({
      signals: [{ from: 'transcript', kind: 'prompt', at, text: 'hi', origin: 'person' }],
      entry: { role: 'user', content: 'hi', at },
    });
  });

  test('of the model is a message', () => {
    expect(item('AgentMessage', { content: [{ type: 'Text', text: 'yes' }] }).entry).toMatchObject({
      role: 'assistant',
      content: 'yes',
    });
  });

  test.each([
    ['without its shell', ['/bin/bash', '-lc', 'ls -l']],
    ['whole where there is none', ['ls', '-l']],
  ])('of a command that a person ran shows it %s, with what it printed', (_, command) => {
    const ran = { id: 'c', source: 'user_shell', command, aggregated_output: 'a\n' };
    expect(item('CommandExecution', ran)).toMatchObject({
      entry: { toolUses: [{ id: 'c', name: 'exec_command', input: 'ls -l' }] },
      toolResults: [{ id: 'c', output: 'a\n' }],
    });
  });

  test('of a call of the model is shown by the call alone', () => {
    for (const type of ['CommandExecution', 'FileChange', 'McpToolCall']) {
      expect(item(type, { source: 'unified_exec_startup' })).toEqual({ signals: [] });
    }
  });
});

test.each<[object, object]>([
  [
    { type: 'function_call', name: 'exec_command', arguments: '{"cmd":"ls"}' },
    { name: 'exec_command', input: '{"cmd":"ls"}' },
  ],
  [
    { type: 'function_call', name: 't', namespace: 'mcp__s', arguments: '{"a":1}' },
    { name: 's.t', input: '{"a":1}' },
  ],
  [
    { type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin' },
    { name: 'apply_patch', input: '*** Begin' },
  ],
  [
    { type: 'local_shell_call', action: { command: ['ls'] } },
    { name: 'local_shell', input: '{"command":["ls"]}' },
  ],
])('the call %j is a tool use', (call, use) => {
  expect(line('response_item', { ...call, call_id: 'c' }).entry?.toolUses).toEqual([{ id: 'c', ...use }]);
});

test.each([
  ['a text', 'one\ntwo'],
  [
    'parts',
    [
      { type: 'input_text', text: 'one' },
      { type: 'input_text', text: 'two' },
    ],
  ],
])('an output of %s answers its call', (_, output) => {
  const answer = line('response_item', { type: 'function_call_output', call_id: 'c', output });
  expect(answer.toolResults).toEqual([{ id: 'c', output: 'one\ntwo' }]);
});

describe('a failure', () => {
  const output = (text: unknown) =>
    line('response_item', { type: 'function_call_output', call_id: 'c', output: text }).toolResults?.[0]?.failure;
  const head = 'Chunk ID: d5be09\nWall time: 0.0000 seconds\n';

  test.each([
    [`${head}Process exited with code 3\nOriginal token count: 1\nOutput:\n\n  no  luck\nmore\n`, 'exit 3: no luck'],
    [`${head}Process exited with code -1\nOriginal token count: 0\nOutput:\n`, 'exit -1'],
    ['Exit code: 1\nWall time: 0.1 seconds\nOutput:\nno such file\n', 'exit 1: no such file'],
    ['Wall time: 0.4 seconds\naborted by user', 'aborted by user'],
    ['aborted by user after 0.3s', 'aborted by user after 0.3s'],
    ['apply_patch verification failed: no such line\nx', 'apply_patch verification failed: no such line'],
    [`Exit code: 1\nOutput:\n${'x'.repeat(300)}`, `exit 1: ${'x'.repeat(111)}…`],
  ])('of a call is the first line of %j', (text, failure) => {
    expect(output(text)).toBe(failure);
  });

  test.each([
    [`${head}Process exited with code 0\nOutput:\nProcess exited with code 1\n`],
    [`${head}Process running with session ID 25778\nOutput:\n`],
    ['Wall time: 0.1 seconds\nOutput:\nExit code: 1\n'],
    ['Plan updated'],
  ])('is nothing that %j tells', (text) => {
    expect(output(text)).toBeUndefined();
  });

  test('of a server stands in its item alone, by its error or its words', () => {
    const failed = (fields: object) => item('McpToolCall', { id: 'c', status: 'failed', ...fields });
    expect(failed({ error: { message: 'gone\naway' } })).toEqual({
      signals: [],
      toolResults: [{ id: 'c', output: 'gone\naway', failure: 'gone' }],
    });
    const result = { content: [{ type: 'text', text: 'no such issue' }] };
    expect(failed({ result }).toolResults).toMatchObject([{ failure: 'no such issue' }]);
    expect(item('McpToolCall', { id: 'c', status: 'completed', result })).toEqual({ signals: [] });
  });

  test("of a person's command has its status", () => {
    const ran = { id: 'c', source: 'user_shell', command: ['ls'], aggregated_output: 'no\n', exit_code: 2 };
    expect(item('CommandExecution', ran).toolResults).toMatchObject([{ failure: 'exit 2: no' }]);
  });
});

describe('a command that its sandbox keeps in', () => {
  const result = (code: number) =>
    line('response_item', {
      type: 'function_call_output',
      output: `Chunk ID: b3fe1c\nWall time: 0.5 seconds\nProcess exited with code ${code}\nOutput:\nx: Read-only file system\n`,
    }).signals;

  test('says so where it has failed, and only there', () => {
    expect(result(1)).toMatchObject([{ kind: 'activity', keptIn: expect.stringContaining('sandbox.allow_write') }]);
    expect(result(0)[0]).not.toHaveProperty('keptIn');
  });
});

describe('what runs behind a turn', () => {
  const head = 'Chunk ID: b3fe1c\nWall time: 0.5007 seconds\n';
  const result = (output: string) => line('response_item', { type: 'function_call_output', output }).signals;

  test('is told by the result that came before its end', () => {
    expect(result(`${head}Process running with session ID 59837\nOriginal token count: 0\nOutput:\n`)).toContainEqual({
      from: 'transcript',
      kind: 'background',
      id: '59837',
      runs: true,
      at,
    });
  });

  test('is not what the output of a program says', () => {
    expect(result(`${head}Process exited with code 0\nOutput:\nProcess running with session ID 1\n`)).toHaveLength(1);
  });

  test('ends with its command, which opens no turn', () => {
    expect(item('CommandExecution', { command: ['x'], process_id: '59837' }).signals).toEqual([
      { from: 'transcript', kind: 'background', id: '59837', runs: false, at },
    ]);
  });
});

test('a call and its result answer no open request', () => {
  for (const type of ['function_call', 'custom_tool_call', 'function_call_output', 'reasoning']) {
    expect(line('response_item', { type }).signals[0]).toMatchObject({ kind: 'activity', answers: false });
  }
});

test('what came from the cache is not counted as input, too', () => {
  const usage = { input_tokens: 1040, cached_input_tokens: 500, output_tokens: 20, reasoning_output_tokens: 15 };
  const counted = { at, messageId: 'r', inputTokens: 540, outputTokens: 20, cacheTokens: 500 };
  expect(line('token_usage_record', { response_id: 'r', usage }).usage).toEqual(counted);
  const written = { ...usage, cache_write_input_tokens: 40 };
  expect(line('token_usage_record', { response_id: 'r', usage: written }).usage).toEqual({
    ...{ ...counted, inputTokens: 500, cacheTokens: 540 },
    cacheWriteTokens: 40,
  });
});

test('a token count tells what is left of the context and how much of the allowance is used', () => {
  const info = { last_token_usage: { total_tokens: 25_000 }, model_context_window: 100_000 };
  const primary = { used_percent: 42, window_minutes: 300, resets_at: 1_900_000_000 };
  const secondary = { ...primary, used_percent: 104, window_minutes: 10_080 };
  const read = event('token_count', { info, rate_limits: { primary, secondary } });
  expect([read.contextLeft, read.limits]).toEqual([
    0.75,
    [
      { window: '5h', used: 0.42, resetsAt: 1_900_000_000_000 },
      { window: '7d', used: 1, resetsAt: 1_900_000_000_000 },
    ],
  ]);
  expect(event('token_count', { info: null, rate_limits: null })).toEqual({ signals: [] });
});

test.each([
  ['', 'no JSON'],
  ['{}', 'no type'],
  [JSON.stringify({ timestamp, type: 'event_msg', payload: { type: 'brand_new' } }), 'event_msg/brand_new'],
  [JSON.stringify({ timestamp, type: 'brand_new', payload: {} }), 'brand_new'],
])('%j is unknown and says so', (text, unknown) => {
  expect(decodeLine(text)).toEqual({ signals: [], unknown });
});
