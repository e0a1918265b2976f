// The feed of pane events: every signal, and a slow sweep behind it, makes crewmux look again.
import type { Clock, Disposer } from '../../model/clock.ts';
import { messageOf } from '../../model/errors.ts';
import { oneAtATime } from '../../system/pace.ts';
import type { PaneInfo, TerminalEvent } from '../terminal.ts';
import { changeSignal } from './birth.ts';
import type { Channel } from './channel.ts';
import type { Command, Reply } from './command.ts';
import type { ControlClient } from './control-client.ts';
import type { Looker } from './look.ts';
import { comparePanes, expectPanes, nothingSeen } from './pane-changes.ts';

export interface PaneFeed {
  watch(listen: (event: TerminalEvent) => void): Disposer;
  /** Counts the panes as seen, so that their end raises an event even if it comes before the next look. */
  expect(panes: readonly PaneInfo[]): void;
  dispose(): Promise<void>;
}

// The guarantee behind the signals: a client that hangs, a server that was replaced.
const sweepMs = 1000;
const remindMs = 50;
const reapAfterMs = 10;
/**
 * tmux built with utempter is deaf to the end of a child while it writes the login record of another: it leaves a zombie
 * and reports nothing, until a SIGCHLD comes or another child ends, as of this command.
 */
export const reap: Command = ['run-shell', 'true'];

/** Sends a process the signal that one of its children has ended; does nothing when there is no such process. */
export type Remind = (pid: number) => void;

export function openFeed(channel: Channel, looker: Looker, remind?: Remind): PaneFeed {
  const { clock } = channel;
  const listeners = new Set<Listen>();
  let seen = nothingSeen;
  const resized = resizedBoards();
  let disposed = false;
  const lookNow = async () => {
    if (listeners.size === 0 || disposed) return;
    const before = seen;
    // Taken before the look: what is written while tmux answers may be missing from the answer.
    const at = clock.now();
    const { panes, boards, server } = await looker.all();
    if (disposed) return;
    const compared = comparePanes(before, { panes, server }, at);
    // What opened meanwhile may be missing from the list and is not gone for that.
    const opened = seen.panes.filter((pane) => !before.panes.includes(pane));
    seen = expectPanes(compared.seen, opened);
    if (seen.ending.size > 0) reaper.start(reapAfterMs);
    tellAll(listeners, [...compared.events, ...resized(boards)]);
    if (panes.length > 0) waiter.ensure();
  };
  // A look that failed says nothing of any pane.
  const look = oneAtATime(() => lookNow().catch((error: unknown) => tellAll(listeners, [unlisted(error)])));
  const waiter = openWaiter(channel, look);
  const reaper = openTimer(clock, () => {
    if (seen.ending.size > 0) void channel.ask([reap]).then(look);
  });
  const reminder = openTimer(clock, () => {
    if (listeners.size > 0) reminder.start(remindMs);
    const server = seen.panes.at(-1)?.ref.serverPid;
    if (waiter.isWaiting() && server !== undefined) remind?.(server);
  });
  const sweep = openTimer(clock, () => {
    if (listeners.size > 0) sweep.start(sweepMs);
    // With no pane in sight there may be no server, and asking would cost a process each time.
    if (seen.panes.length > 0) void look();
  });
  return {
    watch(listen) {
      listeners.add(listen);
      void look();
      sweep.start(sweepMs);
      if (remind !== undefined) reminder.start(remindMs);
      return () => void listeners.delete(listen);
    },
    expect(panes) {
      const before = seen.panes.length;
      seen = expectPanes(seen, panes);
      if (seen.panes.length > before) void look();
    },
    async dispose() {
      disposed = true;
      listeners.clear();
      for (const timer of [sweep, reminder, reaper]) timer.stop();
      await waiter.dispose();
    },
  };
}

type Listen = Parameters<PaneFeed['watch']>[0];

function tellAll(listeners: ReadonlySet<Listen>, events: readonly TerminalEvent[]): void {
  for (const event of events) for (const listen of listeners) listen(event);
}

const unlisted = (error: unknown): TerminalEvent => ({ kind: 'unlisted', why: messageOf(error) });

/** An event where a board has another size than at the call before. */
function resizedBoards(): (boards: readonly PaneInfo[]) => readonly TerminalEvent[] {
  let before = '';
  return (boards) => {
    const sizes = boards.map(({ ref, width, height }) => `${ref.id} ${width}x${height}`).join();
    const isSame = sizes === before;
    before = sizes;
    return isSame ? [] : [{ kind: 'board-resized' }];
  };
}

const betweenConnectionsMs = 200;

/** A control client that waits for the signal of the server that a pane has died or gone. */
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

interface Timer {
  /** Does nothing while it runs already. */
  start(delayMs: number): void;
  stop(): void;
}

function openTimer(clock: Clock, call: () => void): Timer {
  let cancel: Disposer | undefined;
  const stop = () => {
    cancel?.();
    cancel = undefined;
  };
  return {
    start(delayMs) {
      cancel ??= clock.after(delayMs, () => {
        cancel = undefined;
        call();
      });
    },
    stop,
  };
}
