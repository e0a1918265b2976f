// Answers within bounds: the same value, shorter where it must be.
import { z } from 'zod';
import type { Run } from '../crew/api.ts';
import { Advice, forPerson, type Hint } from '../model/advice.ts';
import { CrewError } from '../model/errors.ts';

export interface Answer {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
}

/** In bytes, both together; one client cuts whatever is longer than 48,000 of them in the middle. */
const wholeLimit = 47_000;
const jsonLimit = 44_000;
const textLimit = 20_000;

const object = z.record(z.string(), z.unknown());

/** A list that may lose its end: what is left out is counted in `more`, with how to get it. */
export interface LongList {
  readonly field: string;
  readonly hint: string;
}

interface Fitting {
  readonly text: string;
  readonly shed: readonly string[];
  readonly long?: LongList;
  readonly by?: Run['by'];
}

/** Fits a value into one answer: `shed` names the fields that go first, then strings shrink, then lists. */
export function answer(value: object, { text, shed, long, by }: Fitting): Answer {
  const structured = shorten(object.parse(mapDeep(value, { gone: new Set(), by })), shed, long);
  return { text: clip(text, Math.min(textLimit, wholeLimit - sizeOf(structured))), structured };
}

const wordsFor = (hint: Hint, by: Run['by']): string => (by === 'person' ? forPerson(hint) : String(hint));

/** An error as callers read it. */
export const errorText = (error: CrewError, by?: Run['by']): string =>
  JSON.stringify({
    error: { code: error.code, message: clip(error.message, 4_000), hint: clip(wordsFor(error.hint, by), 2_000) },
  });

type Fields = Readonly<Record<string, unknown>>;

function shorten(value: Fields, shed: readonly string[], long: LongList | undefined): Fields {
  if (sizeOf(value) <= jsonLimit) return value;
  for (const shorter of long === undefined ? [] : withoutEnd(value, long)) {
    if (sizeOf(shorter) <= jsonLimit) return shorter;
  }
  for (const shorter of shortenings(value, shed)) {
    if (sizeOf(shorter) <= jsonLimit) return long === undefined ? shorter : counted(value, shorter, long);
  }
  throw new CrewError(
    'limit_reached',
    'The answer does not fit, however it is cut.',
    'Ask for fewer workers or lines.',
  );
}

const items = z.array(z.unknown());

/** As many items as fit; texts are cut only where the rest of the answer takes more than half of the room. */
function* withoutEnd(value: Fields, long: LongList): Generator<Fields> {
  for (const cap of [jsonLimit, 3_000, 400]) {
    const cut = object.parse(mapDeep(value, { gone: new Set(), cap }));
    const all = items.parse(cut[long.field]);
    const showing = (count: number) => counted(value, { ...cut, [long.field]: all.slice(0, count) }, long);
    let room = jsonLimit - sizeOf(showing(0));
    const isLast = cap === 400;
    if (room * 2 < jsonLimit && !isLast) continue;
    const fitting = all.findIndex((one) => {
      room -= sizeOf(one) + 1;
      return room < 0;
    });
    yield showing(fitting < 0 ? all.length : fitting);
  }
}

/** Says how many of the list are not there. */
function counted(value: Fields, shorter: Fields, { field, hint }: LongList): Fields {
  const count = items.parse(value[field]).length - items.parse(shorter[field]).length;
  if (count === 0) return marked(shorter, 'texts are cut');
  return { ...marked(shorter, `${count} of ${field} are left out`), more: { count, hint } };
}

/** Ever shorter forms of a value, each saying that it is one. */
function* shortenings(value: Fields, shed: readonly string[]): Generator<Fields> {
  for (let count = 1; count <= shed.length; count++) {
    const gone = shed.slice(0, count);
    yield marked(mapDeep(value, { gone: new Set(gone) }), `left out for length: ${gone.join(', ')}`);
  }
  const gone = new Set(shed);
  for (const cap of [20_000, 8_000, 3_000, 1_000, 400]) {
    yield marked(mapDeep(value, { gone, cap }), `texts are cut to ${cap} characters`);
  }
  for (const items of [200, 100, 50, 25, 12, 6, 3]) {
    yield marked(mapDeep(value, { gone, cap: 200, items }), `lists are cut to ${items} items, texts to 200 characters`);
  }
}

const marked = (value: unknown, note: string): Fields => ({ ...object.parse(value), truncated: true, note });

interface Cuts {
  readonly gone: ReadonlySet<string>;
  readonly cap?: number;
  readonly items?: number;
  /** Who reads what is advised. */
  readonly by?: Run['by'];
}

function mapDeep(value: unknown, cuts: Cuts): unknown {
  if (typeof value === 'string') return cuts.cap === undefined ? value : clip(value, cuts.cap);
  if (value instanceof Advice) return wordsFor(value, cuts.by);
  if (Array.isArray(value)) return value.slice(0, cuts.items).map((item) => mapDeep(item, cuts));
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(([name]) => !cuts.gone.has(name));
  return Object.fromEntries(entries.map(([name, held]) => [name, mapDeep(held, cuts)]));
}

const sizeOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;

/** Cuts a text and says so; never splits a surrogate pair. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = `… [truncated, ${text.length} characters in all]`;
  const kept = text.slice(0, Math.max(0, limit - end.length));
  return kept.replace(/[\uD800-\uDBFF]$/, '') + end;
}
