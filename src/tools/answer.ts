// Answers within bounds: the same value, shorter where it must be.
import { z } from 'zod';
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

/** Fits a value into one answer: `shed` names the fields that go first, then strings shrink, then lists. */
export function answer(
  value: object,
  { text, shed }: { readonly text: string; readonly shed: readonly string[] },
): Answer {
  const structured = shorten(object.parse(value), shed);
  return { text: clip(text, Math.min(textLimit, wholeLimit - sizeOf(structured))), structured };
}

/** An error as callers read it. */
export const errorText = (error: CrewError): string =>
  JSON.stringify({
    error: { code: error.code, message: clip(error.message, 4_000), hint: clip(error.hint, 2_000) },
  });

type Fields = Readonly<Record<string, unknown>>;

function shorten(value: Fields, shed: readonly string[]): Fields {
  if (sizeOf(value) <= jsonLimit) return value;
  for (const shorter of shortenings(value, shed)) {
    if (sizeOf(shorter) <= jsonLimit) return shorter;
  }
  throw new CrewError(
    'limit_reached',
    'The answer does not fit, however it is cut.',
    'Ask for fewer workers or lines.',
  );
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
}

function mapDeep(value: unknown, cuts: Cuts): unknown {
  if (typeof value === 'string') return cuts.cap === undefined ? value : clip(value, cuts.cap);
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
