// When a limit is over, by the agent's own words.
import { aheadMs, dayMs, partsIn, zoneNamed } from './time-zone.ts';

/** What the words are read against: when they were said, and where the clock they speak of hangs unless they say. */
export interface Saying {
  /** Epoch ms. */
  readonly at: number;
  /** An IANA name; the machine's own zone where it is left out. */
  readonly timeZone?: string;
}

/** The words round down to the minute, and may be a moment old when they are said. */
const justPastMs = 60_000;

/** Epoch ms; undefined where the words name no time. A clock time that is past means tomorrow's. */
export function resetTimeIn(text: string, saying: Saying): number | undefined {
  return epochIn(text) ?? delayIn(text, saying.at) ?? clockIn(text, saying);
}

/** `…limit reached|1763712000` */
function epochIn(text: string): number | undefined {
  const digits = /\|(\d{13}|\d{10})\b/.exec(text)?.[1];
  if (digits === undefined) return undefined;
  return digits.length === 13 ? Number(digits) : Number(digits) * 1_000;
}

const units: readonly (readonly [RegExp, number])[] = [
  [/^ms$|^milli/, 1],
  [/^s/, 1_000],
  [/^m/, 60_000],
  [/^h/, 3_600_000],
  [/^d/, dayMs],
];

/** `try again in 3 days 2 hours`, `resets in 1h30m` */
function delayIn(text: string, at: number): number | undefined {
  const amount = String.raw`\d+(?:\.\d+)?\s*(?:days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s|milliseconds?|ms)\b`;
  const found = new RegExp(`(?:again|resets?|retry|continues?) in ((?:${amount}[ ,]*(?:and )?)+)`, 'i').exec(
    text.replace(/(\d)\s*([a-z]+)(?=\d)/gi, '$1$2 '),
  )?.[1];
  if (found === undefined) return undefined;
  const parts = [...found.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/gi)];
  const delays = parts.map(([, count, unit = '']) => {
    const [, unitMs = 0] = units.find(([word]) => word.test(unit.toLowerCase())) ?? [];
    return Number(count) * unitMs;
  });
  return at + Math.round(delays.reduce((sum, delay) => sum + delay, 0));
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const day = String.raw`(?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? (?<day>\d{1,2})(?:st|nd|rd|th)?(?:, ?(?<year>\d{4}))?`;
const clock = String.raw`(?<hour>\d{1,2})(?::(?<minute>\d{2}))?[ \u00a0\u202f]?(?<half>[ap])\.?m\b\.?`;
const zone = String.raw`(?: \((?<zone>[^()]{1,40})\))?`;
const told = new RegExp(
  String.raw`\b(?:resets?|again|continues?)(?: (?:at|on))?:? (?:${day}(?:,? (?:at )?${clock})?|${named(clock)})${zone}`,
  'i',
);

/** Node 20 knows no two groups of one name. */
function named(pattern: string): string {
  return pattern.replace(/\?<(\w+)>/g, '?<$1Only>');
}

/** `resets 3pm (UTC)`, `resets Nov 22, 5:30am`, `try again at Nov 22nd, 2026 5:00 AM` */
function clockIn(text: string, { at, timeZone }: Saying): number | undefined {
  const groups = told.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const time = timeOf(
    groups.hour ?? groups.hourOnly,
    groups.minute ?? groups.minuteOnly,
    groups.half ?? groups.halfOnly,
  );
  const zoned = zoneOf(groups.zone) ?? zoneOf(timeZone);
  if (time === undefined) return undefined;
  const now = dateIn(at, zoned);
  const month = months.indexOf((groups.month ?? '').toLowerCase());
  if (month < 0) {
    const today = instantOf({ ...now, ...time }, zoned);
    return today > at - justPastMs ? today : instantOf({ ...now, day: now.day + 1, ...time }, zoned);
  }
  const date = { month, day: Number(groups.day), ...time };
  if (groups.year !== undefined) return instantOf({ ...date, year: Number(groups.year) }, zoned);
  const thisYear = instantOf({ ...date, year: now.year }, zoned);
  return thisYear > at - dayMs ? thisYear : instantOf({ ...date, year: now.year + 1 }, zoned);
}

interface Time {
  readonly hour: number;
  readonly minute: number;
}

interface LocalDate {
  readonly year: number;
  /** From 0. */
  readonly month: number;
  /** May lie beyond the end of the month. */
  readonly day: number;
}

/** A day without an hour begins at midnight. */
function timeOf(hour: string | undefined, minute = '0', half = 'a'): Time | undefined {
  if (hour === undefined) return { hour: 0, minute: 0 };
  const [hours, minutes] = [Number(hour), Number(minute)];
  if (hours < 1 || hours > 12 || minutes > 59) return undefined;
  return { hour: (hours % 12) + (half.toLowerCase() === 'p' ? 12 : 0), minute: minutes };
}

/** Undefined for what is no zone, such as other words in brackets. */
const zoneOf = (name: string | undefined): string | undefined => (name === undefined ? undefined : zoneNamed(name));

function dateIn(at: number, timeZone: string | undefined): LocalDate {
  const { year = 0, month = 1, day: dayOfMonth = 1 } = partsIn(at, timeZone);
  return { year, month: month - 1, day: dayOfMonth };
}

/** Of an hour that a zone has twice, the later; of one that it skips, as if the clocks had not been moved yet. */
function instantOf(local: LocalDate & Time, timeZone: string | undefined): number {
  const asUtc = Date.UTC(local.year, local.month, local.day, local.hour, local.minute);
  const guesses = [asUtc - aheadMs(asUtc - dayMs, timeZone), asUtc - aheadMs(asUtc + dayMs, timeZone)];
  const fitting = guesses.filter((guess) => guess + aheadMs(guess, timeZone) === asUtc);
  return Math.max(...(fitting.length > 0 ? fitting : guesses));
}
