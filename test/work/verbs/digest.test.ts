import { expect, it } from 'vitest';
import type { Book } from '../../../src/model/task.ts';
import { type Digest, digest, digestLines } from '../../../src/wire/digest.ts';
import type { EventView } from '../../../src/wire/events.ts';
import { outward } from '../../../src/wire/spoken.ts';
import { type DigestFacts, digestOf } from '../../../src/work/verbs/digest.ts';
import { bookOf, job, need, plan, task, work, worker } from '../parts.ts';

const hour = 3_600_000;
const since = Date.parse('2030-01-31T00:00:00Z');
const before = since - hour;
const after = since + hour;
const iso = (at: number) => new Date(at).toISOString();

const facts = (book: Book, given: Partial<DigestFacts> = {}): DigestFacts => ({
  ...{ since, books: [book], works: new Map(), events: [], attention: [], alarms: [], spent: [] },
  ...given,
});

/** Each list as its entries, briefly: what, and the tools that go on. */
function brief(shown: Digest): Readonly<Record<string, readonly string[]>> {
  const { since: _, spent: __, ...lists } = shown;
  return Object.fromEntries(
    Object.entries(lists)
      .filter(([, entries]) => entries.length > 0)
      .map(([name, entries]) => [
        name,
        entries.map(({ what, nextCalls }) => [what, ...nextCalls.map((one) => one.split(' ')[0])].join(' > ')),
      ]),
  );
}

const commits = { claimed: true, commits: ['c1'] };
const event = (type: string, data: EventView['data'], given: Partial<EventView> = {}): EventView => ({
  ...{ seq: 1, ts: iso(after), type, worker_id: 'w', name: 'Ada', data },
  ...given,
});

const supervised = plan(['t'], { mode: 'supervisor' });

