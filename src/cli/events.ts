// `crewmux events`: what happened in the crew, a line each. Pure.
import { clipped } from '../draw/terminal-text.ts';
import { oneLine } from '../model/plain-text.ts';
import type { EventView } from '../wire/events.ts';

/** Ends with a newline where there is anything. */
export const eventsText = (events: readonly EventView[], width: number): string =>
  events.map((event) => `${clipped(lineOf(event), width)}\n`).join('');

function lineOf({ ts, type, worker_id, name = worker_id, data }: EventView): string {
  const facts = Object.entries(data).map(([key, value]) => `${key}=${shown(value)}`);
  return oneLine([`${ts.slice(0, 19)}Z`, name, type, ...facts].join(' '));
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
