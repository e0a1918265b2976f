import { expect, test } from 'vitest';
import { decodeHook } from '../../../src/agents/codex/hook-line.ts';

const at = 1_700_000_000_000;
const told = (hook_event_name: string, fields: object = {}) =>
  decodeHook(JSON.stringify({ at, payload: { hook_event_name, session_id: 's', ...fields } }));

test.each<[string, readonly unknown[], object]>([
  [
    'a start names conversation and file',
    told('SessionStart', { source: 'startup', transcript_path: '/t.jsonl' }),
    { kind: 'ready', reason: 'startup', agentSessionId: 's', transcriptPath: '/t.jsonl' },
  ],
  ['a start may have no file', told('SessionStart', { transcript_path: null }), { kind: 'ready', agentSessionId: 's' }],
  ['a prompt is told', told('UserPromptSubmit', { prompt: 'hi' }), { kind: 'prompt', text: 'hi' }],
  [
    'a request is told with its tool',
    told('PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'x' } }),
    { kind: 'permission', waitingFor: 'permission', tool: 'Bash', input: { command: 'x' } },
  ],
  ['an end is told', told('SessionEnd', { reason: 'other' }), { kind: 'ended', reason: 'other' }],
])('%s', (_, signals, signal) => {
  expect(signals).toMatchObject([{ from: 'hook', at, ...signal }]);
});

test.each<[string, readonly unknown[]]>([
  ['a start after a compaction', told('SessionStart', { source: 'compact' })],
  ['the end of a turn', told('Stop')],
  ['a prompt without words', told('UserPromptSubmit', { prompt: 7 })],
  ['a request without a tool', told('PermissionRequest')],
  ['half a line', decodeHook('{"at":1')],
])('%s says nothing', (_, signals) => {
  expect(signals).toEqual([]);
});
