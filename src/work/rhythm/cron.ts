// The door to croner: when a line of five fields is due by the clocks of a zone. Pure.
import { Cron } from 'croner';
import { CrewError, messageOf } from '../../model/errors.ts';
import { aheadMs, dayMs, zoneNamed } from '../../model/time-zone.ts';

export interface Occasion {
  readonly cron: string;
  /** An IANA name. */
  readonly timezone: string;
}

// croner is asked about UTC alone, where no hour is missing and none is there twice; it never starts a timer.
const lines = new Map<string, Cron>();
const mostLines = 500;

function lineOf(cron: string): Cron {
  const known = lines.get(cron);
  if (known !== undefined) return known;
  if (lines.size >= mostLines) lines.clear();
  const made = new Cron(cron, { utcOffset: 0, paused: true, mode: '5-part' });
  lines.set(cron, made);
  return made;
}

/** What the clocks show at the next time, as if they hung in UTC. */
const nextShown = (cron: string, shown: number): number | undefined => lineOf(cron).nextRun(new Date(shown))?.getTime();

/** The first moment at which clocks show this or, where they skip it, at which they go on behind the gap. */
export function instantOf(shown: number, timezone: string): number {
  const [before, after] = [shown - dayMs, shown + dayMs].map((at) => aheadMs(at, timezone));
  if (before === undefined || after === undefined || before === after) return shown - (before ?? 0);
  const fitting = [shown - before, shown - after].filter((at) => at + aheadMs(at, timezone) === shown);
  return fitting.length > 0 ? Math.min(...fitting) : changeBetween(shown - 2 * dayMs, shown + 2 * dayMs, timezone);
}

/** When the clocks were moved. */
function changeBetween(from: number, to: number, timezone: string): number {
  const before = aheadMs(from, timezone);
  let [low, high] = [from, to];
  while (high - low > 1_000) {
    const middle = Math.floor((low + high) / 2_000) * 1_000;
    if (aheadMs(middle, timezone) === before) low = middle;
    else high = middle;
  }
  return high;
}

/** The first time after `at`; undefined where there is none any more. */
export function nextTime({ cron, timezone }: Occasion, at: number): number | undefined {
  for (let shown = at + aheadMs(at, timezone); ; ) {
    const next = nextShown(cron, shown);
    if (next === undefined) return undefined;
    const instant = instantOf(next, timezone);
    // An hour that is there twice is passed a second time.
    if (instant > at) return instant;
    shown = next;
  }
}

export function nextTimes(occasion: Occasion, at: number, count: number): readonly number[] {
  const next = count === 0 ? undefined : nextTime(occasion, at);
  return next === undefined ? [] : [next, ...nextTimes(occasion, next, count - 1)];
}

export interface Past {
  /** The newest time that is not after `now`. */
  readonly at: number;
  /** How many there were before it; of very many only that there were very many. */
  readonly older: number;
}

export const mostCounted = 1_000;
const windows = [1, 60, 500, 3_100].map((days) => days * dayMs);

/** The times after `since` and not after `now`; undefined where there is none. */
export function timesSince(occasion: Occasion, since: number, now: number): Past | undefined {
  let last: number | undefined;
  let next = nextTime(occasion, since);
  for (let count = 0; count <= mostCounted; count += 1) {
    if (next === undefined || next > now) return last === undefined ? undefined : { at: last, older: count - 1 };
    last = next;
    next = nextTime(occasion, next);
  }
  return { at: newest(occasion, now) ?? last ?? since, older: mostCounted };
}

/** Looks back a little first, since a look ahead from there passes few times. */
function newest(occasion: Occasion, now: number): number | undefined {
  for (const back of windows) {
    let found: number | undefined;
    for (let next = nextTime(occasion, now - back); next !== undefined && next <= now; )
      [found, next] = [next, nextTime(occasion, next)];
    if (found !== undefined) return found;
  }
  return undefined;
}

const example = 'Five fields: minute, hour, day of the month, month, day of the week, as in "30 2 * * 1-5".';

/** Throws `invalid_argument` for one that is wrong, and for one that is never due. */
export function refuseBadOccasion({ cron, timezone }: Occasion, now: number): void {
  if (zoneNamed(timezone) === undefined)
    throw wrong(
      `timezone is ${JSON.stringify(timezone)}, and no time zone has this name.`,
      'Use one such as "Europe/Berlin" or "UTC", or leave it out for the machine\'s own.',
    );
  if (cron.trim().split(/\s+/).length !== 5)
    throw wrong(`cron is ${JSON.stringify(cron)}: expected five fields.`, example);
  const next = tryNext({ cron, timezone }, now);
  if (next === undefined)
    throw wrong(
      `cron is ${JSON.stringify(cron)}, and it never comes.`,
      'No such day is in any calendar. Name one that there is.',
    );
}

function tryNext(occasion: Occasion, now: number): number | undefined {
  try {
    return nextTime(occasion, now);
  } catch (thrown) {
    throw wrong(
      `cron is ${JSON.stringify(occasion.cron)}: ${messageOf(thrown).replace(/^CronPattern: /, '')}`,
      example,
    );
  }
}

const wrong = (words: string, hint: string): CrewError => new CrewError('invalid_argument', words, hint);
