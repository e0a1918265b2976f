import { expect, test } from 'vitest';
import { applyChange } from '../../src/model/event.ts';
import type { WorkerRecord } from '../../src/model/worker.ts';

const record: WorkerRecord = {
  id: '0123abcd',
  name: 'ada',
  agentType: 'claude',
  phase: 'live',
  crew: 'crew',
  projectPath: '/project',
  ownsWorktree: false,
  annotation: 'login',
  permissionMode: 'default',
  colour: 'colour33',
  source: 'spawned',
  manager: { pid: 1, processStart: '1' },
  createdAt: 1,
  restarts: 0,
  launch: {
    number: 1,
    dir: '/launch',
    command: ['claude'],
    agentSessionId: 'x',
    transcriptPath: '/t',
    skipPermissions: false,
    startedAt: 1,
    withPrompt: false,
  },
};

test('a first event with a whole record makes one', () => {
  expect(applyChange(undefined, record)).toEqual(record);
});

test('a first event with less than a whole record makes none', () => {
  expect(applyChange(undefined, { annotation: 'login' })).toBeUndefined();
});

test('an event without a change leaves the record as it is', () => {
  expect(applyChange(record, undefined)).toBe(record);
});

test('a change sets what it names, takes away what is null, and leaves the rest', () => {
  const { annotation: _, ...rest } = record;
  const changed = applyChange(record, { phase: 'dead', endedAt: 5, annotation: null });
  expect(changed).toEqual({ ...rest, phase: 'dead', endedAt: 5 });
});

test('a change is laid over a copy', () => {
  const before = structuredClone(record);
  applyChange(record, { phase: 'closed' });
  expect(record).toEqual(before);
});

test('a change that takes away what every record has is not followed', () => {
  expect(applyChange(record, { name: null })).toEqual(record);
});
