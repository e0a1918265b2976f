import { expect, it } from 'vitest';
import type { Crew, Run } from '../../../src/crew/api.ts';
import type { Plan } from '../../../src/model/task.ts';
import type { ReportView } from '../../../src/wire/reports.ts';
import { finishPlan, plannedWith, proposedPlan, unendedIn } from '../../../src/work/drive/finish.ts';
import { stubCrew } from '../../support/stub-crew.ts';
import { bookOf, job, plan, worker } from '../parts.ts';
import { landing } from '../world.ts';

const report = (given: Partial<ReportView>): ReportView => ({
  ...{ session_id: 'w', name: 'ada', report_id: 'r', at: '2026-01-01T00:00:00.000Z', kind: 'report' },
  ...given,
});

it('a pull request tells how each job stands, and what the newest report of its worker leaves open', async () => {
  const tests = { status: 'timed_out', output: '' } as const;
  const jobs = [
    job({ id: 'a', state: 'landed', worker, tests, evidence: { claimed: true, commits: ['c2', 'c1'] } }),
    job({ id: 'b', state: 'cancelled', isSkipped: true }),
  ];
  const reports = [
    report({ kind: 'progress', what_open: 'Not this.' }),
    report({ what_open: 'None.', what_untested: 'Rounding.', what_done: 'All.' }),
    report({ what_open: 'An older one.' }),
  ];
  const crew = { reports: async () => ({ reports, count: reports.length }) };
  const of = plan(['a', 'b'], { goal: 'A shop.' });
  expect(await proposedPlan(crew, bookOf(jobs, [of]), of)).toEqual({
    goal: 'A shop.',
    jobs: [
      { name: 'a', state: 'landed', commits: 2, tests: 'timed out', report: { what_untested: 'Rounding.' } },
      { name: 'b', state: 'left out', commits: 0, tests: 'none', report: {} },
    ],
  });
});

it('the job pull-request of a plan writes title and text of what is proposed, where it brings a report', async () => {
  const of = plan(['a', 'b'], { goal: 'A shop.', onComplete: 'pr' });
  const done = '## Sell coupons\n\nThey were asked for.';
  const proposedBy = async (given: Parameters<typeof job>[0], what_done = done) => {
    const jobs = [
      job({ id: 'a', worker }),
      job({ id: 'b', title: 'pull-request', worker, brings: 'report', ...given }),
    ];
    const orders: unknown[] = [];
    const crew = {
      ...stubCrew(() => undefined),
      reports: async () => ({ reports: [report({ what_done })], count: 1 }),
      propose: async (order: Parameters<Crew['propose']>[0], run: Run) => {
        orders.push({ title: order.title, text: order.plan?.text });
        return stubCrew(() => undefined).propose(order, run);
      },
    };
    const run = { signal: new AbortController().signal, tell: () => undefined };
    await finishPlan({ crew, book: () => bookOf(jobs, [of]), run, now: () => 5 }, of);
    return orders;
  };
  expect(await proposedBy({})).toEqual([{ title: 'Sell coupons', text: done }]);
  const usual = [{ title: 'cart', text: undefined }];
  expect(await proposedBy({ brings: 'commit' })).toEqual(usual);
  expect(await proposedBy({ isSkipped: true })).toEqual(usual);
  expect(await proposedBy({ title: 'other' })).toEqual(usual);
  expect(await proposedBy({}, ' ')).toEqual(usual);
});

it('the branch of a plan has landed, or is held with what stands in the way', () => {
  const whole = { state: 'completed', endedAt: 5, reason: null };
  expect(plannedWith(landing({ outcome: 'landed', target: 'main' }), 5, plan([]))).toEqual(whole);
  expect(plannedWith(landing({ outcome: 'nothing', target: 'main' }), 5, plan([]))).toEqual(whole);
  const red = plannedWith(landing({ outcome: 'checks_failed', target: 'main', reason: 'Red.' }), 5, plan([]));
  expect(red).toEqual({ hold: { why: 'other', words: 'Red. red', files: [] } });
  const tests = { status: 'failed', command: 'make test', output: `early ${'x'.repeat(4_000)}`, path: '/log' } as const;
  const long = plannedWith(landing({ outcome: 'checks_failed', target: 'main', reason: 'Red.', tests }), 5, plan([]))
    .hold?.words;
  expect(long).toMatch(/^Red\. The whole output is in \/log, and its end is: x{2000}$/);
  const conflicts = [{ file: 'a.ts', ours: [], theirs: [] }];
  const clash = plannedWith(landing({ outcome: 'conflict', target: 'main', conflicts }), 5, plan([]));
  expect(clash).toEqual({ hold: { why: 'other', words: 'conflict The files: a.ts.', files: ['a.ts'] } });
  const many = Array.from({ length: 30 }, (_, at) => ({ file: `f${at}.ts`, ours: [], theirs: [] }));
  const words = plannedWith(landing({ outcome: 'conflict', target: 'main', conflicts: many }), 5, plan([])).hold?.words;
  expect(words).toMatch(/^conflict The files: f0\.ts, .*, f19\.ts and 10 more\.$/);
});

it('a plan that has failed waits for none of its jobs, and one that goes on for those that have not ended', () => {
  const jobs = [
    job({ id: 'a', state: 'landed' }),
    job({ id: 'b', state: 'failed' }),
    job({ id: 'c', state: 'blocked', dependsOn: ['b'] }),
  ];
  const unended = (state: Plan['state']) => {
    const of = plan(['a', 'b', 'c'], { state });
    return unendedIn(bookOf(jobs, [of]), of).map(({ id }) => id);
  };
  expect(unended('running')).toEqual(['c']);
  expect(unended('failed')).toEqual([]);
});
