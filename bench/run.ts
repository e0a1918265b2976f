// The numbers we publish, measured here and now. Words on the command line choose among them.
import { measureAttention, measureHook } from './hook.ts';
import { measureIdleAnswer } from './idle-answer.ts';
import { measureIdling } from './idling.ts';
import { measureKeeping } from './keeping.ts';
import { measureKept } from './kept.ts';
import { measureListing } from './listing.ts';
import { asTable, isMet, type Row } from './measure.ts';
import { measureObjects } from './objects.ts';
import { measurePlanning } from './planning.ts';
import { measurePlans } from './plans.ts';
import { measureSessions } from './sessions.ts';
import { measureSpawning } from './spawning.ts';
import { measureStart } from './start.ts';
import { measureStatus } from './status.ts';
import { measureSwept } from './swept.ts';
import { measureUsage } from './usage.ts';
import { measureWalls } from './walls.ts';
import { measureWeek } from './week.ts';

const benches: Readonly<Record<string, () => Promise<Row[]>>> = {
  start: measureStart,
  hook: measureHook,
  attention: measureAttention,
  'idle-answer-1': () => measureIdleAnswer(1),
  'idle-answer-50': () => measureIdleAnswer(50),
  spawning: measureSpawning,
  walls: measureWalls,
  objects: measureObjects,
  listing: measureListing,
  status: measureStatus,
  sessions: measureSessions,
  usage: measureUsage,
  plans: measurePlans,
  idling: measureIdling,
  keeping: measureKeeping,
  kept: measureKept,
  swept: measureSwept,
  week: measureWeek,
  'planning-100': () => measurePlanning(100),
  'planning-200': () => measurePlanning(200),
};

const wanted = process.argv.slice(2);
const rows: Row[] = [];
for (const [name, measure] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  process.stderr.write(`${name} ...\n`);
  rows.push(...(await measure()));
}
console.log(asTable(rows));
process.exitCode = rows.some((row) => isMet(row) === false) ? 1 : 0;
