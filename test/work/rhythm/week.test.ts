// A week of schedules in a second: two servers that are killed, a machine that sleeps, a disk that is full, clocks that move.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Schedule } from '../../../src/model/schedule.ts';
import { emptyBook, type Task } from '../../../src/model/task.ts';
import { hasEnded } from '../../../src/model/task-state.ts';
import { type BookChange, foldLines } from '../../../src/store/job-book.ts';
import { fire } from '../../../src/work/drive/fire.ts';
import { nextTime } from '../../../src/work/rhythm/cron.ts';
import { nextLook, nextScheduleStep } from '../../../src/work/rhythm/owed.ts';
import { task } from '../parts.ts';

const minute = 60_000;
const hour = 60 * minute;
const begin = Date.parse('2026-03-26T12:00Z');
const weekMs = 7 * 24 * hour;
const berlin = 'Europe/Berlin';

const scheduleOf = (id: string, cron: string, given: Partial<Schedule> = {}): Schedule => ({
  ...{ id, crew: 'crew', project: '/p', cron, timezone: berlin, enters: 'task', order: { title: id, prompt: 'Do.' } },
  ...{ isEnabled: true, isRemoved: false, at: begin, since: begin, missed: 0, failures: 0 },
  ...given,
});

interface Span {
  readonly from: number;
  readonly to: number;
}

interface Week {
  readonly lengthMs?: number;
  readonly schedules: readonly Schedule[];
  /** How long the task of each run goes. */
  readonly takesMs?: number;
  readonly isAsleep?: readonly Span[];
  readonly isFull?: readonly Span[];
  /** At which writes the server that drives is killed: before the line is written, or behind it. */
  readonly kills?: ReadonlyMap<number, 'before' | 'after'>;
  readonly ends?: (run: number) => 'done' | 'failed';
  readonly exitCode?: (now: number) => number;
}

interface Entry {
  readonly schedule: string;
  readonly id: string;
  readonly at: number;
  readonly due: number;
}

const within = (spans: readonly Span[], now: number) => spans.find(({ from, to }) => now >= from && now < to);

/** Each server looks when its timer rings; who holds the lease acts, and loses it when it is killed. */
class Machine {
  book = emptyBook;
  now = begin;
  readonly entries: Entry[] = [];
  checks = 0;
  private writes = 0;
  private holder = 0;
  /** What the one that drives has under way, or begins again a minute after it failed: until when. */
  private readonly busy = new Map<string, number>();
  private isKilled = false;
  private readonly week: Week;

  constructor(week: Week) {
    this.week = week;
    this.append({ schedules: week.schedules });
  }

  private append(change: BookChange) {
    this.book = foldLines(this.book, [JSON.stringify({ v: 3, ...change })]);
  }

  private write(change: BookChange) {
    if (within(this.week.isFull ?? [], this.now)) throw new Error('ENOSPC: no space left on device');
    if (this.isKilled) throw new Killed();
    const kill = this.week.kills?.get(this.writes++);
    if (kill !== 'before') this.append(change);
    this.isKilled = kill !== undefined;
    if (this.isKilled) throw new Killed();
  }

  async run(): Promise<this> {
    while (this.now < begin + (this.week.lengthMs ?? weekMs)) {
      for (const server of [0, 1]) await this.look(server);
      this.endTasks();
      const next = nextLook({ now: this.now, book: this.book, busy: this.busyNow() }) ?? this.now + minute;
      // A timer does not count the sleep: whoever sleeps on looks when the machine is awake again.
      this.now = within(this.week.isAsleep ?? [], next)?.to ?? next;
    }
    return this;
  }

  private async look(server: number): Promise<void> {
    if (server !== this.holder) return;
    try {
      await this.drive();
    } catch (thrown) {
      if (!(thrown instanceof Killed)) throw thrown;
      // Its lease is free; the other one takes it, and this one starts again.
      this.holder = 1 - server;
      this.isKilled = false;
      this.busy.clear();
    }
  }

  private busyNow = () => new Set([...this.busy].flatMap(([id, until]) => (until > this.now ? [id] : [])));

  private async drive() {
    for (;;) {
      const step = nextScheduleStep({ now: this.now, book: this.book, busy: this.busyNow() });
      if (step === undefined) return;
      const { id } = step.schedule;
      try {
        const noted = step.do === 'fire' ? await fire(this.firing(), step) : step;
        if (noted !== 'fired' && noted !== undefined) this.write({ schedules: [{ id, ...noted.set }] });
      } catch (thrown) {
        if (thrown instanceof Killed) throw thrown;
        this.busy.set(id, this.now + minute);
      }
    }
  }

  private firing(): Parameters<typeof fire>[0] {
    const signal = new AbortController().signal;
    return {
      book: () => this.book,
      now: () => this.now,
      run: { signal, tell: () => undefined },
      crew: {
        check: async () => {
          this.checks += 1;
          return { exitCode: this.week.exitCode?.(this.now) ?? 0, timedOut: false, output: 'looked\nnothing new\n' };
        },
      },
      enter: async ({ id: schedule }, { id, noted }) => {
        const entered = task({ id, title: schedule, at: this.now });
        this.write({ tasks: [entered], schedules: [noted] });
        this.entries.push({ schedule, id, at: this.now, due: noted.lastRun?.at ?? 0 });
      },
    };
  }

  private endTasks() {
    const isOver = ({ at }: Task) => this.now - at >= (this.week.takesMs ?? 0);
    const over = [...this.book.tasks.values()].filter((one) => !hasEnded(one) && isOver(one));
    for (const { id } of over) {
      const how = this.week.ends?.(this.book.tasks.size) ?? 'done';
      this.append({ tasks: [{ id, progress: { is: 'ended', how, isSeenTo: true }, reason: 'it was red' }] });
    }
  }
}

