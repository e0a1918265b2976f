// Waits for workers in a process that is no server: it looks anew after each news of a server, and now and then.
import type { Disposer } from '../../model/clock.ts';
import { gather, repeat } from '../../system/pace.ts';
import { AlreadyShown } from '../attention/already-shown.ts';
import type { Run } from '../orders.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { changesIn, type WaitOrder, type WaitOutcome, waitIdle } from './wait.ts';

const gatherMs = 40;
const restMs = 500;
/** Without a server nothing tells that a process has ended. */
const lookEveryMs = 5_000;

interface Looking {
  readonly look: () => Promise<void>;
  /** Calls back when a server has told more of a worker. */
  readonly onWord: (listen: () => void) => Disposer;
}

export const waitOutside =
  (context: CrewContext, { look, onWord }: Looking) =>
  async (order: WaitOrder, run: Run): Promise<WaitOutcome> => {
    const listeners = new Set<() => void>();
    const onTrouble = (error: unknown) => context.logger.write('warn', 'workers could not be looked at', error);
    const looks = gather({ clock: context.clock, gatherMs, restMs: () => restMs, onTrouble }, async () => {
      await look();
      for (const listen of [...listeners]) listen();
    });
    const stops = [
      context.log.onEvents(looks.request),
      onWord(looks.request),
      repeat({ clock: context.clock, delayMs: lookEveryMs, onTrouble }, async () => looks.request()),
      looks.stop,
    ];
    const changes = {
      onSignal(listen: () => void) {
        const stop = changesIn(context).onSignal(() => listen());
        const mine = () => listen();
        listeners.add(mine);
        return () => {
          stop();
          listeners.delete(mine);
        };
      },
    };
    try {
      return await waitIdle(context, { alreadyShown: new AlreadyShown(context.clock), changes }, order, run);
    } finally {
      for (const stop of stops) stop();
    }
  };
