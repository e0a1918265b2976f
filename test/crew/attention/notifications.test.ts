import fc from 'fast-check';
import { expect, it } from 'vitest';
import { idleNotice, jobNotice, needNotice, reportNotice, secondNoticeMs } from '../../../src/crew/attention/notice.ts';
import { hasRoom } from '../../../src/crew/attention/notifications.ts';
import { isNoted, stuckAttention, watchStuck } from '../../../src/crew/attention/stuck.ts';
import type { WorkerChange } from '../../../src/crew/workers/roster.ts';
import type { JobEventType } from '../../../src/model/event.ts';
import { settingsSchema } from '../../../src/settings/schema.ts';
import { initialTurn, type TurnState } from '../../../src/turn/reduce-turn.ts';
import type { AttentionView } from '../../../src/wire/attention.ts';
import { anyCodePoint } from '../../support/code-points.ts';
import { workerRecord } from '../../support/records.ts';

const about = { id: '0123abcd', name: '-rf', crew: 'crew-shop', projectPath: '/w', mainRepoPath: '/shop' };
const need = (change: Partial<AttentionView> = {}): AttentionView => ({
  session_id: about.id,
  name: about.name,
  waiting_for: 'permission',
  since: '2026-01-01T00:00:00.000Z',
  title: '-rf wants to run: npm test',
  detail: 'the rule ask: Bash',
  rule: 'the rule ask: Bash',
  tool: { name: 'Bash', input: { command: 'npm test' }, cwd: '/w' },
  answer_with: ['answer_worker'],
  ...change,
});

it('a notice says who, what and where in two lines', () => {
  expect(needNotice(about, need())).toMatchObject({
    kind: 'attention',
    projectPath: '/shop',
    title: 'crewmux: -rf wants to run: npm test',
    body: 'crew-shop: the rule ask: Bash',
  });
  expect(needNotice(about, need({ waiting_for: 'dead' })).kind).toBe('dead');
  expect(idleNotice(about, 'completed')).toMatchObject({
    kind: 'idle',
    body: 'crew-shop: its turn has ended (completed)',
  });
  expect(reportNotice(about, { kind: 'progress', status: 'working', message: 'half way' })).toMatchObject({
    kind: 'report',
    title: 'crewmux: -rf reports working',
    body: 'crew-shop: half way',
  });
  expect(reportNotice(about, { kind: 'progress', status: 'blocked', message: 'no key' })).toMatchObject({
    kind: 'attention',
    also: 'report',
    title: 'crewmux: -rf reports that it is blocked',
    body: 'crew-shop: no key',
  });
});

it('whatever it is made of, its arguments are short, of one line, and never begin like an option', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCodePoint }), fc.string({ unit: anyCodePoint }), (title, text) => {
      const made = needNotice(
        about,
        need({ title, detail: text.repeat(50), tool: { name: 'x', input: { command: text }, cwd: '/' } }),
      );
      for (const word of [made.title, made.body]) {
        expect(word).toMatch(/^crew/);
        expect(word).not.toMatch(/\p{Cc}/u);
        expect(word.length).toBeLessThanOrEqual(1_300);
      }
    }),
  );
});

it('a person is told twelve times a minute at most', () => {
  const times = Array.from({ length: 12 }, (_, at) => at * 1_000);
  expect(hasRoom(times.slice(1), 12_000)).toBe(true);
  expect(hasRoom(times, 12_000)).toBe(false);
  expect(hasRoom(times, 60_000)).toBe(true);
});

it('of tasks and plans it tells failures, decisions and ends, under the key that a wait tells them by', () => {
  const of = (type: JobEventType, data: object) =>
    jobNotice({ type, subject: '0123abcd', crew: 'crew-shop', data: { ...data } }, '/shop');
  const plan = { plan_id: 'p', name: 'shop' };
  expect(of('task_ended', { task_id: 't', title: 'Fix login', state: 'failed', reason: 'no way' })).toMatchObject({
    key: 't ended',
    notice: { kind: 'task_failed', title: 'crewmux: Fix login has failed', body: 'crew-shop: no way' },
  });
  expect(of('plan_checkpoint', { ...plan, state: 'paused', reason: 'a failed' })).toMatchObject({
    key: 'p waits: a failed',
    notice: { kind: 'checkpoint', title: 'crewmux: The plan shop waits for a decision' },
  });
  expect(of('plan_ended', { ...plan, state: 'completed' })).toMatchObject({
    key: 'p ended',
    notice: { kind: 'plan_ended', title: 'crewmux: The plan shop is completed' },
  });
  expect(of('schedule_paused', { schedule_id: 's', reason: '3 runs in a row failed' })).toMatchObject({
    notice: {
      kind: 'attention',
      title: 'crewmux: The schedule 0123abcd is paused',
      body: 'crew-shop: 3 runs in a row failed',
    },
  });
  const loop = { loop_id: 'l', iteration: 2, reason: 'iteration 2 landed nothing' };
  expect(of('loop_paused', { ...loop, state: 'paused' })).toMatchObject({
    notice: { kind: 'attention', title: 'crewmux: The loop 0123abcd is paused' },
  });
  expect(of('loop_ended', { ...loop, state: 'done' })).toMatchObject({
    notice: { kind: 'plan_ended', title: 'crewmux: The loop 0123abcd is done' },
  });
  expect(of('loop_changed', { ...loop, state: 'planning' })).toBeUndefined();
  expect([of('task_ended', { task_id: 't', state: 'landed' }), of('task_started', { task_id: 't' })]).toEqual([
    undefined,
    undefined,
  ]);
});

