// An agent that died under a wrapper: its pane lives on, so only its pid can tell.
import type { Clock, Disposer } from '../model/clock.ts';
import { isAlive, processStart } from '../state/process.ts';
import type { House } from './house.ts';

const lookEveryMs = 2_000;

/** Looks slowly at those agents alone whose process is not the pane's own. */
export function watchWrapped(house: House): Disposer {
  const starts = new Map<number, string>();
  return every(house.clock, lookEveryMs, async () => {
    for (const following of house.roster.all()) {
      const pid = following.agentPid;
      const panePid = house.log.records().get(following.workerId)?.pane?.pid;
      if (pid === undefined || pid === panePid || following.state.is === 'gone') continue;
      const known = starts.get(pid);
      const start = known ?? (await processStart(pid));
      if (start !== undefined) starts.set(pid, start);
      if (start !== undefined && (await isAlive({ pid, processStart: start }))) continue;
      starts.delete(pid);
      const detail = `the agent's process ${pid} has ended; what started it still runs in the pane`;
      following.apply({ from: 'pane', kind: 'gone', at: house.clock.now(), detail });
    }
  });
}

function every(clock: Clock, delayMs: number, act: () => Promise<void>): Disposer {
  let stopped = false;
  let cancel: Disposer = () => undefined;
  const next = () => {
    cancel = clock.after(delayMs, () => {
      void act().finally(() => {
        if (!stopped) next();
      });
    });
  };
  next();
  return () => {
    stopped = true;
    cancel();
  };
}
