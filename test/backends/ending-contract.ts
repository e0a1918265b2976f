// What must be true when a pane, its program or the server ends.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { eventually } from '../support/sandbox.ts';
import { type ContractCase, find, isRunning, record, seeScreen } from './terminal-bench.ts';

const howItEnds: readonly (readonly [string, object])[] = [
  ['exit 0', { exitCode: 0 }],
  ['exit 7', { exitCode: 7 }],
  ['kill -KILL $$', { exitSignal: 'SIGKILL' }],
  ['kill -TERM $$', { exitSignal: 'SIGTERM' }],
];

export const ending: readonly ContractCase[] = [
  ...howItEnds.map(
    ([script, how]): ContractCase => ({
      title: `${script} is told with how it ended`,
      keep: async ({ terminal, request }) => {
        const events = record(terminal);
        const pane = await terminal.open(request({ argv: ['sh', '-c', script] }));
        const event = await eventually('the death is told', () => events.find((one) => one.kind === 'pane-died'));
        expect(event).toMatchObject({ kind: 'pane-died', pane: { ref: pane.ref, dead: true, ...how } });
      },
    }),
  ),
  {
    title: 'whoever lists panes to judge them learns how each ended, also what tmux itself has missed',
    keep: async ({ terminal, request }) => {
      for (let round = 0; round < 10; round += 1) {
        const { pid, ref } = await terminal.open(
          request({ argv: [process.execPath, '-e', 'setInterval(() => {}, 9)'] }),
        );
        process.kill(pid, 'SIGKILL');
        const ended = await eventually(`the end of ${ref.id}`, async () =>
          (await terminal.listWithServer()).panes.find(
            ({ ref: { id }, exitCode, exitSignal }) => id === ref.id && (exitSignal ?? exitCode) !== undefined,
          ),
        );
        expect(ended).toMatchObject({ dead: true, exitSignal: 'SIGKILL' });
      }
    },
  },
  {
    title: 'sixteen deaths at once are each told once',
    keep: async ({ terminal, sandbox, request }) => {
      const gate = join(sandbox.root, 'gate');
      const script = 'until [ -e "$0" ]; do sleep 0.02; done';
      const opened = await Promise.all(
        Array.from({ length: 16 }, () => terminal.open(request({ argv: ['sh', '-c', script, gate] }))),
      );
      const events = record(terminal);
      mkdirSync(gate);
      await eventually('sixteen deaths', () => events.length >= 16);
      const told = events.map((event) => (event.kind === 'pane-died' ? event.pane.ref.id : event.kind));
      expect(told.sort()).toEqual(opened.map((pane) => pane.ref.id).sort());
    },
  },
  {
    title: 'the panes of several windows may close at once, and every other crew stays',
    keep: async ({ terminal, request }) => {
      const stranger = await terminal.open(request({ session: 'another' }));
      const opened = await Promise.all(Array.from({ length: 9 }, () => terminal.open(request())));
      // What comes while the server is held is done in one step.
      process.kill(stranger.ref.serverPid, 'SIGSTOP');
      const closing = opened.map((pane) => terminal.close(pane.ref));
      setTimeout(() => process.kill(stranger.ref.serverPid, 'SIGCONT'), 100);
      await Promise.all(closing);
      expect((await terminal.list()).map((pane) => pane.ref)).toEqual([stranger.ref]);
    },
  },
  {
    title: 'closing ends the program, twice is fine, and others hear that the pane is gone',
    keep: async ({ terminal, another, request }) => {
      const pane = await terminal.open(request());
      const other = await another();
      const events = record(other);
      await other.list();
      await terminal.close(pane.ref);
      await terminal.close(pane.ref);
      expect(await terminal.list()).toEqual([]);
      await eventually('the other hears', () => events.length > 0);
      expect(events).toEqual([{ kind: 'pane-gone', ref: pane.ref }]);
      await eventually('its program has ended', () => !isRunning(pane.pid));
    },
  },
  {
    title: 'a server that is gone takes every pane with it, and the next open starts another',
    keep: async ({ terminal, sandbox, request }) => {
      const panes = [await terminal.open(request()), await terminal.open(request())];
      const events = record(terminal);
      await terminal.list();
      sandbox.tmux('kill-server');
      await eventually('both are told', () => events.length === 2);
      expect(events).toEqual(panes.map(({ ref }) => ({ kind: 'pane-gone', ref, unanswered: true })));
      expect(await terminal.list()).toEqual([]);
      const next = await terminal.open(request());
      expect(next.ref.serverPid).not.toBe(panes[0]?.ref.serverPid);
    },
  },
  {
    title: 'a pane of an older server is never taken for the one that has its id now',
    keep: async ({ terminal, request }) => {
      const pane = await terminal.open(request());
      const old = { ...pane.ref, serverStartedAt: pane.ref.serverStartedAt - 1 };
      await terminal.close(old);
      await expect(terminal.deliver(old, [{ type: 'x' }])).rejects.toMatchObject({ delivery: 'not-sent' });
      await expect(terminal.capture(old)).rejects.toMatchObject({ code: 'worker_dead' });
      await expect(terminal.label(old, request().label)).rejects.toMatchObject({ code: 'worker_dead' });
      expect(await terminal.list()).toHaveLength(1);
    },
  },
  {
    title: 'respawn runs another program in the same pane, and its death is told again',
    keep: async ({ terminal, sandbox, request }) => {
      const gate = join(sandbox.root, 'gate');
      const events = record(terminal);
      const pane = await terminal.open(request({ argv: ['sh', '-c', 'exit 1'], marks: { id: 'a', kept: 'k' } }));
      await eventually('the first death', () => events.length === 1);
      const again = await terminal.respawn(
        pane.ref,
        request({
          // tmux may close a terminal before it has read the last words of a program that ends at once.
          argv: ['sh', '-c', 'echo "<$NOTE>"; until [ -e "$0" ]; do sleep 0.02; done; exit 2', gate],
          env: { ...request().env, NOTE: 'n' },
          marks: { id: 'b' },
        }),
      );
      expect(again).toMatchObject({ ref: pane.ref, marks: { id: 'b', kept: 'k' } });
      await seeScreen(terminal, pane, '<n>');
      mkdirSync(gate);
      await eventually('the second death', () => events.length === 2);
      expect(events[1]).toMatchObject({ kind: 'pane-died', pane: { ref: pane.ref, exitCode: 2 } });
    },
  },
  {
    title: 'a pane that runs is not respawned',
    keep: async ({ terminal, request }) => {
      const pane = await terminal.open(request());
      await expect(terminal.respawn(pane.ref, request())).rejects.toMatchObject({ code: 'tmux_failed' });
      expect((await find(terminal, pane))?.pid).toBe(pane.pid);
    },
  },
];