it.each<[string, Book, Partial<DigestFacts>, Readonly<Record<string, readonly string[]>>]>([
  ['nothing', bookOf([]), {}, {}],
  [
    'a task that has landed',
    bookOf([task({ state: 'landed', endedAt: after, worker })]),
    {},
    { landed: ['task t [t]: landed > read_worker_logs'] },
  ],
  ['a task that landed before', bookOf([task({ state: 'landed', endedAt: before, worker })]), {}, {}],
  [
    'a task whose work lies on its branch',
    bookOf([task({ state: 'done', endedAt: after, worker, evidence: commits })]),
    {},
    { waiting: ['task t [t]: done > diff_worker > merge_worker'] },
  ],
  [
    'a task that brought words alone',
    bookOf([task({ state: 'done', endedAt: after, worker, brings: 'report' })]),
    {},
    { landed: ['task t [t]: done > read_worker_logs'] },
  ],
  [
    'a task that has failed',
    bookOf([task({ state: 'failed', endedAt: after, worker })]),
    {},
    { failed: ['task t [t]: failed > update_task > read_worker_logs'] },
  ],
  ['a task that failed before', bookOf([task({ state: 'failed', endedAt: before })]), {}, {}],
  ['a task that was cancelled', bookOf([task({ state: 'cancelled', endedAt: after })]), {}, {}],
  ['a task at work', bookOf([task({ state: 'running', worker })]), { works: new Map([['w', work()]]) }, {}],
  [
    'what a worker has entered',
    bookOf([task({ isHeld: true, from: worker, kind: 'subtask' })]),
    {},
    { waiting: ['task t [t]: not started yet > update_task > update_task'] },
  ],
  [
    'a plan that goes on',
    bookOf([job({ state: 'landed', endedAt: after }), job({ id: 'u', state: 'running' })], [plan(['t', 'u'])]),
    {},
    { landed: ['plan cart [p]: t > plan_status'] },
  ],
  [
    'a plan that is completed and to be proposed',
    bookOf(
      [job({ state: 'landed', endedAt: before })],
      [plan(['t'], { state: 'completed', endedAt: after, onComplete: 'none' })],
    ),
    {},
    { landed: ['plan cart [p]: completed > open_pull_request'] },
  ],
  [
    'a plan that has failed',
    bookOf([job({ state: 'failed', endedAt: after })], [plan(['t'], { state: 'failed', endedAt: after })]),
    {},
    { failed: ['plan cart [p] failed > approve_plan > approve_plan > approve_plan'] },
  ],
  [
    'a job that has failed in a plan that goes on',
    bookOf([job({ state: 'failed', endedAt: after }), job({ id: 'u', state: 'running' })], [plan(['t', 'u'])]),
    {},
    { failed: ['plan cart [p], job t: failed > approve_plan > approve_plan > approve_plan'] },
  ],
  [
    'a failed job that somebody is asked about',
    bookOf([job({ state: 'failed', endedAt: after })], [supervised]),
    {},
    { waiting: ['plan cart [p] waits at on_error > approve_plan > approve_plan > approve_plan > approve_plan'] },
  ],
  [
    'a paused project: its tasks are held by that alone',
    { ...bookOf([task()]), pausedAt: before },
    {},
    { waiting: ['the project is paused: no task starts, and nothing lands > update_task'] },
  ],
  [
    'a worker that asks, once though its task waits too',
    bookOf([task({ state: 'waiting', worker })]),
    { attention: [need('Ada')], works: new Map([['w', work({ attention: [need('Ada')] })]]) },
    { waiting: ['Ada, permission > answer_worker'] },
  ],
  [
    'a worker that died since, and one that lay dead before',
    bookOf([]),
    {
      attention: [
        { ...need('Ada'), waiting_for: 'dead', since: iso(after), answer_with: ['restart_workers {}'] },
        { ...need('Bo'), waiting_for: 'dead', since: iso(before), answer_with: ['restart_workers {}'] },
      ],
    },
    { failed: ['Ada, dead > restart_workers'], waiting: ['Bo, dead > restart_workers'] },
  ],
  [
    'a report that calls for somebody',
    bookOf([]),
    { alarms: [{ session_id: 'w', name: 'Ada', at: iso(after), kind: 'blocked', says: 'no network', alarm: true }] },
    { waiting: ['Ada reports blocked > read_reports > read_worker_logs'] },
  ],
  [
    'a landing by hand, once for each target, beside those of tasks and plans',
    bookOf([task({ state: 'running', worker: { id: 'v', name: 'Bo' } })]),
    {
      events: [
        event('landed', { target: 'main' }),
        event('landed', { target: 'main' }, { seq: 2 }),
        event('landed', { target: 'main' }, { worker_id: 'v', name: 'Bo' }),
        event('landed', { target: 'main', plan_id: 'p' }, { worker_id: 'p' }),
      ],
    },
    { landed: ['Ada landed on main > read_worker_logs'] },
  ],
])('the digest of %s', (_, book, given, expected) => {
  expect(brief(digestOf(facts(book, given)))).toEqual(expected);
});

it('a list ends with how many it leaves out, and its texts are bounded', () => {
  const many = Array.from({ length: 40 }, (_, at) =>
    task({ id: `t${at}`, state: 'failed', endedAt: after + at, reason: 'x'.repeat(9_000) }),
  );
  const { failed } = digestOf(facts(bookOf(many)));
  expect(failed).toHaveLength(31);
  expect(failed[0]).toMatchObject({ what: 'task t10 [t10]: failed', why: 'x'.repeat(300) });
  expect(failed.at(-1)?.what).toBe('and 10 more');
});

it('in lines it has a heading for what is there, and says so where nothing is', () => {
  const usage = { inputTokens: 1_000, outputTokens: 400, cacheTokens: 0 };
  const book = bookOf([task({ state: 'failed', endedAt: after, reason: 'its tests\n  fail' })]);
  const lines = (given: Digest) =>
    digestLines(outward(digest, given), { calls: (calls) => calls, text: (text) => text });
  expect(lines(digestOf(facts(book, { spent: [{ day: '2030-01-31', usage }] }))).join('\n')).toMatchInlineSnapshot(`
    "Since 2030-01-31T00:00:00.000Z
    Failed
      task t [t]: failed: its tests fail
          update_task {"task_id":"t","action":"retry"}
    Spent, by whole days
      2030-01-31: 1.4k tokens"
  `);
  expect(lines(digestOf(facts(bookOf([]))))).toEqual([
    'Since 2030-01-31T00:00:00.000Z nothing landed, failed or was skipped, and nothing waits.',
  ]);
});
