// What a digest says of schedules: those that rest, and the times at which nothing was entered. Pure.
import { isoTime } from '../../model/clock.ts';
import { wordOf } from '../../model/json.ts';
import { counted } from '../../model/plural.ts';
import { type Schedule, schedulesIn } from '../../model/schedule.ts';
import type { Book } from '../../model/task.ts';
import type { DigestEntry } from '../../wire/digest.ts';
import type { EventView } from '../../wire/events.ts';
import { call } from '../judge/calls.ts';
import { scheduleName } from './board.ts';
import { entry } from './digest-entry.ts';

interface Since {
  /** Epoch ms. */
  readonly since: number;
  readonly events: readonly EventView[];
}

/** Until somebody enables them. */
export const restingIn = (book: Book): readonly DigestEntry[] =>
  schedulesIn(book)
    .filter(({ pausedBecause }) => pausedBecause !== undefined)
    .map((schedule) =>
      entry({
        what: `${scheduleWords(schedule)} is paused`,
        why: schedule.pausedBecause,
        calls: [call('schedule_task', { action: 'enable', id: schedule.id })],
      }),
    );

const scheduleWords = (schedule: Schedule): string => `schedule ${scheduleName(schedule)} [${schedule.id}]`;

interface Passed {
  readonly id: string;
  readonly due: string;
  readonly outcome: string;
  readonly reason: string | undefined;
}

/** Times at which nothing was entered, one line for each way in which that ended. */
export function skippedIn({ schedules }: Book, facts: Since): readonly DigestEntry[] {
  const groups = new Map<string, Passed[]>();
  for (const one of passedOf(schedules, facts)) {
    const key = `${one.id} ${one.outcome}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].flatMap((passed) => {
    const last = passed.at(-1);
    const schedule = schedules.get(last?.id ?? '');
    if (last === undefined || schedule === undefined || schedule.isRemoved) return [];
    const times = passed.length === 1 ? '' : `, ${counted(passed.length, 'time')}`;
    return [
      entry({
        what: `${scheduleWords(schedule)}: ${last.outcome.replaceAll('_', ' ')}${times}`,
        why: last.reason,
        at: Date.parse(last.due),
        calls: [call('schedule_task', { action: 'list' })],
      }),
    ];
  });
}

/** Each occurrence by what was said of it last; the books know one that the log has lost. */
function passedOf(schedules: Book['schedules'], { events, since }: Since): readonly Passed[] {
  const all = new Map<string, Passed>();
  const put = (one: Passed) => all.set(`${one.id} ${one.due}`, one);
  for (const { type, data } of events) {
    const [id, due, outcome] = [wordOf(data.schedule_id), wordOf(data.due), wordOf(data.outcome)];
    const isRun = type === 'schedule_passed' || type === 'schedule_fired';
    if (isRun && id && due && outcome) put({ id, due, outcome, reason: wordOf(data.reason) });
  }
  for (const { id, lastRun } of schedules.values())
    if (lastRun !== undefined && lastRun.at >= since)
      put({ id, due: isoTime(lastRun.at), outcome: lastRun.outcome, reason: lastRun.reason });
  return [...all.values()].filter(({ outcome }) => outcome !== 'fired').toSorted((a, b) => a.due.localeCompare(b.due));
}
