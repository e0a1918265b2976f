// The lines of the event log: events, and the snapshot each file begins with.
import { z } from 'zod';
import { type CrewEvent, eventTypes, type RecordChange } from '../model/event.ts';
import type { WorkerRecord } from '../model/worker.ts';
import { parseJson } from './atomic.ts';
import { changeSchema, recordSchema } from './record-schema.ts';

export interface Snapshot {
  /** The last event the records know of. */
  readonly seq: number;
  readonly at: number;
  readonly records: readonly WorkerRecord[];
}

export type LogLine =
  | { readonly is: 'event'; readonly event: CrewEvent }
  /** An event of a kind this version does not know; its change of the record still counts. */
  | { readonly is: 'foreign'; readonly seq: number; readonly workerId: string; readonly set?: RecordChange }
  /** `lost` counts the records that could not be read. */
  | { readonly is: 'snapshot'; readonly snapshot: Snapshot; readonly lost: number }
  /** Written by a later version in a form of its own. */
  | { readonly is: 'newer' }
  | { readonly is: 'torn' };

const version = 1;
const versionSchema = z.object({ v: z.number() });
const snapshotSchema = z.object({ snapshot: z.array(z.unknown()), seq: z.number(), at: z.number() });
const typeSchema = z.enum(eventTypes);
const eventSchema = z.object({
  seq: z.number(),
  at: z.number(),
  type: z.string(),
  workerId: z.string(),
  data: z.record(z.string(), z.unknown()).catch({}),
  set: changeSchema.optional().catch(undefined),
});

export const encodeEvent = (event: CrewEvent): string => JSON.stringify({ v: version, ...event });

export const encodeSnapshot = ({ records, ...rest }: Snapshot): string =>
  JSON.stringify({ v: version, ...rest, snapshot: records });

/** Never throws; what cannot be read is `torn`. */
export function decodeLine(line: string): LogLine {
  const json = parseJson(line);
  const versioned = versionSchema.safeParse(json);
  if (!versioned.success) return { is: 'torn' };
  if (versioned.data.v > version) return { is: 'newer' };
  const event = eventSchema.safeParse(json);
  if (event.success) return asEvent(event.data);
  const snapshot = snapshotSchema.safeParse(json);
  return snapshot.success ? asSnapshot(snapshot.data) : { is: 'torn' };
}

function asEvent({ type, set, ...rest }: z.infer<typeof eventSchema>): LogLine {
  const change = set === undefined ? {} : { set };
  const known = typeSchema.safeParse(type);
  if (known.success) return { is: 'event', event: { ...rest, type: known.data, ...change } };
  return { is: 'foreign', seq: rest.seq, workerId: rest.workerId, ...change };
}

function asSnapshot({ snapshot, seq, at }: z.infer<typeof snapshotSchema>): LogLine {
  const parsed = snapshot.map((record) => recordSchema.safeParse(record));
  const records = parsed.flatMap((result) => (result.success ? [result.data] : []));
  return { is: 'snapshot', snapshot: { seq, at, records }, lost: parsed.length - records.length };
}