class Killed extends Error {}

const ran = (week: Week) => new Machine(week).run();
const duesOf = ({ entries }: Machine, id = 's') =>
  entries.filter((one) => one.schedule === id).map(({ due }) => new Date(due).toISOString().slice(5, 16));

it('nights of a week in which the clocks are moved fire once each, by the clocks', async () => {
  const week = await ran({ schedules: [scheduleOf('s', '30 2 * * *')] });
  expect(duesOf(week)).toEqual(
    ['27T01:30', '28T01:30', '29T01:00', '30T00:30', '31T00:30']
      .map((day) => `03-${day}`)
      .concat('04-01T00:30', '04-02T00:30'),
  );
  expect(week.entries.every(({ at, due }) => at - due < minute)).toBe(true);
});

it('after a sleep the newest missed run alone is made up, and after a longer one none', async () => {
  const isAsleep = [
    { from: begin + 10 * minute, to: begin + 5 * hour + 20 * minute },
    { from: begin + 48 * hour, to: begin + 100 * hour },
  ];
  const weekly = scheduleOf('weekly', '0 15 27 * *');
  const hourly = await ran({ schedules: [scheduleOf('s', '0 * * * *'), weekly], isAsleep });
  const [first, second] = hourly.entries.filter(({ schedule }) => schedule === 's');
  expect([first, second].map((one) => ((one?.at ?? 0) - begin) / hour)).toEqual([5 + 1 / 3, 6]);
  expect(hourly.book.schedules.get('s')?.missed).toBe(4 + 52);
  const missed = await ran({ schedules: [scheduleOf('late', '0 15 28 * *')], isAsleep });
  expect(missed.entries).toEqual([]);
  expect(missed.book.schedules.get('late')).toMatchObject({ missed: 1, lastRun: { outcome: 'missed' } });
});

it('a run that goes on for two hours lets each second hour pass', async () => {
  const week = await ran({ schedules: [scheduleOf('s', '0 * * * *')], takesMs: 119 * minute });
  expect(week.entries.length).toBe(84);
  expect(week.book.schedules.get('s')?.missed).toBe(0);
});

it('a full disk loses nothing that is tried again in time, and makes nothing of it twice', async () => {
  const isFull = [{ from: begin + 14 * hour, to: begin + 17 * hour + 30_000 }];
  const week = await ran({ schedules: [scheduleOf('s', '30 3 * * *')], isFull });
  expect(duesOf(week).length).toBe(7);
  const [first] = week.entries;
  expect(((first?.at ?? 0) - begin) / hour).toBeCloseTo(17, 1);
});

it('a check that does not agree enters nothing, and says what it said last', async () => {
  const week = await ran({ schedules: [scheduleOf('s', '0 3 * * *', { check: 'test' })], exitCode: () => 1 });
  expect([week.entries.length, week.checks]).toEqual([0, 7]);
  expect(week.book.schedules.get('s')?.lastRun).toMatchObject({
    ...{ outcome: 'nothing_to_do', reason: 'its check ended with 1: nothing new' },
  });
});

it('three failures in a row pause it', async () => {
  const week = await ran({
    schedules: [scheduleOf('s', '0 * * * *')],
    ends: (run) => (run === 2 || run > 3 ? 'failed' : 'done'),
  });
  expect(week.entries.length).toBe(6);
  expect(week.book.schedules.get('s')).toMatchObject({
    ...{ isEnabled: false, failures: 3, pausedBecause: '3 runs in a row failed, the last: it was red' },
  });
});

const spans = (longest: number) =>
  fc
    .tuple(fc.integer({ min: 0, max: 60 * 60 }), fc.integer({ min: 1, max: longest * 60 }))
    .map(([from, length]) => ({ from: begin + from * minute, to: begin + (from + length) * minute + 7_000 }));

it('whatever happens, each occurrence is entered once at most, in time, and never beside another run', async () => {
  const week = fc.record({
    isAsleep: fc.array(spans(40), { maxLength: 2 }),
    isFull: fc.array(spans(4), { maxLength: 2 }),
    takesMs: fc.constantFrom(0, 30 * minute, 5 * hour),
    kills: fc.uniqueArray(
      fc.tuple(fc.integer({ min: 0, max: 60 }), fc.constantFrom('before' as const, 'after' as const)),
      {
        selector: ([write]) => write,
        maxLength: 12,
      },
    ),
  });
  const schedules = [scheduleOf('a', '*/40 * * * *'), scheduleOf('b', '30 2 * * *'), scheduleOf('c', '0 9 * * 1-5')];
  await fc.assert(
    fc.asyncProperty(week, async ({ kills, ...given }) => {
      const machine = await ran({ ...given, schedules, lengthMs: 3 * 24 * hour, kills: new Map(kills) });
      const tasks = [...machine.book.tasks.values()];
      for (const { id } of schedules) {
        const runs = tasks.filter(({ title }) => title === id).map(({ at }) => at);
        const starts = runs.toSorted((one, other) => one - other);
        expect(starts).toEqual(runs);
        for (const [index, at] of starts.entries())
          if (index > 0) expect(at - (starts[index - 1] ?? 0)).toBeGreaterThanOrEqual(given.takesMs);
      }
      expect(new Set(tasks.map(({ id }) => id)).size).toBe(tasks.length);
      for (const { at, due } of machine.entries) expect(at - due).toBeLessThanOrEqual(24 * hour);
      for (const schedule of machine.book.schedules.values())
        expect(nextTime(schedule, schedule.since)).toBeGreaterThan(begin);
    }),
    { numRuns: 5 },
  );
});
