import { expect, it } from 'vitest';
import { recordsOf } from '../../../src/crew/queries/reports.ts';
import { resolveWorker } from '../../../src/model/address.ts';
import { workerRecord } from '../../support/records.ts';

const ada = workerRecord({ id: 'aaaa0001', name: 'ada' });
const bea = workerRecord({ id: 'bbbb0002', name: 'bea', phase: 'closed' });
const roster = { records: () => [ada, bea], resolve: (text: string) => resolveWorker(text, [ada, bea]) };

it.each<[string, Parameters<typeof recordsOf>[1], readonly unknown[] | undefined]>([
  ['nobody in particular', {}, undefined],
  ['one by its name', { worker: 'bea' }, [bea]],
  ['all of a task, closed ones too', { workers: ['bbbb0002', 'aaaa0001'] }, [ada, bea]],
  ['all of a task, but those that nobody knows', { workers: ['bbbb0002', 'cccc0003'] }, [bea]],
  ['a task that nobody has had', { workers: [] }, []],
])('reports are asked of %s', (_, query, records) => {
  expect(recordsOf(roster, query)).toEqual(records);
});
