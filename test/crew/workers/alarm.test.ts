import { expect, it } from 'vitest';
import { draftOf } from '../../../src/crew/messages/outboxes.ts';
import { standingAlarm } from '../../../src/crew/workers/reports.ts';
import { applyChange } from '../../../src/model/event.ts';
import { standingProgress } from '../../../src/model/worker.ts';
import type { OutboxEntry } from '../../../src/store/outbox.ts';
import { workerRecord } from '../../support/records.ts';

const head = { v: 1, id: 'r', at: 5_000, launch: 1 } as const;
const progress = (status: 'working' | 'blocked' | 'needs_review' | 'completed'): OutboxEntry => ({
  ...head,
  kind: 'progress',
  progress: { status, message: 'no key' },
});
const report: OutboxEntry = {
  ...head,
  kind: 'report',
  report: {
    files_changed: [],
    what_done: '',
    what_open: '',
    what_tested: '',
    what_untested: '',
    next_steps: '',
    errors_encountered: '',
  },
};
const note: OutboxEntry = { ...head, kind: 'note', note: { kind: 'note', to: { id: 'b', name: 'bo' }, message: 'hi' } };

const after = (entries: readonly OutboxEntry[]) =>
  entries.reduce((one, entry) => applyChange(one, draftOf(entry).set) ?? one, workerRecord());

it.each([
  ['blocked', [progress('blocked')], 'blocked'],
  ['a review', [progress('needs_review')], 'needs_review'],
  ['ordinary progress', [progress('working')], undefined],
  ['a note after it', [progress('blocked'), note], 'blocked'],
  ['progress after it', [progress('blocked'), progress('working')], undefined],
  ['a report after it', [progress('blocked'), report], undefined],
  ['another after it', [progress('blocked'), progress('needs_review')], 'needs_review'],
])('of %s the last report decides whether an alarm stands', (_, entries, status) => {
  expect(standingAlarm(after(entries), undefined)?.status).toBe(status);
});

it.each([
  ['a note alone', [note], undefined],
  ['progress', [progress('completed')], { as: 'completed', at: 5_000 }],
  ['a report after it', [progress('blocked'), report], { as: 'report', at: 5_000 }],
  ['progress after a report', [report, progress('working'), note], { as: 'working', at: 5_000 }],
])('of %s the record knows the last word of the worker', (_, entries, said) => {
  expect(after(entries).said).toEqual(said);
});

const alarm = { status: 'blocked', message: 'no key', at: 5_000 } as const;
const turn = (startedAt: number) => ({ is: 'idle', turn: { number: 1, startedAt } }) as const;
it.each([
  ['stands in the turn in which it came, and after it', {}, turn(4_000), true],
  ['ends with the next turn', {}, turn(5_001), false],
  ['ends with the worker', { phase: 'closed' as const }, undefined, false],
  ['ends with the process', {}, { is: 'gone' } as const, false],
])('an alarm %s', (_, change, state, stands) => {
  expect(standingAlarm(workerRecord({ alarm, ...change }), state) !== undefined).toBe(stands);
});

it('the percent that was reported last stands until a later turn begins', () => {
  const said = (percent?: number): OutboxEntry => ({
    ...head,
    kind: 'progress',
    progress: { status: 'working', message: 'on', ...(percent === undefined ? {} : { progress: percent }) },
  });
  const shown = (entries: readonly OutboxEntry[], turnAt?: number) => standingProgress(after(entries), turnAt);
  expect([shown([]), shown([said(40)]), shown([said(40), said()]), shown([said(40), said(0)])]).toEqual([
    undefined,
    40,
    40,
    0,
  ]);
  expect([shown([said(40)], 4_000), shown([said(40)], 6_000)]).toEqual([40, undefined]);
});
