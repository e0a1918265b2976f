// A loop that has cost what it may while a plan of it runs: what runs ends, and no further job begins.
import { expect, it } from 'vitest';
import type { Loop } from '../../../src/model/loop.ts';
import type { Book, Plan } from '../../../src/model/task.ts';
import { foldLines, lineOf } from '../../../src/store/job-book.ts';
import { openCostLooks } from '../../../src/work/drive/loop-cost.ts';
import { nextOfAll } from '../../../src/work/drive/step.ts';
import type { TaskGiven } from '../../support/tasks.ts';
import { facts, job, loopOf, plan } from '../parts.ts';

interface Given {
  readonly loop?: Partial<Loop>;
  readonly plan?: Partial<Plan>;
  readonly jobs?: readonly TaskGiven[];
  readonly busy?: readonly string[];
}

const landed: TaskGiven = { id: 'a', state: 'landed', attempt: 1 };
const running: TaskGiven = { id: 'b', state: 'running', attempt: 1 };
const unbegun: readonly TaskGiven[] = [{ id: 'c' }, { id: 'd', state: 'blocked', dependsOn: ['c'] }];

function factsOf({ loop = {}, plan: planned = {}, jobs = [landed, running, ...unbegun], busy = [] }: Given) {
  const made = jobs.map((one) => job(one));
  const of = plan(
    made.map(({ id }) => id),
    { loop: 'l', onComplete: 'none', ...planned },
  );
  const given = facts({ tasks: made, plans: [of], busy });
  return { ...given, book: { ...given.book, loops: new Map([['l', loopOf({ openPlan: 'p', ...loop })]]) } };
}

const spent = new Map([['l', 'it is spent']]);

it('leaves out the jobs that have not begun, in one line of the book, before any of them starts', () => {
  const seen = factsOf({ busy: ['b'] });
  expect(nextOfAll(seen)).toMatchObject({ do: 'note', task: { id: 'c' } });
  const step = nextOfAll({ ...seen, spent });
  expect(step).toMatchObject({ do: 'note-plan', plan: { id: 'p' }, set: {} });
  const left = { progress: { is: 'ended', how: 'cancelled' }, isSkipped: true, reason: 'it is spent', endedAt: 1_000 };
  expect(step).toMatchObject({
    tasks: [
      { id: 'c', ...left },
      { id: 'd', ...left },
    ],
  });
  if (step?.do !== 'note-plan') throw new Error('no note');
  const after = foldLines(seen.book, [lineOf({ plans: [{ id: 'p' }], tasks: step.tasks ?? [] })]);
  expect(nextOfAll({ ...seen, book: after, spent })).not.toMatchObject({ do: 'note-plan', tasks: [{ id: 'c' }] });
});

it.each<[string, Given]>([
  ['of another loop', { loop: { openPlan: 'other' } }],
  ['that is only proposed', { plan: { state: 'proposed', planner: 'x' } }],
  ['that has ended', { plan: { state: 'failed' } }],
  ['that is cancelled', { plan: { isCancelled: true } }],
  ['in which all have begun', { jobs: [landed, running] }],
  ['whose job is tried again', { jobs: [landed, { id: 'b', attempt: 1 }] }],
  ['that is busy', { busy: ['p'] }],
])('leaves a plan alone %s', (_, given) => {
  const step = nextOfAll({ ...factsOf(given), spent });
  expect(step?.do === 'note-plan' && step.tasks?.some(({ reason }) => reason === 'it is spent')).not.toBe(true);
});

const bookOf = (given: Given = {}): Book => factsOf({ ...given, loop: { maxCostUsd: 5, ...given.loop } }).book;

function looks(usd: number | undefined) {
  let asked = 0;
  const usageOf = async () => {
    asked += 1;
    const tokens = { input_tokens: 1, output_tokens: 1, cache_tokens: 0 };
    return usd === undefined ? tokens : { ...tokens, cost: { usd, source: 'agent' as const } };
  };
  return { look: openCostLooks({ usageOf }), asked: () => asked };
}

it('what it has cost is asked once for each job that has ended, and not where nothing could begin', async () => {
  const { look, asked } = looks(5);
  const words = new Map([['l', 'its workers have cost $5.00, and max_cost_usd is 5']]);
  expect(await look(bookOf({ jobs: [running, ...unbegun] }))).toEqual(new Map());
  expect(asked()).toBe(0);
  expect([await look(bookOf()), await look(bookOf())]).toEqual([words, words]);
  expect(asked()).toBe(1);
  await look(bookOf({ jobs: [landed, { ...running, state: 'landed' }, ...unbegun] }));
  expect(asked()).toBe(2);
  expect(await look(bookOf({ jobs: [landed, running] }))).toEqual(new Map());
  expect(asked()).toBe(2);
});

it.each<[string, number | undefined, Book]>([
  ['has cost less', 4.9, bookOf()],
  ['has cost nobody knows what', undefined, bookOf()],
  ['has no bound', 5, factsOf({}).book],
])('one that %s goes on', async (_, usd, book) => {
  expect(await looks(usd).look(book)).toEqual(new Map());
});
