// What the clocks of a time zone show. Pure, but for the machine's own zone.
import { defined } from './defined.ts';

export const dayMs = 86_400_000;

/** The machine's own. */
export const hereZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The name of a zone as the system writes it; undefined for what is none. */
export function zoneNamed(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

const formats = new Map<string | undefined, Intl.DateTimeFormat>();

/** Making one takes longer than using it a thousand times. */
function formatFor(timeZone: string | undefined): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    ...defined({ timeZone }),
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(timeZone, made);
  return made;
}

export const partsIn = (at: number, timeZone: string | undefined): Readonly<Record<string, number>> =>
  Object.fromEntries(
    formatFor(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );

/** How far the clocks of a zone are ahead of UTC. */
export function aheadMs(at: number, timeZone: string | undefined): number {
  const { year = 0, month = 1, day: date = 1, hour = 0, minute = 0, second = 0 } = partsIn(at, timeZone);
  return Date.UTC(year, month - 1, date, hour, minute, second) - Math.floor(at / 1_000) * 1_000;
}

/** The day of the machine's own zone, `2026-11-25`. */
export function localDay(at: number): string {
  const date = new Date(at);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
