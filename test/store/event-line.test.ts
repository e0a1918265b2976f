import { expect, test } from 'vitest';
import { decodeLine, decodeOld, encodeEvent, encodeSnapshot } from '../../src/store/event-line.ts';
import { workerRecord } from './records.ts';

const event = { seq: 3, at: 5, type: 'worker_idle', workerId: 'a', data: { n: 1 } } as const;

test('an event and a snapshot come back as they went', () => {
  const withChange = { ...event, set: { phase: 'live', endedAt: null } } as const;
  expect(decodeLine(encodeEvent(withChange))).toEqual({ is: 'event', event: withChange });
  const snapshot = { seq: 4, at: 6, records: [workerRecord('a'), workerRecord('b')] };
  expect(decodeLine(encodeSnapshot(snapshot))).toEqual({ is: 'snapshot', snapshot, lost: 0 });
});

const line = (fields: object) => JSON.stringify({ v: 1, ...event, ...fields });

test.each([
  { title: 'half an event', text: line({}).slice(0, 30), is: 'torn' },
  { title: 'zeros', text: '\0\0\0', is: 'torn' },
  { title: 'JSON that is no event', text: '{"v":1,"a":2}', is: 'torn' },
  { title: 'an event without a version', text: JSON.stringify(event), is: 'torn' },
  { title: 'a line of a later version', text: line({ v: 2 }), is: 'newer' },
  { title: 'an event type of a later version', text: line({ type: 'plan_done' }), is: 'change' },
  { title: 'an event with fields of a later version', text: line({ plan: 'x' }), is: 'event' },
  { title: 'an event with data that is none', text: line({ data: 7 }), is: 'event' },
])('$title is read as $is', ({ text, is }) => {
  expect(decodeLine(text).is).toBe(is);
});

test('a change that cannot be read is left out, and the event still counts', () => {
  expect(decodeLine(line({ set: { phase: 'asleep' } }))).toEqual({ is: 'event', event });
});

test('a snapshot tells how many of its records cannot be read', () => {
  const text = JSON.stringify({ v: 1, seq: 1, at: 1, snapshot: [workerRecord('a'), { id: 'b' }] });
  expect(decodeLine(text)).toMatchObject({ is: 'snapshot', lost: 1 });
});

test('fields of a later version survive in a record', () => {
  const text = JSON.stringify({ v: 1, seq: 1, at: 1, snapshot: [{ ...workerRecord('a'), plan: 'p1' }] });
  expect(decodeLine(text)).toMatchObject({ snapshot: { records: [{ id: 'a', plan: 'p1' }] } });
});

test.each([
  { title: 'an event that changes nothing', text: line({}), is: undefined },
  { title: 'an event that changes a record', text: line({ set: { phase: 'dead' } }), is: 'change' },
  { title: 'a snapshot', text: encodeSnapshot({ seq: 1, at: 1, records: [workerRecord('a')] }), is: 'snapshot' },
  { title: 'a line of a later version', text: line({ v: 2 }), is: 'newer' },
])('of $title what is left when it is old is $is', ({ text, is }) => {
  expect(decodeOld(text)?.is).toBe(is);
});
