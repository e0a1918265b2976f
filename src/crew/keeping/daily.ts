// Once a day, one of all servers removes from the state folder what has had its time.
import type { Disposer } from '../../model/clock.ts';
import { counted } from '../../model/plural.ts';
import { cleanDaily } from '../../store/housekeeping.ts';
import { repeat } from '../../system/pace.ts';
import type { CrewContext } from '../workers/crew-context.ts';

/** A server that lives for a moment alone does not stop for it. */
const firstMs = 60_000;
const lookEveryMs = 3_600_000;

export function cleanEachDay(context: CrewContext): Disposer {
  const { clock, home, me, log, logger } = context;
  const onTrouble = (error: unknown) => logger.write('warn', 'the state folder could not be cleaned', error);
  const look = async () => {
    await log.catchUp();
    const records = () => log.records();
    const cleaned = await cleanDaily({ home, me, now: clock.now(), records, onTrouble });
    if (cleaned !== undefined && cleaned.count > 0)
      logger.write('info', `cleaned ${home.root}: ${counted(cleaned.count, 'item')}, ${cleaned.bytes} bytes`);
  };
  const stops = [
    clock.after(firstMs, () => void look().catch(onTrouble)),
    repeat({ clock, delayMs: lookEveryMs, onTrouble }, look),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
