// The lines of the event log: events, and the snapshot each file begins with.
import { z } from 'zod';
import { defined } from '../model/defined.ts';
import { type CrewEvent, eventTypes, type RecordChange } from '../model/event.ts';
import { parseJson } from '../model/json.ts';
import type { WorkerRecord } from '../model/worker.ts';
import { changeSchema, recordSchema } from './record-schema.ts';

export interface Snapshot {
  /** The last event the records know of. */
  readonly seq: number;
  readonly at: number;
  readonly records: readonly WorkerRecord[];
}

export type LogLine =
  | { readonly is: 'event'; readonly event: CrewEvent }
  /** An event of which only the change of the record counts, as for a type this version does not know. */
  | { readonly is: 'change'; readonly seq: number; readonly workerId: string; readonly set?: RecordChange }
  /** `lost` counts the records that could not be read. */
  | { readonly is: 'snapshot'; readonly snapshot: Snapshot; readonly lost: number }
  /** Written by a later version in a form of its own. */
  | { readonly is: 'newer' }
  | { readonly is: 'torn' };

const version = 1;
const laterSchema = z.object({ v: z.number().gt(version) });
const snapshotSchema = z.object({
  v: z.literal(version),
  snapshot: z.array(z.unknown()),
  seq: z.number(),
  at: z.number(),
});
const typeSchema = z.enum(eventTypes);
const eventSchema = z.object({
  v: z.literal(version),
  seq: z.number(),
  at: z.number(),
  type: z.string(),
  workerId: z.string(),
  data: z.record(z.string(), z.unknown()).catch({}),
  set: changeSchema.optional().catch(undefined),
});

export const encodeEvent = (event: CrewEvent): string => JSON.stringify({ v: version, ...event });

export const encodeSnapshot = ({ records, ...rest }: Snapshot): string =>
  JSON.stringify({ v: version, snapshot: records, ...rest });

/** Never throws; what cannot be read is `torn`. */
export function decodeLine(line: string): LogLine {
  const json = parseJson(line);
  const event = eventSchema.safeParse(json);
  if (event.success) return asEvent(event.data);
  const snapshot = snapshotSchema.safeParse(json);
  if (snapshot.success) return asSnapshot(snapshot.data);
  return { is: laterSchema.safeParse(json).success ? 'newer' : 'torn' };
}

function asEvent({ v: _, type, set, ...rest }: z.infer<typeof eventSchema>): LogLine {
  const change = defined({ set });
  const known = typeSchema.safeParse(type);
  if (known.success) return { is: 'event', event: { ...rest, type: known.data, ...change } };
  return { is: 'change', seq: rest.seq, workerId: rest.workerId, ...change };
}

/** As `decodeLine` for an event that nobody reads again; undefined for one that changes no record. */
export function decodeOld(line: string): LogLine | undefined {
  // Most lines of a log change no record, and the text that `encodeEvent` writes shows it without parsing.
  if (line.startsWith(`{"v":${version},"seq":`) && !line.includes('"set":{')) return undefined;
  const decoded = decodeLine(line);
  if (decoded.is !== 'event') return decoded;
  const { seq, workerId, set } = decoded.event;
  return { is: 'change', seq, workerId, ...defined({ set }) };
}

function asSnapshot({ snapshot, seq, at }: z.infer<typeof snapshotSchema>): LogLine {
  const parsed = snapshot.map((record) => recordSchema.safeParse(record));
  const records = parsed.flatMap((result) => (result.success ? [result.data] : []));
  return { is: 'snapshot', snapshot: { seq, at, records }, lost: parsed.length - records.length };
}
