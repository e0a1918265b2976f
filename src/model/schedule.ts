// Work that is entered again and again: when, what, and how each time of it has ended.
import { nameOfGoal } from './goal-name.ts';
import { type Fields, wordOf } from './json.ts';

/** How an occurrence ends. `deferred` is tried again until the next is due. */
export const occurrenceEnds = ['fired', 'skipped', 'missed', 'deferred', 'nothing_to_do'] as const;
export type OccurrenceEnd = (typeof occurrenceEnds)[number];

/** The latest occurrence that came to something. */
export interface ScheduleRun {
  /** When it was due, epoch ms. */
  readonly at: number;
  readonly outcome: OccurrenceEnd;
  readonly reason?: string;
  readonly taskId?: string;
  readonly planId?: string;
}

export interface Schedule {
  readonly id: string;
  readonly crew: string;
  readonly project: string;
  readonly cron: string;
  /** An IANA name. */
  readonly timezone: string;
  readonly enters: 'task' | 'plan';
  /** What is entered, in the words of the wire. */
  readonly order: Fields;
  /** A shell line: it is entered where this ends with 0. */
  readonly check?: string;
  readonly isEnabled: boolean;
  readonly isRemoved: boolean;
  /** When it was made, epoch ms. */
  readonly at: number;
  /** When the newest occurrence was due that has ended, or when it was enabled, epoch ms: all until then is done with. */
  readonly since: number;
  /** Epoch ms before which a deferred occurrence is not tried again. */
  readonly notBefore?: number;
  /** Occurrences that nothing was made of because nobody was there. */
  readonly missed: number;
  /** Runs that failed, in a row. */
  readonly failures: number;
  readonly lastRun?: ScheduleRun;
  /** Of the task or plan that it entered last, until its end is counted. */
  readonly openRun?: string;
  readonly pausedBecause?: string;
}

export const mostSchedules = 100;
/** So many failures in a row pause a schedule. */
export const mostFailures = 3;

/** How people call what it enters; undefined where the order has no word for that. */
export function nameIn({ title, name, template, goal }: Fields): string | undefined {
  const said = wordOf(title) ?? wordOf(name) ?? wordOf(template);
  if (said !== undefined) return said;
  const aim = wordOf(goal);
  return aim && nameOfGoal(aim);
}

/** Those of a book that nobody has removed. */
export const schedulesIn = ({
  schedules,
}: {
  readonly schedules: ReadonlyMap<string, Schedule>;
}): readonly Schedule[] => [...schedules.values()].filter(({ isRemoved }) => !isRemoved);

/** It has to be looked at, now or at some time. */
export const isWatched = ({ isEnabled, isRemoved, openRun }: Schedule): boolean =>
  !isRemoved && (isEnabled || openRun !== undefined);
