// The feed of deaths: a client sits waiting for the server's signal, and every signal means look again.
import type { Disposer } from '../../model/clock.ts';
import type { PaneInfo, TerminalEvent } from '../terminal.ts';
import { changeSignal } from './birth.ts';
import type { Channel } from './channel.ts';
import type { Reply } from './command.ts';
import type { ControlClient } from './control-client.ts';
import { isSame, type Looker } from './look.ts';
import { comparePanes, nothingSeen } from './pane-changes.ts';

export interface Feed {
  watch(listen: (event: TerminalEvent) => void): Disposer;
  /** Counts the panes as seen, so that their end is told even if it comes before the next look. */
  expect(panes: readonly PaneInfo[]): void;
  dispose(): Promise<void>;
}

// The guarantee behind the signals: a client that hangs, a server that was replaced.
const sweepMs = 1000;
const sweepWithoutSignalsMs = 500;
const betweenConnectionsMs = 200;
const reapAfterMs = 25;

export function openFeed(channel: Channel, looker: Looker): Feed {
  const listeners = new Set<(event: TerminalEvent) => void>();
  const waiter = openWaiter(channel, () => look());
  let seen = nothingSeen;
  let looking = false;
  let again = false;
  let disposed = false;
  let cancelSweep: Disposer = () => undefined;
  let cancelReap: Disposer | undefined;

  // tmux can miss the death of a child and leave it a zombie; the end of another child makes it look for all.
  const reapSoon = () => {
    cancelReap ??= channel.clock.after(reapAfterMs, () => {
      cancelReap = undefined;
      if (seen.ending.size > 0 && !disposed) void channel.ask([['run-shell', 'true']]).then(look);
    });
  };

  const lookOnce = async () => {
    const panes = await looker.all();
    if (disposed) return;
    const compared = comparePanes(seen, panes, channel.clock.now());
    seen = compared.seen;
    if (seen.ending.size > 0) reapSoon();
    for (const event of compared.events) for (const listen of listeners) listen(event);
    if (panes.length > 0) waiter.ensure();
  };
  const look = () => {
    if (listeners.size === 0 || disposed) return;
    again = true;
    if (looking) return;
    looking = true;
    void lookAll().finally(() => {
      looking = false;
    });
  };
  const lookAll = async () => {
    while (again && !disposed) {
      again = false;
      // A look that failed says nothing of any pane; the sweep looks again.
      await lookOnce().catch(() => undefined);
    }
  };
  const sweep = () => {
    cancelSweep();
    if (listeners.size === 0 || disposed) return;
    cancelSweep = channel.clock.after(waiter.isWaiting() ? sweepMs : sweepWithoutSignalsMs, () => {
      // With no pane in sight there may be no server, and asking would cost a process each time.
      if (seen.panes.length > 0) look();
      sweep();
    });
  };
  return {
    watch(listen) {
      listeners.add(listen);
      look();
      sweep();
      return () => {
        listeners.delete(listen);
      };
    },
    expect(panes) {
      const fresh = panes.filter((pane) => !seen.panes.some((known) => isSame(known.ref, pane.ref)));
      if (fresh.length === 0) return;
      seen = { ...seen, panes: [...seen.panes, ...fresh] };
      look();
    },
    async dispose() {
      disposed = true;
      listeners.clear();
      cancelSweep();
      cancelReap?.();
      await waiter.dispose();
    },
  };
}

interface Waiter {
  /** Begins to wait unless it does. */
  ensure(): void;
  isWaiting(): boolean;
  dispose(): Promise<void>;
}

/** Calls `changed` whenever the signal may have come, after it has begun to wait for the next one. */
function openWaiter(channel: Channel, changed: () => void): Waiter {
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
