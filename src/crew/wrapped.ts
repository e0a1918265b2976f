// Agents whose end no pane event tells: under a wrapper, or in a pane of somebody else's tmux.
import type { Disposer } from '../model/clock.ts';
import { isAlive, processStart } from '../state/process.ts';
import { every } from './every.ts';
import type { House } from './house.ts';

const lookEveryMs = 2_000;

/** Looks slowly at those agents alone. */
export function watchWrapped(house: House): Disposer {
  const starts = new Map<number, string>();
  const onTrouble = (error: unknown) => house.logger.write('warn', 'a wrapped agent could not be looked at', error);
  return every({ clock: house.clock, delayMs: lookEveryMs, onTrouble }, async () => {
    for (const following of house.roster.all()) {
      const pid = following.agentPid;
      const pane = house.log.records().get(following.workerId)?.pane;
      const isTold = pane !== undefined && pane.pid === pid && pane.socket === house.socket;
      if (pid === undefined || isTold || following.state.is === 'gone') continue;
      const known = starts.get(pid);
      const start = known ?? (await processStart(pid));
      if (start !== undefined) starts.set(pid, start);
      if (start !== undefined && (await isAlive({ pid, processStart: start }))) continue;
      starts.delete(pid);
      const detail = `the agent's process ${pid} has ended`;
      following.apply({ from: 'pane', kind: 'gone', at: house.clock.now(), detail });
    }
  });
}
