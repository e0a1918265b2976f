import { expect, it } from 'vitest';
import { attentionKey } from '../../src/wire/attention.ts';
import { alarmKey, checkpointKey, shownKeysIn } from '../../src/wire/shown-keys.ts';

const at = '2026-01-01T00:00:00.000Z';
const need = {
  ...{ session_id: 'w', name: 'ada', waiting_for: 'permission', request_id: 'r', since: at },
  ...{ title: 't', detail: 'd', answer_with: ['answer_worker {}'] },
} as const;
const dead = { ...need, waiting_for: 'dead', request_id: undefined } as const;
const { request_id: _, ...died } = dead;
const point = { plan_id: 'p', at: 'on_error', job: 'a', why: 'x failed', calls: [] } as const;
const { job: __, ...start } = point;

it.each<[string, unknown, readonly string[]]>([
  ['a need with a request', { attention: [need] }, [attentionKey(need)]],
  ['one without', { attention: [died] }, [attentionKey(died)]],
  ['a checkpoint at a job', { checkpoint: point }, [checkpointKey({ planId: 'p', ...point })]],
  [
    'one of a whole plan, deep in it',
    { plans: [{ plan_id: 'p', checkpoint: start }] },
    [checkpointKey({ planId: 'p', ...start })],
  ],
  ['an alarm at a glance', { reports: [{ session_id: 'w', at, kind: 'blocked', says: 's', alarm: true }] }, ['alarm']],
  ['an alarm as a report', { reports: [{ session_id: 'w', at, kind: 'progress', status: 'needs_review' }] }, ['alarm']],
  ['no other report', { reports: [{ session_id: 'w', at, kind: 'progress', status: 'completed' }] }, []],
  ['no worker by itself', { sessions: [{ session_id: 'w', name: 'ada', status: 'idle' }] }, []],
  ['nothing where nothing is', null, []],
])('an answer tells of %s', (_, answer, keys) => {
  expect(shownKeysIn(answer)).toEqual(keys.map((key) => (key === 'alarm' ? alarmKey({ session_id: 'w', at }) : key)));
});
