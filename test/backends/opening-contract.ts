// What must be true of a pane that opens.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { eventually } from '../support/sandbox.ts';
import { type ContractCase, readJson, readMaybe, untilDead } from './terminal-bench.ts';

export const opening: readonly ContractCase[] = [
  {
    title: 'starts no server until the first pane',
    keep: async ({ terminal, sandbox }) => {
      expect(await terminal.list()).toEqual([]);
      expect(() => sandbox.tmux('list-panes', '-a')).toThrow(/No such file/);
    },
  },
  {
    title: 'runs argv itself, in its folder, with its environment and nothing else of ours',
    keep: async ({ terminal, sandbox, request }) => {
      const cwd = sandbox.dir('a b');
      const out = join(sandbox.root, 'seen.json');
      const argv = [
        'node',
        '-e',
        '%SCRIPT%',
        '--',
        'a b',
        'c;',
        ';',
        '$HOME',
        '#{pane_id}',
        "it's",
        'x\ny',
        '',
        '-é"\\',
      ];
      const script = `require('fs').writeFileSync(${JSON.stringify(out)}, JSON.stringify({ argv: process.argv.slice(1), env: process.env, cwd: process.cwd() }))`;
      const pane = await terminal.open(
        request({
          cwd,
          argv: argv.map((word) => (word === '%SCRIPT%' ? script : word)),
          env: { PATH: sandbox.env.PATH ?? '', HOME: '/else', NOTE: 'a\nb; $HOME #{pid} "q"', EMPTY: '' },
        }),
      );
      const seen = await eventually('the program has run', () => readJson(out));
      expect(seen).toMatchObject({ argv: argv.slice(4), cwd });
      expect(seen.env).toMatchObject({ HOME: '/else', NOTE: 'a\nb; $HOME #{pid} "q"', EMPTY: '' });
      expect(Object.keys(seen.env)).not.toContain('VITEST');
      expect(pane.ref.id).toMatch(/^%\d+$/);
    },
  },
  {
    title: 'a program of one word is not read by a shell',
    keep: async ({ terminal, sandbox, request }) => {
      const trap = join(sandbox.root, 'trap');
      const pane = await terminal.open(request({ argv: [`true; touch ${trap}`] }));
      await untilDead(terminal, pane);
      expect(() => readFileSync(trap)).toThrow(/ENOENT/);
    },
  },
  {
    title: 'gives the pane its marks and label, in a window of which a quarter still shows a dialog whole',
    keep: async ({ terminal, request }) => {
      const marks = { id: '0123abcd', note: 'a\tb\nc|é"$#{pid}' };
      const pane = await terminal.open(request({ marks, label: { ...request().label, annotation: 'x; y' } }));
      expect(pane.marks).toMatchObject({ ...marks, name: 'ada', annotation: 'x; y', status: 'idle' });
      expect(await terminal.list()).toEqual([expect.objectContaining({ ref: pane.ref, marks: pane.marks })]);
      expect([pane.width, pane.height]).toEqual([320, 99]);
      expect(pane).toMatchObject({ session: 'crew', dead: false, inMode: false });
    },
  },
  {
    title: 'one worker never sees the environment of another',
    keep: async ({ terminal, sandbox, request }) => {
      const out = join(sandbox.root, 'second');
      const env = request().env;
      await terminal.open(request({ env: { ...env, CREWMUX_TOKEN: 'first' } }));
      await terminal.open(request({ env, argv: ['sh', '-c', 'env > "$0.new"; mv "$0.new" "$0"', out] }));
      const seen = await eventually('the second has run', () => readMaybe(out));
      expect(seen).not.toContain('CREWMUX_TOKEN');
    },
  },
  {
    title: 'refuses a folder that does not exist and makes nothing',
    keep: async ({ terminal, sandbox, request }) => {
      const refused = terminal.open(request({ cwd: join(sandbox.root, 'absent') }));
      await expect(refused).rejects.toMatchObject({
        code: 'tmux_failed',
        message: expect.stringContaining('absent'),
      });
      expect(await terminal.list()).toEqual([]);
    },
  },
  {
    title: 'fill shares a window up to four panes, a batch has windows of its own',
    keep: async ({ terminal, request }) => {
      const windows: string[] = [];
      for (const placement of ['fill', 'fill', 'fill', 'fill', 'fill', { batch: 'b' }, { batch: 'b' }] as const)
        windows.push((await terminal.open(request({ placement }))).windowId);
      const [a, b, c, d, e, f, g] = windows;
      expect([b, c, d]).toEqual([a, a, a]);
      expect(e).not.toBe(a);
      expect(f).not.toBe(e);
      expect(g).toBe(f);
    },
  },
  {
    title: 'sixteen at once all open, each once, four to a window',
    keep: async ({ terminal, request }) => {
      const names = Array.from({ length: 16 }, (_, at) => `w${at}`);
      await Promise.all(names.map((name) => terminal.open(request({ label: { ...request().label, name } }))));
      const panes = await terminal.list();
      expect(panes.map((pane) => pane.marks.name).sort()).toEqual([...names].sort());
      expect(new Set(panes.map((pane) => pane.windowId)).size).toBe(4);
      expect(panes.every((pane) => !pane.dead)).toBe(true);
    },
  },
  {
    title: 'two terminals at once open into one crew without a loss',
    keep: async ({ terminal, another, request }) => {
      const other = await another();
      const both = [terminal, other].flatMap((one) => [1, 2, 3, 4].map(() => one.open(request())));
      const opened = await Promise.all(both);
      expect(new Set(opened.map((pane) => pane.ref.id)).size).toBe(8);
      expect(new Set(opened.map((pane) => pane.sessionId)).size).toBe(1);
      await other.dispose();
      expect((await terminal.list()).length).toBe(8);
    },
  },
];
