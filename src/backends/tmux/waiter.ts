// A client that sits waiting for the server's signal that a pane has died or gone.
import { changeSignal } from './birth.ts';
import type { Channel } from './channel.ts';
import type { Reply } from './command.ts';
import type { ControlClient } from './control-client.ts';

const betweenConnectionsMs = 200;

export interface Waiter {
  /** Begins to wait unless it does. */
  ensure(): void;
  isWaiting(): boolean;
  dispose(): Promise<void>;
}

/** Calls `changed` whenever the signal may have come, after it has begun to wait for the next one. */
export function openWaiter(channel: Channel, changed: () => void): Waiter {
  const { clock } = channel;
  let client: ControlClient | undefined;
  let running: Promise<void> | undefined;
  let notBefore = 0;
  let disposed = false;
  const wait = async () => {
    client = await channel.connect();
    if (client === undefined) return;
    let reply: Reply = { is: 'done', output: '' };
    while (reply.is === 'done' && !disposed) {
      // Signals coalesce and another crewmux may take one, so look only once the next is waited for.
      reply = await client.ask([['wait-for', changeSignal]], { whenBegun: changed });
    }
    await client.close();
    client = undefined;
    // Whatever ended the waiting may have ended panes too.
    changed();
  };
  return {
    ensure() {
      if (disposed || running !== undefined || clock.now() < notBefore) return;
      notBefore = clock.now() + betweenConnectionsMs;
      running = wait().finally(() => {
        running = undefined;
      });
    },
    isWaiting: () => client !== undefined,
    async dispose() {
      disposed = true;
      await client?.close();
      await running;
    },
  };
}
