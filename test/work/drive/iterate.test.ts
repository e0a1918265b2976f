// The next plan of a loop: what its planner is told, and what keeps it from being begun.
import { expect, it } from 'vitest';
import { CrewError } from '../../../src/model/errors.ts';
import type { CrewEvent } from '../../../src/model/event.ts';
import type { Loop } from '../../../src/model/loop.ts';
import { type Book, emptyBook } from '../../../src/model/task.ts';
import { foldLines, lineOf } from '../../../src/store/job-book.ts';
import { type Iterating, iterate } from '../../../src/work/drive/iterate.ts';
import { job, plan, worker } from '../parts.ts';

const loop: Loop = {
  ...{ id: 'l', crew: 'crew', project: '/p', goal: 'Sell a cart.', mode: 'autopilot', maxIterations: 10 },
  ...{ branch: 'crewmux/loop-l', base: 'main', state: 'planning', iteration: 1, plans: ['p'], failures: 0 },
  ...{ isStopping: false, at: 0, testCommand: 'make test' },
};
const evidence = { claimed: true, commits: ['c'], landedAt: 'c' };
const before = [
  job({ id: 'a', state: 'landed', evidence, tests: { status: 'passed', output: '' }, worker }),
  job({ id: 'b', state: 'failed' }),
];

interface Given {
  readonly loop?: Partial<Loop>;
  readonly usd?: number;
  readonly pausedAt?: number;
  readonly tip?: () => Promise<string>;
}

async function begun({ loop: given = {}, usd, pausedAt, tip = async () => 'tip' }: Given) {
  let book: Book = foldLines(emptyBook, [
    lineOf({ tasks: before, plans: [plan(['a', 'b'], { state: 'failed', reason: 'b failed', loop: 'l' })] }),
    lineOf({ loops: [{ ...loop, ...given }], ...(pausedAt !== undefined && { pausedAt }) }),
  ]);
  const lines: string[] = [];
  const told: CrewEvent['type'][] = [];
  const iterating: Iterating = {
    clock: { now: () => 7 },
    book: {
      now: () => book,
      catchUp: async () => undefined,
      async write(change) {
        lines.push(lineOf(change));
        book = foldLines(book, [lineOf(change)]);
      },
    },
    crew: {
      openPlanBranch: async ({ base: ref = '' }) => ({
        ...{ id: 'l', name: 'loop', repoPath: '/p', crew: 'crew', branch: ref },
        base: { ref, sha: await tip() },
      }),
      reports: async () => ({
        count: 1,
        reports: [
          {
            ...{ session_id: 'w', name: 'ada', report_id: 'r', at: '', kind: 'report' as const },
            ...{ what_done: 'The cart is there.', what_open: 'Nobody can pay.' },
          },
        ],
      }),
      usageOf: async () =>
        usd === undefined
          ? undefined
          : { input_tokens: 1, output_tokens: 1, cache_tokens: 0, cost: { usd, source: 'agent' } },
      tell: async (events) => void told.push(...events.map(({ type }) => type)),
    },
  };
  await iterate(iterating, loop);
  const now = book.loops.get('l');
  const made = book.plans.get(now?.openPlan ?? '');
  return { now, plan: made, planner: book.tasks.get(made?.planner ?? ''), lines, told };
}

it('is in the book in one line with its planner, and begins where the branch of the loop stands', async () => {
  const { now, plan: made, planner, lines, told } = await begun({});
  expect(lines).toHaveLength(1);
  expect(told).toEqual(['plan_created']);
  expect(now).toMatchObject({ state: 'planning', iteration: 2, plans: ['p', made?.id] });
  expect(made).toMatchObject({
    ...{ name: 'Sell a cart. (2)', goal: 'Sell a cart.', loop: 'l', state: 'proposed', mode: 'autopilot' },
    ...{ branch: 'crewmux/loop-l', base: { ref: 'main', sha: 'tip' }, onComplete: 'none', testCommand: 'make test' },
  });
  expect(planner).toMatchObject({ plansFor: made?.id, base: 'tip', role: 'architect', preset: 'explore' });
});

it('tells its planner the goal, what was done so far, and the reports as quotations', async () => {
  const { planner } = await begun({ loop: { reason: 'a cap' } });
  for (const words of [
    'Make the plan for this goal, and change nothing yourself:\nSell a cart.',
    'hand in 1 to 8 jobs',
    '{"reached": true',
    '- iteration 1: landed: a (tests: passed); b is failed; "b failed"',
    'The loop was paused: "a cap"',
    '| Done: The cart is there.',
    '| Open: Nobody can pay.',
  ])
    expect(planner?.prompt).toContain(words);
  expect((await begun({ loop: { plans: [], iteration: 0 } })).planner?.prompt).not.toContain('so far');
});

it.each<[string, Given]>([
  ['is stopped', { loop: { isStopping: true } }],
  ['is paused', { loop: { state: 'paused' } }],
  ['has a plan', { loop: { openPlan: 'p' } }],
  ['is of a paused project', { pausedAt: 5 }],
])('does not begin where its loop %s by now', async (_, given) => {
  expect((await begun(given)).lines).toEqual([]);
});

it.each<[string, number | undefined, string]>([
  ['is spent', 5, 'its workers have cost $5.00, and max_cost_usd is 5'],
  ['cannot be held', undefined, 'nobody knows what its workers have cost, and max_cost_usd is 5'],
])('does not begin where what the loop may cost %s', async (_, usd, reason) => {
  const { now, told } = await begun({ loop: { maxCostUsd: 5 }, ...(usd !== undefined && { usd }) });
  expect(now).toMatchObject({ state: 'paused', reason, iteration: 1 });
  expect(told).toEqual(['loop_paused']);
  expect((await begun({ loop: { maxCostUsd: 5 }, usd: 4.9 })).now).toMatchObject({ iteration: 2 });
});

it('fails where the branch of the loop is gone, and tries again where that may pass', async () => {
  const gone = () => Promise.reject(new CrewError('base_not_found', 'No branch crewmux/loop-l.', ''));
  const { now, told } = await begun({ tip: gone });
  expect(now).toMatchObject({ state: 'failed', reason: 'No branch crewmux/loop-l.', endedAt: 7 });
  expect(told).toEqual(['loop_ended']);
  await expect(begun({ tip: () => Promise.reject(new Error('ENOSPC')) })).rejects.toThrow('ENOSPC');
});
