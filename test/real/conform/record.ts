// What one run saw of one agent, kept for the document.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { cacheDir } from '../install.ts';
import { facts, verdicts } from './arrival.ts';

/** How often each situation is played and each text sent; the document is made of more than one round. */
const asked = process.env.CONFORMANCE_ROUNDS;
/** The document is made of this run: nothing is left out for the sake of time. */
export const isMeasured = asked !== undefined;
export const rounds = Number(asked ?? '1');
export const everyRound = Array.from({ length: rounds }, (_, i) => i + 1);

const cell = z.object({ truth: z.string(), told: z.string(), count: z.number(), latestMs: z.number() });
const transition = z.object({ from: z.string(), to: z.string(), latencyMs: z.number() });
const delivery = z.object({
  way: z.string(),
  text: z.string(),
  verdict: z.enum(verdicts),
  fact: z.enum(facts),
  instead: z.string().exactOptional(),
});

const recordSchema = z.object({
  title: z.string(),
  version: z.string(),
  rounds: z.number(),
  cells: z.array(cell),
  transitions: z.array(transition),
  /** How turns ended, each with what was told of it; `play` waits until that is right, or fails. */
  ends: z.array(z.string()),
  deliveries: z.array(delivery),
  /** What went wrong, by situation or way. */
  failures: z.array(z.object({ what: z.string(), why: z.string() })),
  cannot: z.record(z.string(), z.string()),
  loads: z.array(z.number()),
});
export type Record = z.infer<typeof recordSchema>;

const pathOf = (agent: string) => join(cacheDir(), 'conformance', `${agent}.json`);

export const emptyRecord = (of: Pick<Record, 'title' | 'version' | 'cannot'>): Record => ({
  ...of,
  rounds,
  cells: [],
  transitions: [],
  ends: [],
  deliveries: [],
  failures: [],
  loads: [],
});

/** Each half of the suite keeps its own part. */
export function keep(agent: string, part: 'states' | 'deliveries', seen: Record): void {
  mkdirSync(join(cacheDir(), 'conformance'), { recursive: true });
  writeFileSync(pathOf(`${agent}-${part}`), JSON.stringify({ ...seen, loads: [...seen.loads, loadavg()[0] ?? 0] }));
}

export const kept = (agent: string, part: 'states' | 'deliveries'): Record =>
  recordSchema.parse(JSON.parse(readFileSync(pathOf(`${agent}-${part}`), 'utf8')));
