// What is owed of a schedule now, and how each of its occurrences ends where nothing has to be run for that. Pure.
import { defined } from '../../model/defined.ts';
import { counted } from '../../model/plural.ts';
import { isWatched, mostFailures, type OccurrenceEnd, type Schedule } from '../../model/schedule.ts';
import { type Book, planHasEnded } from '../../model/task.ts';
import { stateOf } from '../../model/task-progress.ts';
import { isOver } from '../../model/task-state.ts';
import { dayMs } from '../../model/time-zone.ts';
import type { SchedulePatch } from '../../store/job-book.ts';
import { nextTime, nextTimes, type Past, timesSince } from './cron.ts';

export type ScheduleStep =
  | {
      readonly do: 'note-schedule';
      readonly schedule: Schedule;
      readonly set: Omit<SchedulePatch, 'id'>;
      readonly tell?: 'schedule_passed' | 'schedule_paused';
    }
  /** Its check runs, and then it is entered. */
  | { readonly do: 'fire'; readonly schedule: Schedule; readonly occurrence: Past };

interface Seen {
  readonly now: number;
  readonly book: Book;
  readonly busy: ReadonlySet<string>;
}

/** One that is later than this is not made up any more. */
const longestLateMs = dayMs;
/** Looks are a minute apart. */
const lateMs = 120_000;
const deferMs = 60_000;

const note = (
  schedule: Schedule,
  set: Extract<ScheduleStep, { do: 'note-schedule' }>['set'],
  tell?: 'schedule_passed' | 'schedule_paused',
): ScheduleStep => ({ do: 'note-schedule', schedule, set, ...defined({ tell }) });

/** Undefined where nothing is owed of any. */
export function nextScheduleStep(seen: Seen): ScheduleStep | undefined {
  for (const schedule of seen.book.schedules.values()) {
    const step = scheduleStep(seen, schedule);
    if (step !== undefined) return step;
  }
  return undefined;
}

/** Undefined where nothing is owed. */
export function scheduleStep({ now, book, busy }: Seen, schedule: Schedule): ScheduleStep | undefined {
  if (!isWatched(schedule) || busy.has(schedule.id)) return undefined;
  const run = lastRunOf(book, schedule);
  if (run !== undefined && run.end !== 'open') return endStep(schedule, run);
  if (!schedule.isEnabled || dueAt(schedule) > now) return undefined;
  const occurrence = timesSince(schedule, schedule.since, now);
  if (occurrence === undefined) return undefined;
  if (now - occurrence.at > longestLateMs)
    return note(
      schedule,
      ended(schedule, occurrence, { outcome: 'missed', reason: missedWords(schedule, occurrence) }),
      'schedule_passed',
    );
  if (run !== undefined)
    return note(schedule, ended(schedule, occurrence, { outcome: 'skipped', reason: run.words }), 'schedule_passed');
  return book.pausedAt === undefined ? { do: 'fire', schedule, occurrence } : pausedStep(schedule, occurrence, now);
}

/** Noted once; it fires when the project goes on, if it is not too late then. */
const pausedStep = (schedule: Schedule, occurrence: Past, now: number): ScheduleStep | undefined =>
  schedule.lastRun?.at === occurrence.at && schedule.lastRun.outcome === 'deferred'
    ? undefined
    : note(schedule, deferred(occurrence, 'the project is paused', now), 'schedule_passed');

/** What put it off, where a server has tried. */
const missedWords = ({ lastRun }: Schedule, { at }: Past): string =>
  lastRun?.at === at && lastRun.outcome === 'deferred'
    ? `put off for 24 hours: ${(lastRun.reason ?? '').replace(againWords, '')}`
    : 'no server was there when it was due, nor within 24 hours of that';

interface LastRun {
  readonly end: 'open' | 'well' | 'failed' | 'neither';
  readonly words: string;
}

/** Of the task or plan that it entered last; undefined where its end is counted. */
function lastRunOf({ tasks, plans }: Book, { openRun: id = '', enters }: Schedule): LastRun | undefined {
  if (id === '') return undefined;
  const task = tasks.get(id);
  const plan = plans.get(id);
  const [name, state, reason] =
    plan === undefined ? [task?.title, task && stateOf(task), task?.reason] : [plan.name, plan.state, plan.reason];
  const words = `the last run, ${enters} ${name ?? ''} (${id}), still goes: it is ${state}`;
  const isOpen = plan === undefined ? task !== undefined && !isOver(task) : !planHasEnded(plan);
  if (isOpen) return { end: 'open', words };
  if (state === 'failed') return { end: 'failed', words: reason ?? 'it gives no reason' };
  return { end: state === undefined || state === 'cancelled' ? 'neither' : 'well', words: '' };
}

