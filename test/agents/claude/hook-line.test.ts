import { describe, expect, test } from 'vitest';
import { decodeHook } from '../../../src/agents/claude/hook-line.ts';

const at = 1_700_000_000_000;
const told = (hook_event_name: string, fields: object = {}) =>
  decodeHook(
    JSON.stringify({ at, payload: { hook_event_name, session_id: 's', transcript_path: '/t.jsonl', ...fields } }),
  );

describe('a hook', () => {
  test.each<[string, readonly unknown[], object]>([
    [
      'of a start',
      told('SessionStart', { source: 'startup' }),
      { kind: 'ready', reason: 'startup', agentSessionId: 's', transcriptPath: '/t.jsonl' },
    ],
    ['of a clear', told('SessionStart', { source: 'clear' }), { kind: 'ready', reason: 'clear', agentSessionId: 's' }],
    ['of a prompt', told('UserPromptSubmit', { prompt: 'hi' }), { kind: 'prompt', text: 'hi' }],
    [
      'of a tool',
      told('PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'x' } }),
      { kind: 'permission', waitingFor: 'permission', tool: 'Bash', input: { command: 'x' } },
    ],
    [
      'of a question',
      told('PermissionRequest', { tool_name: 'AskUserQuestion' }),
      { kind: 'permission', waitingFor: 'question' },
    ],
    [
      'of a plan',
      told('PermissionRequest', { tool_name: 'ExitPlanMode' }),
      { kind: 'permission', waitingFor: 'plan_approval' },
    ],
    [
      'of a stop',
      told('Stop', {
        background_tasks: [{ status: 'running' }, { status: 'completed' }, {}],
        last_assistant_message: 'done',
      }),
      { kind: 'stopped', backgroundTasks: 2, lastText: 'done' },
    ],
    [
      'of a failure',
      told('StopFailure', { error: 'server_error', last_assistant_message: 'API Error: 500' }),
      { kind: 'failed', error: 'API Error: 500', limit: false },
    ],
    ['of a limit', told('StopFailure', { error: 'rate_limit' }), { kind: 'failed', error: 'rate_limit', limit: true }],
    ['of an end', told('SessionEnd', { reason: 'clear' }), { kind: 'ended', reason: 'clear' }],
  ])('%s is told as it is', (_, signals, signal) => {
    expect(signals).toMatchObject([{ from: 'hook', at, ...signal }]);
  });

  test('after a compaction does not say that the agent is ready', () => {
    expect(told('SessionStart', { source: 'compact' })).toEqual([]);
  });

  test.each(['', '{', '[]', '{"at":1}', `{"at":"x","payload":{"hook_event_name":"Stop"}}`])(
    'that wrote %j says nothing',
    (line) => {
      expect(decodeHook(line)).toEqual([]);
    },
  );

  test('of another kind says nothing', () => {
    expect(told('PreCompact')).toEqual([]);
    expect(told('UserPromptSubmit', { prompt: 7 })).toEqual([]);
  });
});

describe('the permission mode of the conversation', () => {
  const prompt = (mode: string) => told('UserPromptSubmit', { prompt: 'hi', permission_mode: mode });
  const asked = { tool_name: 'Bash', permission_mode: 'default' };
  const ruled = (ruling: object) =>
    decodeHook(JSON.stringify({ at, payload: { hook_event_name: 'PermissionRequest', ...asked }, ruling }));
  const answered = { decision: 'answered', request_id: '1a2b3c4d', by: 'manager', answer: 'allow' };
  test.each<[string, readonly unknown[], object]>([
    ['is told by a prompt', prompt('acceptEdits'), { mode: 'acceptEdits' }],
    ['has the word of crewmux', prompt('default'), { mode: 'manual' }],
    ['is told by a stop', told('Stop', { permission_mode: 'plan' }), { mode: 'plan' }],
    ['is told by a request', told('PermissionRequest', asked), { mode: 'manual' }],
    ['is told by an answer that changes it', ruled({ ...answered, mode: 'acceptEdits' }), { mode: 'acceptEdits' }],
  ])('%s', (_, signals, fields) => {
    expect(signals).toMatchObject([fields]);
  });

  test.each<[string, readonly unknown[]]>([
    ['an agent behind it', told('PermissionRequest', { ...asked, agent_id: 'a' })],
    ['an answer, which comes long after the request', ruled(answered)],
    ['a hook that says nothing of it', told('Stop')],
  ])('is not told by %s', (_, signals) => {
    expect(signals).toMatchObject([{ from: 'hook' }]);
    expect(signals[0]).not.toHaveProperty('mode');
  });
});
