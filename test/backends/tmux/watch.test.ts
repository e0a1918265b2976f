// Deaths that tmux itself overlooks.
import { expect, test } from 'vitest';
import type { PaneInfo, TerminalEvent } from '../../../src/backends/terminal.ts';
import type { Channel } from '../../../src/backends/tmux/channel.ts';
import type { Looker } from '../../../src/backends/tmux/look.ts';
import { openFeed } from '../../../src/backends/tmux/watch.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { eventually } from '../../support/sandbox.ts';
import { paneInfo } from '../pane-info.ts';
import { record, seeScreen, tmuxOf, withTerminal } from '../terminal-bench.ts';

const rounds = 12;

const channel: Channel = {
  address: { socket: 's', env: {} },
  clock: systemClock,
  keepsClient: false,
  ask: async () => ({ is: 'absent' }),
  alone: (work) => work(),
  load: async () => ({ is: 'absent' }),
  connect: async () => undefined,
  forgive: () => undefined,
  dispose: async () => undefined,
};

const lookerWith = (all: Looker['all']): Looker => ({
  all,
  one: async () => undefined,
  format: () => ({ text: '', read: () => paneInfo('%0') }),
  announce: () => [],
});

test('a look that fails is told, and takes no pane for gone', async () => {
  const events: TerminalEvent[] = [];
  const feed = openFeed(
    channel,
    lookerWith(() => Promise.reject(new Error('tmux is out of files'))),
  );
  feed.expect([paneInfo('%1')]);
  feed.watch((event) => events.push(event));
  await eventually('an event', () => events.length > 0);
  expect(events[0]).toEqual({ kind: 'unlisted', why: 'tmux is out of files' });
  expect(events.filter(({ kind }) => kind !== 'unlisted')).toEqual([]);
  await feed.dispose();
});

test('a pane that opens while a look is under way is not taken for gone', async () => {
  const listings: ((panes: readonly PaneInfo[]) => void)[] = [];
  const { ref: server } = paneInfo('%0');
  const looker = lookerWith(
    () => new Promise((resolve) => listings.push((panes) => resolve({ panes, boards: [], server }))),
  );
  const feed = openFeed(channel, looker);
  const events: TerminalEvent[] = [];
  feed.watch((event) => event.kind === 'pane-moved' || events.push(event));
  await eventually('the first look', () => listings.length === 1);
  feed.expect([paneInfo('%2')]);
  listings[0]?.([paneInfo('%1')]);
  await eventually('the second look', () => listings.length === 2);
  listings[1]?.([paneInfo('%2')]);
  await eventually('an event', () => events.length > 0);
  expect(events).toEqual([{ kind: 'pane-gone', ref: paneInfo('%1').ref }]);
  await feed.dispose();
});

test('every death of many is told with its exit, and the server is reminded of its children', async () => {
  const reminded = new Set<number>();
  const remind = (pid: number) => {
    reminded.add(pid);
    process.kill(pid, 'SIGCHLD');
  };
  await withTerminal(
    (sandbox) => tmuxOf(sandbox, { remind }),
    async ({ terminal, request }) => {
      const events = record(terminal);
      for (let round = 1; round <= rounds; round += 1) {
        const opened = [1, 2].map(() => terminal.open(request({ argv: ['sh', '-c', `exit ${round}`] })));
        const panes = await Promise.all(opened);
        await eventually(`both deaths of round ${round}`, () => events.length === 2);
        const exits = events.map((event) => event.kind === 'pane-died' && event.pane.exitCode);
        expect(exits).toEqual([round, round]);
        for (const pane of panes) await terminal.close(pane.ref);
        await eventually('both are gone', () => events.length === 4);
        events.length = 0;
      }
      expect(reminded.size).toBe(1);
    },
  );
});

test('nobody is reminded once nobody listens', async () => {
  let reminders = 0;
  await withTerminal(
    (sandbox) => tmuxOf(sandbox, { remind: () => (reminders += 1) }),
    async ({ terminal, request }) => {
      const stop = terminal.watch(() => undefined);
      await terminal.open(request());
      await eventually('reminders', () => reminders > 2);
      stop();
      const before = reminders;
      const pane = await terminal.open(request({ argv: ['sh', '-c', 'sleep 0.3; echo later; exec sleep 600'] }));
      await seeScreen(terminal, pane, 'later');
      expect(reminders - before).toBeLessThanOrEqual(1);
    },
  );
});