/** Its end is counted once: too many failures in a row pause it. */
function endStep(schedule: Schedule, { end, words }: LastRun): ScheduleStep {
  if (end !== 'failed') return note(schedule, { openRun: null, ...(end === 'well' && { failures: 0 }) });
  return note(
    schedule,
    { openRun: null, ...failed(schedule, words) },
    pauses(schedule) ? 'schedule_paused' : undefined,
  );
}

/** Whether one failure more pauses it. */
export const pauses = ({ failures, isEnabled }: Schedule): boolean => isEnabled && failures + 1 >= mostFailures;

/** One failure more. */
export const failed = (schedule: Schedule, words: string): Omit<SchedulePatch, 'id'> => ({
  failures: schedule.failures + 1,
  ...(pauses(schedule) && {
    isEnabled: false,
    pausedBecause: `${counted(schedule.failures + 1, 'run')} in a row failed, the last: ${words.slice(0, 300)}`,
  }),
});

interface Ended {
  readonly outcome: OccurrenceEnd;
  readonly reason?: string;
  /** Of what was entered. */
  readonly id?: string;
}

/** What is written down of an occurrence that has ended: it is owed no more, and those before it never again. */
export function ended(
  { missed, enters }: Schedule,
  { at, older }: Past,
  { outcome, reason, id }: Ended,
): Omit<SchedulePatch, 'id'> {
  const ids = id === undefined ? {} : enters === 'task' ? { taskId: id } : { planId: id };
  return {
    since: at,
    notBefore: null,
    missed: missed + older + (outcome === 'missed' ? 1 : 0),
    lastRun: { at, outcome, ...defined({ reason }), ...ids },
    ...(id !== undefined && { openRun: id }),
  };
}

const againWords = '; crewmux tries it again each minute';

/** It stays owed, and is tried again in a minute; a later one takes its place. */
export const deferred = ({ at }: Past, reason: string, now: number): Omit<SchedulePatch, 'id'> => ({
  notBefore: now + deferMs,
  lastRun: { at, outcome: 'deferred', reason: `${reason}${againWords}` },
});

/** Why one that fires now was not fired when it was due; undefined for one that is in time. */
export function lateWords({ at }: Past, now: number): string | undefined {
  const minutes = Math.round((now - at) / 60_000);
  if (now - at < lateMs) return undefined;
  return `made up ${minutes < 120 ? counted(minutes, 'minute') : counted(Math.round(minutes / 60), 'hour')} late`;
}

// A record stays the same object until it changes, and is looked at many times a second while workers work.
const dues = new WeakMap<Schedule, number>();

/** When it has to be looked at next, epoch ms. */
export function dueAt(schedule: Schedule): number {
  const known = dues.get(schedule);
  if (known !== undefined) return known;
  const next = Math.max(nextTime(schedule, schedule.since) ?? Number.POSITIVE_INFINITY, schedule.notBefore ?? 0);
  dues.set(schedule, next);
  return next;
}

/** A timer does not count the time that the machine sleeps. */
const lookEveryMs = 60_000;

/** When schedules have to be looked at again; undefined where none waits for its time. */
export function nextLook({ book: { schedules, pausedAt }, busy, now }: Seen): number | undefined {
  const isWaiting = ({ id, isEnabled, isRemoved }: Schedule) => isEnabled && !isRemoved && !busy.has(id);
  const due = [...schedules.values()].filter(isWaiting).map(dueAt);
  if (due.length === 0) return undefined;
  // The end of a pause is news of its own.
  return pausedAt === undefined ? Math.min(now + lookEveryMs, Math.max(now + 1, Math.min(...due))) : now + lookEveryMs;
}

/** When it fires next, by the clock; none where it is not enabled. */
export const nextRuns = (schedule: Schedule, now: number, count: number): readonly number[] =>
  schedule.isEnabled && !schedule.isRemoved ? nextTimes(schedule, Math.max(now, schedule.since), count) : [];
