import { expect, test } from 'vitest';
import type { EventType, RecordChange } from '../../src/model/event.ts';
import type { LogLine } from '../../src/store/event-line.ts';
import { EventMemory, recordsToKeep } from '../../src/store/event-memory.ts';
import { workerRecord } from './records.ts';

const event = (seq: number, set?: RecordChange, type: EventType = 'reconciled'): LogLine => ({
  is: 'event',
  event: { seq, at: seq, type, workerId: 'a', data: {}, ...(set ? { set } : {}) },
});
const snapshot = (seq: number, ids: readonly string[], lost = 0): LogLine => ({
  is: 'snapshot',
  snapshot: { seq, at: 0, records: ids.map((id) => workerRecord(id)) },
  lost,
});

const memoryOf = (...lines: readonly LogLine[]) => {
  const memory = new EventMemory();
  for (const line of lines) memory.take(line);
  return memory;
};

test('a line taken twice is told once', () => {
  const memory = memoryOf(event(1));
  expect(memory.take(event(1))).toBeUndefined();
  expect(memory.take(event(2))).toMatchObject({ seq: 2 });
  expect(memory.recent.map(({ seq }) => seq)).toEqual([1, 2]);
});

test('an event of an unknown type changes the record and is not told', () => {
  const memory = memoryOf(event(1, workerRecord('a')));
  const change: LogLine = { is: 'change', seq: 2, workerId: 'a', set: { annotation: 'later' } };
  expect(memory.take(change)).toBeUndefined();
  expect(memory.records.get('a')?.annotation).toBe('later');
  expect(memory.lastSeq).toBe(2);
});

test.each([
  {
    title: 'a snapshot forgets what it does not hold',
    lines: [snapshot(1, ['a', 'b']), snapshot(1, ['b'])],
    ids: ['b'],
  },
  { title: 'a snapshot of the past changes nothing', lines: [snapshot(5, ['a']), snapshot(4, ['b'])], ids: ['a'] },
  {
    title: 'a damaged snapshot takes nothing away',
    lines: [snapshot(5, ['a']), snapshot(6, ['b'], 1)],
    ids: ['a', 'b'],
  },
])('$title', ({ lines, ids }) => {
  expect([...memoryOf(...lines).records.keys()]).toEqual(ids);
});

test('the memory of events is bounded and keeps the newest', () => {
  const memory = memoryOf(...Array.from({ length: 9_000 }, (_, i) => event(i + 1)));
  expect(memory.recent.length).toBeLessThan(4_000);
  expect(memory.recent.at(-1)?.seq).toBe(9_000);
});

const day = 24 * 60 * 60 * 1000;
const now = 100 * day;

test.each([
  { title: 'a live worker is kept for ever', record: workerRecord('a'), kept: true },
  {
    title: 'a dead one is kept for a month',
    record: workerRecord('a', { phase: 'dead', endedAt: now - 29 * day }),
    kept: true,
  },
  {
    title: 'a dead one is forgotten after a month',
    record: workerRecord('a', { phase: 'dead', endedAt: now - 31 * day }),
    kept: false,
  },
  {
    title: 'a closed one without an end counts from its start',
    record: workerRecord('a', { phase: 'closed', createdAt: 1 }),
    kept: false,
  },
])('$title', ({ record, kept }) => {
  expect(recordsToKeep([record], now).length).toBe(kept ? 1 : 0);
});

test('of many ended workers the latest 500 are kept, and every live one', () => {
  const ended = Array.from({ length: 700 }, (_, i) => workerRecord(`e${i}`, { phase: 'closed', endedAt: now - i }));
  const live = Array.from({ length: 700 }, (_, i) => workerRecord(`l${i}`));
  const kept = recordsToKeep([...live, ...ended], now).map(({ id }) => id);
  expect(kept.filter((id) => id.startsWith('l')).length).toBe(700);
  expect(kept.filter((id) => id.startsWith('e'))).toEqual(ended.slice(0, 500).map(({ id }) => id));
});
