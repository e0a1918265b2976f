// What must be true of the board of a crew.
import { expect } from 'vitest';
import type { BoardPlace } from '../../src/backends/terminal.ts';
import { eventually } from '../support/sandbox.ts';
import { type Bench, type ContractCase, record } from './terminal-bench.ts';

const quiet = (text: string) => ({ text: () => text, bell: false });
const windows = ({ sandbox }: Bench) =>
  sandbox.tmux('list-windows', '-t', '=crew', '-F', '#{window_index}').split('\n');
const seeBoard = ({ sandbox }: Bench, text: string) =>
  eventually(`${text} on the board`, () => {
    const screen = sandbox.tmux('capture-pane', '-p', '-t', '=crew:0');
    return screen.includes(text) ? screen : undefined;
  });

export const board: readonly ContractCase[] = [
  {
    title: 'stands in window 0, shows what was drawn last, and is no pane of a worker',
    keep: async (bench) => {
      const { terminal, request } = bench;
      const events = record(terminal);
      const pane = await terminal.open(request());
      await terminal.draw('crew', quiet('one\ntwo\nthree'));
      expect(await seeBoard(bench, 'three')).toMatch(/^one\ntwo\nthree/);
      await terminal.draw('crew', quiet('1\n\u001b[31mtwo'));
      expect(await seeBoard(bench, 'two')).toMatch(/^1\ntwo\n*$/);
      expect((await terminal.list()).map(({ ref }) => ref.id)).toEqual([pane.ref.id]);
      for (let more = 0; more < 4; more += 1) await terminal.open(request());
      expect(windows(bench)).toEqual(['0', '1', '2']);
      expect(events).toEqual([]);
    },
  },
  {
    title: 'is drawn for its size, with the keys to each pane; a person who looks gives it theirs, which is an event',
    keep: async (bench) => {
      const { terminal, request, sandbox } = bench;
      const panes = [];
      for (let one = 0; one < 5; one += 1) panes.push(await terminal.open(request()));
      let resized = 0;
      terminal.watch(({ kind }) => {
        if (kind === 'board-resized') resized += 1;
      });
      const draw = async () => {
        const places: BoardPlace[] = [];
        await terminal.draw('crew', { text: (place) => `${places.push(place)}`, bell: false });
        return places[0];
      };
      const first = await draw();
      expect(first).toMatchObject({ columns: 80, rows: 23, back: 'C-b 0' });
      const keys = panes.map(({ ref }) => first?.keys.get(ref.id));
      expect(keys).toEqual(['C-b 1 C-b q 0', 'C-b 1 C-b q 1', 'C-b 1 C-b q 2', 'C-b 1 C-b q 3', 'C-b 2']);
      await eventually('the board is seen', () => resized > 0);
      const before = resized;
      const look = `TMUX= ${terminal.attachCommand('crew')} \\; select-window -t :0`;
      sandbox.tmux('new-session', '-d', '-s', 'person', '-x', '120', '-y', '40', look);
      await eventually('the event', () => resized > before);
      expect(await draw()).toMatchObject({ columns: 120, rows: 38 });
    },
  },
  {
    title: 'goes with the last pane, and the tmux session with it, even when nobody is there any more',
    keep: async (bench) => {
      const { terminal, request, sandbox } = bench;
      const panes = [await terminal.open(request()), await terminal.open(request())];
      await terminal.draw('crew', quiet('here'));
      await terminal.open(request({ session: 'used-later' }));
      await terminal.dispose();
      for (const { ref } of panes) sandbox.tmux('kill-pane', '-t', ref.id);
      await eventually('the tmux session is gone', () => !sandbox.tmux('list-sessions').includes('crew:'));
    },
  },
  {
    title: 'the next first pane after the last has a board of its own again',
    keep: async (bench) => {
      const { terminal, request, sandbox } = bench;
      const pane = await terminal.open(request());
      await terminal.draw('crew', quiet('before'));
      await terminal.close(pane.ref);
      await eventually('the tmux session is gone', () => !sandbox.tmux('list-sessions').includes('crew:'));
      await terminal.open(request());
      await terminal.draw('crew', quiet('after'));
      await seeBoard(bench, 'after');
    },
  },
  {
    title: 'stays closed when a person has closed it, also for another crewmux',
    keep: async (bench) => {
      const { terminal, request, sandbox, another } = bench;
      await terminal.open(request());
      await terminal.draw('crew', quiet('here'));
      sandbox.tmux('kill-window', '-t', '=crew:0');
      await terminal.draw('crew', quiet('again'));
      await (await another()).draw('crew', quiet('again'));
      expect(windows(bench)).toEqual(['1']);
    },
  },
  {
    title: 'is made once when two draw it at the same time',
    keep: async (bench) => {
      const { terminal, request, another, sandbox } = bench;
      await terminal.open(request());
      const other = await another();
      await Promise.all([terminal, other].map((one) => one.draw('crew', quiet('here'))));
      await other.draw('crew', quiet('both'));
      await seeBoard(bench, 'both');
      expect(sandbox.tmux('list-panes', '-s', '-t', '=crew:').split('\n')).toHaveLength(2);
    },
  },
  {
    title: 'may be drawn while its crew ends, and every other crew stays',
    keep: async ({ terminal, request }) => {
      const stranger = await terminal.open(request({ session: 'another' }));
      const screen = 'line\n'.repeat(50_000);
      for (let round = 0; round < 12; round += 1) {
        const pane = await terminal.open(request());
        await terminal.draw('crew', quiet('here'));
        await Promise.all([terminal.draw('crew', quiet(screen)), terminal.close(pane.ref)]);
      }
      expect((await terminal.list()).map((pane) => pane.ref)).toEqual([stranger.ref]);
    },
  },
  {
    title: 'rings when asked, and keys that are typed at it go nowhere',
    keep: async (bench) => {
      const { terminal, request, sandbox } = bench;
      await terminal.open(request());
      await terminal.draw('crew', { text: () => 'here', bell: true });
      expect(sandbox.tmux('display-message', '-p', '-t', '=crew:0', '#{window_bell_flag}')).toBe('1');
      sandbox.tmux('send-keys', '-t', '=crew:0', 'typed', 'Enter');
      expect(await seeBoard(bench, 'here')).not.toContain('typed');
    },
  },
  {
    title: 'of a tmux session that is not there is nothing, and starts no server',
    keep: async ({ terminal, sandbox }) => {
      await terminal.draw('crew', quiet('here'));
      expect(() => sandbox.tmux('list-sessions')).toThrow(/No such file/);
    },
  },
];
