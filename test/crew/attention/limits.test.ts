import { describe, expect, test } from 'vitest';
import { goOnSuggestions } from '../../../src/crew/attention/answer-calls.ts';
import { type Limited, nextResume } from '../../../src/crew/attention/limits.ts';
import type { AttentionView, LimitView } from '../../../src/wire/attention.ts';

const minute = 60_000;
const stopped = (change: Partial<Limited> = {}): Limited => ({
  workerId: 'ada',
  account: 'claude',
  stoppedAt: 1_000_000,
  resetsAt: 100 * minute + 5_000,
  goesOn: false,
  ...change,
});
const due = (limited: readonly Limited[], last = 0) => {
  const next = nextResume(limited, last);
  return next && [next.workerId, next.dueAt];
};

describe('after a limit', () => {
  test.each<[what: string, limited: readonly Limited[], last: number, due: readonly [string, number] | undefined]>([
    ['nobody goes on where nobody was stopped', [], 0, undefined],
    ['a worker goes on ten seconds after the reset', [stopped()], 0, ['ada', 100 * minute + 15_000]],
    [
      'a time that words may have rounded is taken a minute later',
      [stopped({ resetsAt: 100 * minute })],
      0,
      ['ada', 101 * minute + 10_000],
    ],
    [
      'an agent that goes on by itself is given three minutes for it',
      [stopped({ goesOn: true })],
      0,
      ['ada', 103 * minute + 5_000],
    ],
    [
      'the next one goes on five seconds after the one before',
      [stopped()],
      100 * minute + 20_000,
      ['ada', 100 * minute + 25_000],
    ],
    [
      'the first to be over goes first',
      [stopped({ workerId: 'bea', account: 'other', resetsAt: 90 * minute + 1 }), stopped()],
      0,
      ['bea', 90 * minute + 10_001],
    ],
    ['a reset before the stop is none', [stopped({ resetsAt: 1_000_000 })], 0, undefined],
    [
      'a later stop counts for its whole account',
      [stopped(), stopped({ workerId: 'bea', stoppedAt: 2_000_000, resetsAt: 300 * minute + 1 })],
      0,
      ['ada', 300 * minute + 10_001],
    ],
    [
      'a later stop counts for no other account',
      [stopped(), stopped({ workerId: 'bea', account: 'codex', stoppedAt: 2_000_000, resetsAt: 300 * minute + 1 })],
      0,
      ['ada', 100 * minute + 15_000],
    ],
    [
      'an earlier stop of another window does not hold back the one stopped later',
      [stopped({ resetsAt: 300 * minute + 1 }), stopped({ workerId: 'bea', stoppedAt: 2_000_000 })],
      0,
      ['bea', 100 * minute + 15_000],
    ],
  ])('%s', (_, limited, last, expected) => {
    expect(due(limited, last)).toEqual(expected);
  });
});

const need = (name: string, limit: Omit<LimitView, 'detail'>): AttentionView => ({
  session_id: `id-${name}`,
  name,
  waiting_for: 'limit',
  since: '',
  title: '',
  detail: '',
  limit: { detail: 'hit', ...limit },
  answer_with: [],
});

test('workers that wait for the same minute are sent on by one call, after the last of them', () => {
  const calls = goOnSuggestions([
    need('edna', {}),
    need('bea', { resets_at: '2030-01-01T10:00:20.000Z' }),
    need('ada', { resets_at: '2030-01-01T09:59:50.000Z' }),
    need('cleo', { resets_at: '2030-01-01T12:00:00.000Z', goes_on: true }),
    need('dora', {}),
  ]);
  expect(calls.map((call) => call.replace(/"message":.*\}$/, '…'))).toEqual([
    'ada, bea: Send it on after 2030-01-01T10:00:20.000Z. message_workers {"session_ids":["id-ada","id-bea"],…',
    'edna, dora: When the limit is over, send it on. message_workers {"session_ids":["id-edna","id-dora"],…',
  ]);
});
