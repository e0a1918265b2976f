import { expect, test } from 'vitest';
import { decodeState } from '../../../src/agents/claude/state-file.ts';

const file = (fields: object) =>
  JSON.stringify({ pid: 7, procStart: '99', sessionId: 's', tmux: 'crew:@1.%12', statusUpdatedAt: 5, ...fields });

test('a state file tells who it is of', () => {
  expect(decodeState(file({ status: 'idle' }))).toEqual({
    pid: 7,
    processStart: '99',
    agentSessionId: 's',
    paneId: '%12',
    signal: { from: 'agent', kind: 'state', at: 5, status: 'idle', detail: 'idle' },
  });
});

test.each<[string, string | undefined, object]>([
  ['busy', undefined, { status: 'busy' }],
  ['shell', undefined, { status: 'background' }],
  ['dreaming', undefined, { status: 'unknown', detail: 'dreaming' }],
  [
    'waiting',
    'permission prompt',
    { status: 'waiting', waitingFor: 'permission', detail: 'waiting: permission prompt' },
  ],
  ['waiting', 'sandbox request', { status: 'waiting', waitingFor: 'permission', withoutHook: true }],
  ['waiting', 'input needed', { status: 'waiting', waitingFor: 'question' }],
  ['waiting', 'dialog open', { status: 'waiting', waitingFor: 'dialog' }],
  ['waiting', 'something new', { status: 'waiting', waitingFor: 'dialog' }],
  ['waiting', undefined, { status: 'waiting', waitingFor: 'dialog' }],
])('%s %s', (status, waitingFor, signal) => {
  expect(decodeState(file({ status, waitingFor }))?.signal).toMatchObject(signal);
});

test.each(['', '{"pid":7', '{"pid":7}', '{"pid":-1,"status":"idle","statusUpdatedAt":1}', 'null'])(
  '%j is no state',
  (text) => {
    expect(decodeState(text)).toBeUndefined();
  },
);
