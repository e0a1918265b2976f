import { describe, expect, it } from 'vitest';
import { byScreen, byState, isReturnedPrompt } from '../../../src/crew/messages/preflight.ts';
import type { Signal } from '../../../src/model/turn.ts';
import { initialTurn, reduceTurn, type TurnState } from '../../../src/turn/reduce-turn.ts';

const heard = (...signals: readonly Signal[]): TurnState => signals.reduce(reduceTurn, initialTurn(1));
const ready: Signal = { from: 'hook', kind: 'ready', reason: 'startup', agentSessionId: 'u', at: 2 };
const state = (status: 'idle' | 'busy' | 'waiting', at = 3): Signal => ({
  from: 'agent',
  kind: 'state',
  status,
  detail: status,
  at,
});
const limit: Signal = { from: 'hook', kind: 'failed', error: 'limit', limit: true, at: 4 };
const prompt: Signal = { from: 'hook', kind: 'prompt', text: 'x', at: 3 };
const gone: Signal = { from: 'pane', kind: 'gone', detail: 'exit code 1', at: 9 };

const asks: Signal = {
  from: 'hook',
  kind: 'permission',
  waitingFor: 'permission',
  tool: 'Bash',
  input: { command: 'ls' },
  requestId: 'e0000001',
  at: 4,
};

it('before a request that a call can answer, the hint names it; before another dialog it names the pane', () => {
  const before = (now: TurnState) => byState(now, 'queue');
  expect(before(heard(ready, prompt, asks, state('waiting', 5)))).toMatchObject({
    may: 'hold',
    hint: { forModel: expect.stringMatching(/answer_worker .*"e0000001".* or in the pane/) },
  });
  expect(before(heard(ready, state('waiting')))).toMatchObject({
    hint: { forModel: expect.stringMatching(/^Nothing was typed. Answer it in the pane/) },
  });
});

describe('byState', () => {
  it.each([
    { title: 'types into an idle worker', now: heard(ready, state('idle')), delivery: 'queue', may: 'type' },
    { title: 'types into a working worker to queue', now: heard(ready, state('busy')), delivery: 'queue', may: 'type' },
    {
      title: 'ends the turn first when asked to interrupt',
      now: heard(ready, state('busy')),
      delivery: 'interrupt',
      may: 'interrupt-first',
    },
    { title: 'holds before a dialog', now: heard(ready, state('waiting')), delivery: 'interrupt', may: 'hold' },
    {
      title: 'types into a worker whose limit may have reset',
      now: heard(ready, prompt, limit, state('idle', 5)),
      delivery: 'queue',
      may: 'type',
    },
    { title: 'waits for a worker that starts', now: heard(), delivery: 'queue', may: 'wait' },
    { title: 'fails for a worker that is gone', now: heard(ready, gone), delivery: 'queue', may: 'fail' },
  ] as const)('$title', ({ now, delivery, may }) => {
    expect(byState(now, delivery).may).toBe(may);
  });
});

describe('byScreen', () => {
  const nobodys = (draft: string) => draft === 'returned';
  const dialog = { waitingFor: 'permission', title: 'Do you want to proceed?', text: '', options: [] } as const;

  it.each([
    { title: 'types into an empty box', reading: { draft: '' }, may: 'type' },
    { title: 'holds before a half-typed text', reading: { draft: 'fix the' }, may: 'hold' },
    { title: 'clears a prompt the agent itself put back', reading: { draft: 'returned' }, may: 'clear-first' },
    { title: 'waits while no box is in sight', reading: {}, may: 'wait' },
    { title: 'holds before a dialog even when a box is in sight', reading: { draft: '', dialog }, may: 'hold' },
  ] as const)('$title', ({ reading, may }) => {
    expect(byScreen(reading, nobodys).may).toBe(may);
  });

  it('quotes at most a line of the draft', () => {
    const verdict = byScreen({ draft: `a\n${'b'.repeat(500)}` }, nobodys);
    expect('reason' in verdict && verdict.reason.length).toBeLessThan(200);
  });
});

describe('isReturnedPrompt', () => {
  it.each([
    ['the same words wrapped by the box', 'do  this\nand that', 'do this and that', true],
    ['a prompt that was added to', 'do this and that, please', 'do this and that', false],
    ['any draft when no prompt is known', 'do this', undefined, false],
  ] as const)('%s', (_, draft, last, expected) => {
    expect(isReturnedPrompt(draft, last)).toBe(expected);
  });
});
