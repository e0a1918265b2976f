import { describe, expect, test } from 'vitest';
import { decodeLine } from '../../../src/agents/claude/transcript.ts';

const at = Date.parse('2026-01-02T03:04:05.678Z');
const timestamp = new Date(at).toISOString();
const line = (fields: object) => JSON.stringify({ parentUuid: null, isSidechain: false, timestamp, ...fields });
const user = (content: unknown, more: object = {}) =>
  line({ type: 'user', message: { role: 'user', content }, ...more });
const said = (fields: object) => decodeLine(line(fields)).signals;

describe('a user line', () => {
  test('is a prompt of a person', () => {
    expect(decodeLine(user('hi', { origin: { kind: 'human' }, promptSource: 'typed' }))).toEqual({
      signals: [{ from: 'transcript', kind: 'prompt', text: 'hi', origin: 'person', at }],
      entry: { role: 'user', content: 'hi', at },
    });
  });

  test.each([
    ['a background task', user('<task-notification>\n…', { origin: { kind: 'task-notification' } })],
    ['a background task of an older version', user('<task-notification>\n…')],
    ['another agent', user('hello', { origin: { kind: 'peer' }, promptSource: 'system' })],
  ])('is a notice when it comes from %s', (_, text) => {
    expect(decodeLine(text).signals).toMatchObject([{ kind: 'prompt', origin: 'notice' }]);
  });

  test.each([
    ['a text', 'touch: x: Read-only file system'],
    ['blocks of text', [{ type: 'text', text: 'touch: x: Read-only file system' }]],
  ])('tells of a command that its sandbox keeps in, by %s, where it has failed', (_, content) => {
    const result = (is_error: boolean) => user([{ type: 'tool_result', tool_use_id: 't', is_error, content }]);
    expect(decodeLine(result(true)).signals).toMatchObject([
      { kind: 'activity', keptIn: expect.stringContaining('sandbox.allow_write') },
    ]);
    expect(decodeLine(result(false)).signals[0]).not.toHaveProperty('keptIn');
    expect(decodeLine(result(false)).toolResults).toEqual([{ id: 't', output: 'touch: x: Read-only file system' }]);
  });

  test.each([
    ['Exit code 1\nOn branch main\nnothing to commit', 'exit 1: On branch main'],
    ['Exit code 137', 'exit 137'],
    ['<tool_use_error>File does not exist.</tool_use_error>', 'File does not exist.'],
    ['', 'it failed'],
  ])('tells of the failure %j its first line', (content, failure) => {
    const result = (is_error: boolean) => user([{ type: 'tool_result', tool_use_id: 't', is_error, content }]);
    expect(decodeLine(result(true)).toolResults).toEqual([{ id: 't', output: content, failure }]);
    expect(decodeLine(result(false)).toolResults).toEqual([{ id: 't', output: content }]);
  });

  test.each([
    ['meta', user('Stop hook feedback:', { isMeta: true })],
    ['a summary', user('This session is being continued', { isCompactSummary: true })],
    ['a local command', user('<command-name>/compact</command-name>\n <command-message>compact</command-message>')],
    ['a command of the user', user('<command-message>hello</command-message>\n<command-name>/hello</command-name>')],
    ['its output', user('<local-command-stdout>ok</local-command-stdout>')],
    ['a shell line', user('<bash-input>ls</bash-input>')],
    ['its output', user('<bash-stdout>x</bash-stdout><bash-stderr></bash-stderr>')],
    ["a subagent's", user('hi', { isSidechain: true })],
  ])('opens no turn when it is %s', (_, text) => {
    expect(decodeLine(text)).not.toHaveProperty('unknown');
    expect(decodeLine(text).signals).toEqual([]);
  });

  test('shows a command as it was typed', () => {
    const text = '<command-name>/model</command-name>\n<command-args>sonnet</command-args>';
    expect(decodeLine(user(text)).entry?.content).toBe('/model sonnet');
    expect(decodeLine(user('<bash-input>ls</bash-input>')).entry?.content).toBe('!ls');
  });

  test('ends the turn when it says so itself, and not when a person types the same', () => {
    const words = '[Request interrupted by user]';
    expect(decodeLine(user([{ type: 'text', text: words }])).signals).toMatchObject([
      { kind: 'ended', how: 'interrupted' },
    ]);
    expect(decodeLine(user(words, { origin: { kind: 'human' } })).signals).toMatchObject([{ kind: 'prompt' }]);
  });
});

test('a cost that leaves out an unknown model is not told', () => {
  const cost = { type: 'cost-state', totalCostUSD: 0.5 };
  expect(decodeLine(line(cost)).costUsd).toBe(0.5);
  expect(decodeLine(line({ ...cost, hasUnknownModelCost: true }))).toEqual({ signals: [] });
});

