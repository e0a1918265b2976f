// Appends so many events, then waits for the last one of all and prints the numbers it has seen. Whoever opens the log
// late may find that the first ones were rotated away:
// appender.ts <home> <name> <times> <in all> <maxBytes>

import type { CrewEvent } from '../../../src/model/event.ts';
import { openEventLog } from '../../../src/store/event-log.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { me } from './me.ts';

const [home = '', name = '', times, inAll, maxBytes] = process.argv.slice(2);
const log = await openEventLog({
  home,
  me,
  maxBytes: Number(maxBytes),
  keepMs: 1e9,
  clock: systemClock,
  onTrouble: (message) => console.log(message),
});
const seen: CrewEvent[] = [...(await log.since(0))];
const own: number[] = [];
const isOver = () => (seen.at(-1)?.seq ?? 0) >= Number(inAll);
const all = new Promise<void>((resolve) => {
  log.onEvents((events) => {
    seen.push(...events);
    if (isOver()) resolve();
  });
});
for (let i = 0; i < Number(times); i++) {
  const [event] = await log.append([{ type: 'reconciled', workerId: name, data: { i, text: 'x'.repeat(200) } }]);
  if (event) own.push(event.seq);
}
const waiting = setInterval(() => undefined, 1000);
if (!isOver()) await all;
clearInterval(waiting);
console.log(JSON.stringify({ seen: seen.map(({ seq }) => seq), own, workers: [...log.records().keys()] }));
await log.close();
