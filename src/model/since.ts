// A time that somebody names: as it is written, or by how long ago it was. Pure.
import { CrewError } from './errors.ts';

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const ago = /^(\d{1,6}(?:\.\d{1,3})?)([mhd])$/;
const withoutOffset = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/;

/** Epoch ms; a time without an offset is UTC. Undefined for what is no time. */
export function timeIn(text: string, now: number): number | undefined {
  const [, count, unit = ''] = ago.exec(text) ?? [];
  if (count !== undefined) return now - Math.round(Number(count) * (unitMs[unit] ?? 0));
  // Without a year it would be any number for which Date.parse finds a meaning.
  if (!/^\d{4}-/.test(text)) return undefined;
  const at = Date.parse(withoutOffset.test(text) ? `${text.replace(' ', 'T')}Z` : text);
  return Number.isFinite(at) ? at : undefined;
}

/** As `timeIn`, and throws `invalid_argument` for what is no time. */
export function timeOf(text: string, now: number): number {
  const at = timeIn(text, now);
  if (at !== undefined) return at;
  throw new CrewError('invalid_argument', `${JSON.stringify(text)} is not a time.`, `Pass ${timeForms}.`);
}

export const timeForms = 'ISO 8601, such as 2030-01-31T12:00:00Z, or how long ago, such as 90m, 12h or 2d';
