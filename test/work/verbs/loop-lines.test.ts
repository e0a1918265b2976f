// A loop in a line: on the board, in crew_status, and in a digest.
import { expect, it } from 'vitest';
import type { Loop } from '../../../src/model/loop.ts';
import type { Book, Plan } from '../../../src/model/task.ts';
import { boardLines } from '../../../src/work/verbs/board.ts';
import { digestOf } from '../../../src/work/verbs/digest.ts';
import { loopLines } from '../../../src/work/verbs/loop-lines.ts';
import { bookOf, job, loopOf, plan } from '../parts.ts';

const bookWith = (given: Partial<Loop>, planned: Partial<Plan> = {}): Book => ({
  ...bookOf([job({ id: 'a', state: 'running' })], [plan(['a'], { loop: 'l', ...planned })]),
  loops: new Map([['l', loopOf({ iteration: 3, ...given })]]),
});

it.each<[string, Partial<Loop>, Partial<Plan>, string]>([
  ['plans', { state: 'planning' }, {}, 'planning'],
  ['has a planner', { state: 'planning', openPlan: 'p' }, { state: 'proposed' }, 'planning cart'],
  ['runs', { openPlan: 'p' }, {}, 'running plan cart'],
  ['is stopped', { openPlan: 'p', isStopping: true }, {}, 'running plan cart, and stops then'],
  ['is paused', { state: 'paused', reason: 'its plan cart\nwas cancelled' }, {}, 'paused: its plan cart'],
])('a loop that %s says so, with its iteration', (_, given, planned, doing) => {
  const [line, ...others] = loopLines(bookWith(given, planned));
  expect([line?.says, others]).toEqual([`loop l: iteration 3 of 10, ${doing}`, []]);
});

it.each<Partial<Loop>>([
  ...(['done', 'stopped', 'failed'] as const).map((state) => ({ state })),
  // Nobody drives, so nobody has noted its end.
  { state: 'paused', isStopping: true },
])('a loop that has ended has no line: %o', (given) => {
  expect(loopLines(bookWith(given))).toEqual([]);
  expect(boardLines(bookWith(given))[0]).toMatch(/^plan cart/);
});

const calls = (more: object = {}) => [
  `run_loop ${JSON.stringify({ action: 'resume', project_path: '/p', ...more })}`,
  'run_loop {"action":"stop","project_path":"/p"}',
];

it('one that is paused comes with the calls that go on, and no other does', () => {
  expect(loopLines(bookWith({ openPlan: 'p' }))[0]?.nextCalls).toEqual([]);
  expect(loopLines(bookWith({ state: 'paused' }))[0]?.nextCalls).toEqual(calls());
  const atCap = loopLines(bookWith({ state: 'paused', iteration: 10 }))[0];
  expect(atCap?.nextCalls).toEqual(calls({ max_iterations: 20 }));
});

it('one that has had all iterations it may have can only be stopped', () => {
  const spent = bookWith({ state: 'paused', iteration: 50, maxIterations: 50 });
  expect(loopLines(spent)[0]?.nextCalls).toEqual(calls().slice(1));
  expect(boardLines(spent)[1]).toBe('  ! `crewmux loop stop` ends it');
});

it('the board shows it before its plan, and marks a pause as a decision', () => {
  expect(boardLines(bookWith({ openPlan: 'p' }))).toEqual([
    'loop l: iteration 3 of 10, running plan cart',
    'plan cart: running, 0 of 1 job done',
    '  running        a',
  ]);
  const [line, point] = boardLines(bookWith({ state: 'paused', reason: 'its plan cart was cancelled' }));
  expect(line).toBe('loop l: iteration 3 of 10, paused: its plan cart was cancelled');
  expect(point).toBe('  ! `crewmux loop resume` lets it go on, `crewmux loop stop` ends it');
  // Without a number the resume would be refused.
  expect(boardLines(bookWith({ state: 'paused', iteration: 10 }))[1]).toContain(
    '`crewmux loop resume --max-iterations 20` lets it go on',
  );
});

it.each<[string, Partial<Loop>, 'landed' | 'failed' | 'waiting' | undefined]>([
  ['is paused', { state: 'paused', reason: 'Why.' }, 'waiting'],
  ['is done', { state: 'done', reason: 'Why.', endedAt: 9 }, 'landed'],
  ['has failed', { state: 'failed', reason: 'Why.', endedAt: 9 }, 'failed'],
  ['was done before', { state: 'done', reason: 'Why.', endedAt: 4 }, undefined],
  ['was stopped', { state: 'stopped', endedAt: 9 }, undefined],
  ['runs', {}, undefined],
])('a digest tells of a loop that %s, where that is news', (_, given, where) => {
  const nothing = { works: new Map(), events: [], attention: [], alarms: [], spent: [] };
  const told = digestOf({ since: 5, books: [{ ...bookWith(given), tasks: new Map(), plans: new Map() }], ...nothing });
  const lists = (['landed', 'failed', 'waiting'] as const).flatMap((list) =>
    told[list].map(({ what, why }) => [list, what, why]),
  );
  expect(lists).toEqual(
    where === undefined ? [] : [[where, expect.stringMatching(/^loop l \(Sell a cart\.\)/), 'Why.']],
  );
});
