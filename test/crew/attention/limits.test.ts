import { describe, expect, test } from 'vitest';
import { goOnSuggestions } from '../../../src/crew/attention/answer-calls.ts';
import { nextResume, type Stopped } from '../../../src/crew/attention/limits.ts';
import type { AttentionView, LimitView } from '../../../src/wire/attention.ts';

const minute = 60_000;
const stopped = (workerId: string, stop: Partial<Stopped['stop']> = {}): Stopped => ({
  workerId,
  stop: { at: 1_000_000, resetsAt: 100 * minute + 1, goesOn: false, ...stop },
  account: { sign: undefined, workedAt: undefined, sent: undefined },
});

describe('after a limit', () => {
  test.each<[what: string, stopped: readonly Stopped[], next: string | undefined]>([
    ['nobody goes on where nobody was stopped', [], undefined],
    ['the first to be over goes first', [stopped('ada'), stopped('bea', { resetsAt: 90 * minute + 1 })], 'bea'],
    ['an agent that goes on by itself is only watched', [stopped('ada', { goesOn: true })], undefined],
    ['a reset before the stop is none', [stopped('ada', { resetsAt: 1_000_000 })], undefined],
    ['one whose reset nobody can read goes last', [stopped('ada', { resetsAt: undefined }), stopped('bea')], 'bea'],
  ])('%s', (_, all, next) => {
    expect(nextResume(all)?.workerId).toBe(next);
  });
});

const need = (name: string, limit: Omit<LimitView, 'kind' | 'detail'>): AttentionView => ({
  session_id: `id-${name}`,
  name,
  waiting_for: 'limit',
  since: '',
  title: '',
  detail: '',
  limit: { kind: 'account', detail: 'hit', ...limit },
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
