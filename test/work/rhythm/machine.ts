// A machine on which two servers look after schedules, in a time that does not wait.
import type { Schedule } from '../../../src/model/schedule.ts';
import { emptyBook, type Task } from '../../../src/model/task.ts';
import { hasEnded } from '../../../src/model/task-state.ts';
import { type BookChange, foldLines } from '../../../src/store/job-book.ts';
import { fire } from '../../../src/work/drive/fire.ts';
import { nextLook, nextScheduleStep } from '../../../src/work/rhythm/owed.ts';
import { task } from '../parts.ts';

export const minute = 60_000;
export const hour = 60 * minute;
export const begin = Date.parse('2026-03-26T12:00Z');
const weekMs = 7 * 24 * hour;
const berlin = 'Europe/Berlin';

export const scheduleOf = (id: string, cron: string, given: Partial<Schedule> = {}): Schedule => ({
  ...{ id, crew: 'crew', project: '/p', cron, timezone: berlin, enters: 'task', order: { title: id, prompt: 'Do.' } },
  ...{ isEnabled: true, isRemoved: false, at: begin, since: begin, missed: 0, failures: 0 },
  ...given,
});

interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Week {
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
export class Machine {
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
