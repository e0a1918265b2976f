// What must be true of what a pane shows, and of letting go.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { eventually } from '../support/sandbox.ts';
import { type ContractCase, find, seeScreen } from './terminal-bench.ts';

export const screen: readonly ContractCase[] = [
  {
    title: 'is captured row by row, with colours or history when asked',
    keep: async ({ terminal, request }) => {
      const script = `i=0; while [ $i -lt 150 ]; do i=$((i+1)); echo "line $i"; done; printf '\\033[31mred\\033[0m'; exec sleep 600`;
      const pane = await terminal.open(request({ argv: ['sh', '-c', script] }));
      const screen = await seeScreen(terminal, pane, 'red');
      expect(screen).not.toContain('line 2\n');
      expect(screen.split('\n').length).toBe(pane.height + 1);
      expect(await terminal.capture(pane.ref, { colours: true })).toContain('\x1b[31mred');
      const history = await terminal.capture(pane.ref, { lines: 130 });
      expect(history.split('\n').slice(0, 2)).toEqual(['line 22', 'line 23']);
      expect(history.endsWith('line 150\nred\n')).toBe(true);
    },
  },
  {
    title: 'a look is the screen with its colours, and the title the program gave',
    keep: async ({ terminal, request }) => {
      const script = `printf '\\033]0;Ready | of ä\\007one\\n\\033[31mred\\033[0m'; exec sleep 600`;
      const pane = await terminal.open(request({ argv: ['sh', '-c', script] }));
      await seeScreen(terminal, pane, 'red');
      const { screen, title } = await terminal.look(pane.ref);
      expect(title).toBe('Ready | of ä');
      expect(screen.split('\n').slice(0, 2)).toEqual(['one', expect.stringContaining('\x1b[31mred')]);
      expect(screen).toBe(await terminal.capture(pane.ref, { colours: true }));
      await terminal.close(pane.ref);
      await expect(terminal.look(pane.ref)).rejects.toMatchObject({ code: 'worker_dead' });
    },
  },
  {
    title: 'what is written in a pane that stood still is told',
    keep: async ({ terminal, request }) => {
      const pane = await terminal.open(request({ argv: ['cat'] }));
      let moves = 0;
      terminal.watch((event) => {
        if (event.kind === 'pane-moved' && event.ref.id === pane.ref.id) moves += 1;
      });
      // A look or two after its start it has nothing more to tell.
      await eventually('it stands still', async () => {
        const [before] = await terminal.list();
        return before?.activeAt !== undefined && Date.now() / 1000 - before.activeAt > 2.5;
      });
      const before = moves;
      await terminal.deliver(pane.ref, [{ type: 'x' }]);
      await eventually('it is told', () => moves > before);
    },
  },
  {
    title: 'no text of a label is ever run or expanded',
    keep: async ({ terminal, sandbox, request }) => {
      const trap = join(sandbox.root, 'trap');
      const evil = `#(touch ${trap}) #{pid} #[fg=red] %H , } "`;
      const pane = await terminal.open(
        request({ label: { name: 'ada', annotation: evil, status: '', colour: '#(x)' } }),
      );
      await terminal.label(
        pane.ref,
        { name: 'ada', annotation: evil, status: evil, colour: 'colour12' },
        { more: 'm' },
      );
      expect((await find(terminal, pane))?.marks).toMatchObject({ annotation: evil, status: evil, more: 'm' });
      expect(() => readFileSync(trap)).toThrow(/ENOENT/);
    },
  },
  {
    title: 'letting go leaves the panes running and another terminal finds them with all their marks',
    keep: async ({ terminal, another, request }) => {
      const pane = await terminal.open(request({ marks: { id: 'x', rare: 'value' } }));
      await terminal.dispose();
      const found = await (await another()).list();
      expect(found).toEqual([expect.objectContaining({ ref: pane.ref, pid: pane.pid, marks: pane.marks })]);
    },
  },
  {
    title: 'all who ask at once learn marks that they did not know of, also after the server was started anew',
    keep: async ({ terminal, another, sandbox, request }) => {
      await terminal.open(request({ marks: { rare: 'first' } }));
      sandbox.tmux('kill-server');
      await eventually('it is gone', async () => (await terminal.list()).length === 0);
      await terminal.open(request({ marks: { rare: 'second' } }));
      const other = await another();
      const lists = await Promise.all([other.list(), other.list(), other.list()]);
      expect(lists.map((panes) => panes.map(({ marks }) => marks.rare))).toEqual([['second'], ['second'], ['second']]);
    },
  },
  {
    title: 'what is opened after letting go fails, and starts no server',
    keep: async ({ terminal, sandbox, request }) => {
      await terminal.dispose();
      await expect(terminal.open(request())).rejects.toMatchObject({ code: 'internal' });
      expect(() => sandbox.tmux('list-sessions')).toThrow(/No such file/);
    },
  },
];