describe('an assistant line', () => {
  const message = { id: 'm', model: 'opus', content: [{ type: 'text', text: 'hi' }] };

  test('counts the usage of its message', () => {
    const usage = { input_tokens: 1, output_tokens: 2, cache_creation_input_tokens: 3, cache_read_input_tokens: 4 };
    expect(decodeLine(line({ type: 'assistant', message: { ...message, usage } })).usage).toEqual({
      at,
      messageId: 'm',
      inputTokens: 1,
      outputTokens: 2,
      cacheTokens: 7,
      cacheWriteTokens: 3,
    });
  });

  test.each<[string, object, string]>([
    ['a plain error', { error: 'invalid_request', apiErrorStatus: 400 }, 'error'],
    ['a rate limit', { error: 'rate_limit', apiErrorStatus: 429 }, 'limit'],
    ['an empty account', { error: 'billing_error' }, 'limit'],
  ])('ends the turn with %s', (_, error, how) => {
    expect(said({ type: 'assistant', isApiErrorMessage: true, message, ...error })).toMatchObject([
      { kind: 'ended', how },
    ]);
  });

  test.each([
    "You've hit your session limit · resets 3pm",
    'You’ve reached your Fable limit',
    "You're out of usage credits",
    'Your org is out of usage · add funds to continue',
  ])('knows a limit by the words %j', (text) => {
    const content = [{ type: 'text', text }];
    expect(said({ type: 'assistant', isApiErrorMessage: true, message: { content } })).toMatchObject([
      { how: 'limit' },
    ]);
  });

  const quotaLimits = { status: 'rejected', resetsAt: 1_795_249_204 };
  test.each<[what: string, error: object, ofAccount: true | undefined]>([
    ['with status, kind and allowance is', { error: 'rate_limit', apiErrorStatus: 429, quotaLimits }, true],
    ['of the moment is not', { error: 'rate_limit', apiErrorStatus: 429 }, undefined],
    ['of another status is not', { error: 'rate_limit', apiErrorStatus: 529, quotaLimits }, undefined],
    ['of another kind is not', { error: 'billing_error', apiErrorStatus: 429, quotaLimits }, undefined],
  ])('a limit %s one of the account', (_, error, ofAccount) => {
    const content = [{ type: 'text', text: "You've hit your 5-hour limit" }];
    const [signal] = said({ type: 'assistant', isApiErrorMessage: true, message: { content }, ...error });
    expect(signal).toMatchObject({ how: 'limit' });
    expect(signal && 'ofAccount' in signal ? signal.ofAccount : undefined).toBe(ofAccount);
  });

  test('put in the mouth of the model says nothing', () => {
    expect(said({ type: 'assistant', message: { ...message, model: '<synthetic>' } })).toEqual([]);
  });

  test('without text or tools is activity and no entry', () => {
    const decoded = decodeLine(line({ type: 'assistant', message: { ...message, content: [{ type: 'thinking' }] } }));
    expect(decoded.signals).toMatchObject([{ kind: 'activity', detail: 'thinks' }]);
    expect(decoded.entry).toBeUndefined();
  });
});

describe('the end of a turn', () => {
  test('tells how many agents go on', () => {
    const ended = said({ type: 'system', subtype: 'turn_duration', pendingBackgroundAgentCount: 2 });
    expect(ended).toMatchObject([{ kind: 'ended', how: 'completed', backgroundTasks: 2 }]);
  });

  const hookInfos = [{ command: "true '#x'" }, { command: ": 'crewmux-stop:0badcafe'; exit 0" }];
  test.each<[string, object, boolean]>([
    ['ends with quiet hooks', {}, false],
    ['ends with a hook that failed', { hookErrors: ['boom'], failedHookErrorIndexes: [0] }, false],
    ['goes on when a hook objects', { hookErrors: ['do more'], failedHookErrorIndexes: [] }, true],
    ['goes on when a hook adds words', { hookAdditionalContext: ['more'] }, true],
    ['ends when a hook forbids to go on', { hookErrors: ['x'], preventedContinuation: true }, false],
  ])('%s', (_, fields, goesOn) => {
    const summary = { type: 'system', subtype: 'stop_hook_summary', hookInfos, ...fields };
    expect(said(summary)).toEqual([{ from: 'transcript', kind: 'stop-marker', goesOn, at }]);
  });

  test("the summary of somebody else's hooks is no marker", () => {
    expect(said({ type: 'system', subtype: 'stop_hook_summary', hookInfos: [{ command: 'true' }] })).toEqual([]);
  });
});

describe('queued prompts', () => {
  test.each<[string, object, object]>([
    ['enter', { operation: 'enqueue', content: 'x' }, { kind: 'enqueued', text: 'x' }],
    ['become a turn', { operation: 'dequeue' }, { kind: 'dequeued', absorbed: false }],
    [
      'join the turn',
      { operation: 'remove', content: 'x', reason: 'absorbed_mid_turn' },
      { kind: 'dequeued', text: 'x', absorbed: true },
    ],
    ['go back to the person', { operation: 'popAll', content: 'x' }, { kind: 'dequeued', text: 'x', absorbed: true }],
  ])('%s', (_, fields, signal) => {
    expect(said({ type: 'queue-operation', ...fields })).toMatchObject([signal]);
  });
});

describe('what is not understood', () => {
  test.each<[string, string, string]>([
    ['a torn line', '{"type":"user","mess', 'no JSON'],
    ['no object', '[1]', 'no type'],
    ['a new kind', line({ type: 'hologram' }), 'hologram'],
    ['a new kind of system line', line({ type: 'system', subtype: 'hologram' }), 'system'],
    ['a user line without a time', '{"type":"user","message":{"content":"x"}}', 'user'],
  ])('%s is unknown and says nothing', (_, text, unknown) => {
    expect(decodeLine(text)).toEqual({ signals: [], unknown });
  });
});

test('a large line that says nothing is not even parsed', () => {
  const big = line({
    attachment: { type: 'prompt_snapshot', systemPrompt: ['x'.repeat(300_000)] },
    type: 'attachment',
  });
  expect(decodeLine(big)).toEqual({ signals: [] });
  expect(decodeLine(big.slice(0, -1))).toEqual({ signals: [] });
});

test('a prompt of 300 KB is decoded', () => {
  expect(decodeLine(user('y "quoted"\n'.repeat(30_000))).entry?.content).toHaveLength(330_000);
});
