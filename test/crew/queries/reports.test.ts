import { expect, it } from 'vitest';
import { recordsOf, reportsWithin } from '../../../src/crew/queries/reports.ts';
import { resolveWorker } from '../../../src/model/address.ts';
import { workerRecord } from '../../support/records.ts';

const ada = workerRecord({ id: 'aaaa0001', name: 'ada' });
const bea = workerRecord({ id: 'bbbb0002', name: 'bea', phase: 'closed' });
const roster = { records: () => [ada, bea], resolve: (text: string) => resolveWorker(text, [ada, bea]) };

const all = (worker: string) => ({ worker, from: 0, until: Number.POSITIVE_INFINITY });

it.each<[string, Parameters<typeof recordsOf>[1], readonly unknown[] | undefined]>([
  ['nobody in particular', {}, undefined],
  ['one by its name', { worker: 'bea' }, [bea]],
  ['all of a task, closed ones too', { workers: [all('bbbb0002'), all('aaaa0001')] }, [ada, bea]],
  ['all of a task, but those that nobody knows', { workers: [all('bbbb0002'), all('cccc0003')] }, [bea]],
  ['a task that nobody has had', { workers: [] }, []],
])('reports are asked of %s', (_, query, records) => {
  expect(recordsOf(roster, query)).toEqual(records);
});

it('what a worker reported before and after a task is not among the reports on it', () => {
  const report = (session_id: string, at: number) => ({
    ...{ session_id, name: session_id, report_id: `${session_id}${at}`, kind: 'report' as const },
    at: new Date(at).toISOString(),
  });
  const told = [report('ada', 4_000), report('bea', 3_000), report('ada', 2_000), report('ada', 1_000)];
  const spans = [{ worker: 'ada', from: 2_000, until: 4_000 }];
  expect(reportsWithin(spans, told).map(({ report_id }) => report_id)).toEqual(['ada2000']);
});
