import { expect, test } from 'vitest';
import { goOnSuggestions } from '../../../src/crew/attention/limit-remedy.ts';
import type { AttentionView, LimitView } from '../../../src/wire/attention.ts';

const need = (name: string, limit: Omit<LimitView, 'detail'>): AttentionView => ({
  session_id: `id-${name}`,
  name,
  waiting_for: 'limit',
  since: '',
  title: '',
  detail: '',
  limit: { detail: 'hit', ...limit },
  answer_with: '',
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
    'ada, bea: After 2030-01-01T10:00:20.000Z: message_workers {"session_ids":["id-ada","id-bea"],…',
    'cleo: It says that it goes on by itself after 2030-01-01T12:00:00.000Z. If it does not: message_workers {"session_ids":["id-cleo"],…',
    'edna, dora: When the limit is over: message_workers {"session_ids":["id-edna","id-dora"],…',
  ]);
});
