// Colours for a terminal that wants them, and times in few characters.

import { clipped, wrapped } from '../draw/terminal-text.ts';
import { oneLine } from '../model/plain-text.ts';
import { isDumb } from './world.ts';

type Paint = (text: string) => string;

export interface Paints {
  readonly alarm: Paint;
  readonly dim: Paint;
  readonly bold: Paint;
  readonly good: Paint;
}

const inCodes =
  (codes: string): Paint =>
  (text) =>
    text === '' ? '' : `\u001b[${codes}m${text}\u001b[0m`;
const inNone: Paint = (text) => text;

/** On a terminal that has any, unless `NO_COLOR` says otherwise. Pure. */
export const paintsFor = (world: {
  readonly columns?: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}): Paints =>
  world.columns !== undefined && (world.env.NO_COLOR ?? '') === '' && !isDumb(world.env)
    ? { alarm: inCodes('1;31'), dim: inCodes('2'), bold: inCodes('1'), good: inCodes('32') }
    : { alarm: inNone, dim: inNone, bold: inNone, good: inNone };

/** How long ago, in the largest unit that is full. Pure. */
export function age(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

/** At most this many rows, and a sign where there are more. Pure. */
export function fewRows(text: string, { width, most }: { readonly width: number; readonly most: number }): string[] {
  const rows = wrapped(text, width);
  return rows.length <= most ? [...rows] : [...rows.slice(0, most - 1), '…'];
}

export const inOneLine = (text: string, width: number): string => clipped(oneLine(text), width);