const minute = 60_000;

/** A clock whose timers run when the test lets time pass. */
function handClock() {
  let now = 0;
  let due: { readonly at: number; readonly act: () => void }[] = [];
  return {
    now: () => now,
    due: () => due.length,
    after(delayMs: number, act: () => void) {
      const one = { at: now + delayMs, act };
      due = [...due, one];
      return () => {
        due = due.filter((other) => other !== one);
      };
    },
    passTo(at: number) {
      for (let next = due.find((one) => one.at <= at); next !== undefined; next = due.find((one) => one.at <= at)) {
        const one = next;
        due = due.filter((other) => other !== one);
        now = one.at;
        one.act();
      }
      now = at;
    },
  };
}

/** One worker whose turns the test makes. */
function oneWorker(clock: ReturnType<typeof handClock>, onStuck: (name: string, silentMs: number) => void) {
  const record = workerRecord();
  const settings = settingsSchema.parse({});
  let turn = initialTurn(0);
  let change: (change: WorkerChange) => void = () => undefined;
  const stop = watchStuck(
    {
      clock,
      log: { records: () => new Map([[record.id, record]]) },
      recentSettings: () => settings,
      roster: {
        isMine: () => true,
        turn: () => turn,
        onChange(listen) {
          change = listen;
          return () => undefined;
        },
      },
    },
    ({ name }, silentMs) => onStuck(name, silentMs),
  );
  const becomes = (after: TurnState) => {
    const before = turn;
    turn = after;
    change({
      workerId: record.id,
      signal: { from: 'us', kind: 'launched', withPrompt: false, at: clock.now() },
      before,
      after,
    });
  };
  return { becomes, stop };
}

const working = (startedAt: number, lastActivityAt: number): TurnState => ({
  ...initialTurn(0),
  is: 'working',
  lastActivityAt,
  turn: { number: 1, startedAt, endedAt: undefined, endedBy: undefined },
});

it('a turn without a sign of life is told once, and a later turn anew', () => {
  const clock = handClock();
  const told: [string, number][] = [];
  const { becomes, stop } = oneWorker(clock, (name, silentMs) => told.push([name, silentMs / minute]));
  becomes(working(1, 1));
  clock.passTo(15 * minute);
  becomes(working(1, 15 * minute));
  clock.passTo(34 * minute);
  expect(told).toEqual([]);
  clock.passTo(90 * minute);
  expect(told).toEqual([['ada', 20]]);
  becomes(initialTurn(0));
  becomes(working(90 * minute, 90 * minute));
  clock.passTo(120 * minute);
  expect(told).toEqual([
    ['ada', 20],
    ['ada', 20],
  ]);
  stop();
  expect(clock.due()).toBe(0);
});

it('a turn is said to be stuck once, whichever server saw it first', () => {
  const event = (at: number, workerId: string) => ({ type: 'worker_stuck' as const, workerId, at });
  const turn = { id: 'ada', since: 100 };
  expect(isNoted([event(120, 'ada')], turn)).toBe(true);
  expect(isNoted([event(90, 'ada'), event(120, 'bea'), { ...event(120, 'ada'), type: 'worker_active' }], turn)).toBe(
    false,
  );
});

it.each([
  ['silent for the threshold', working(1, minute), 'It works, and has shown no sign of life for 20 min.'],
  [
    'in trouble with its model',
    {
      ...working(1, 20 * minute),
      facts: { ...initialTurn(0).facts, trouble: { at: 20 * minute, detail: 'overloaded' } },
    },
    'It works, and cannot reach its model: overloaded',
  ],
  ['at work', working(1, 20 * minute), undefined],
  ['idle', { ...working(1, 1), is: 'idle' as const }, undefined],
])('a worker %s is a need of somebody only where it may be stuck', (_, turn, detail) => {
  const at = { now: 21 * minute, staleMs: 20 * minute };
  const needs = stuckAttention({ id: 'a', name: 'ada' }, turn, at);
  expect(needs.map((need) => need.detail)).toEqual(detail === undefined ? [] : [detail]);
  expect(needs.every(({ answer_with }) => answer_with[1] === 'interrupt_workers {"session_ids":["a"]}')).toBe(true);
});

it('an unanswered need is told a second time where that is asked for, and one that ends by itself never', () => {
  expect(secondNoticeMs({ waiting_for: 'permission' }, undefined)).toBeUndefined();
  expect(secondNoticeMs({ waiting_for: 'permission' }, 30)).toBe(30 * minute);
  expect(secondNoticeMs({ waiting_for: 'limit' }, 30)).toBeUndefined();
});
