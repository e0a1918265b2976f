import { expect, test } from 'vitest';
import type { z } from 'zod';
import type { WorkerRecord } from '../../src/model/worker.ts';
import { changeSchema, recordSchema } from '../../src/store/record-schema.ts';
import { workerRecord } from './records.ts';

type Read = z.output<typeof recordSchema>;

/** Without the index signature that lets unknown fields through. */
type Known<T> = T extends readonly (infer U)[]
  ? readonly U[]
  : T extends object
    ? { [K in keyof T as string extends K ? never : K]: Known<T[K]> }
    : T;

// These two fail to compile when the schema and the type say different things.
const asRead = (record: WorkerRecord): Known<Read> => record;
const asRecord = (read: Read): WorkerRecord => read;

const pane = { socket: 's', serverPid: 1, serverStartedAt: 2, paneId: '%1', windowId: '@1', session: 'crew', pid: 3 };

test('a record is read as it was written, whether it has all fields or few', () => {
  const full = workerRecord('a', { pane, branch: 'b', base: { ref: 'main', sha: 'f00' }, bead: 'x-1', endedAt: 9 });
  const tasked = workerRecord('c', { task: { id: 't', attempt: 2 }, said: { as: 'report', at: 5 } });
  for (const record of [full, workerRecord('b'), tasked])
    expect(asRecord(recordSchema.parse(asRead(record)))).toEqual(record);
});

test.each([
  { title: 'a field with a new value', change: { phase: 'dead', endedAt: 1 }, ok: true },
  { title: 'a field taken away', change: { pane: null }, ok: true },
  { title: 'a field of a later version', change: { plan: { id: 1 } }, ok: true },
  { title: 'a value of the wrong kind', change: { createdAt: 'yesterday' }, ok: false },
  { title: 'a task without a number of its start', change: { task: { id: 't' } }, ok: false },
  { title: 'a last word without a time', change: { said: { as: 'report' } }, ok: false },
  { title: 'a phase nobody knows', change: { phase: 'asleep' }, ok: false },
])('$title is a change: $ok', ({ change, ok }) => {
  const parsed = changeSchema.safeParse(change);
  expect(parsed.success).toBe(ok);
  if (ok) expect(parsed.data).toEqual(change);
});
