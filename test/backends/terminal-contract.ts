// What every terminal must keep, whatever it is made of.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OpenRequest, PaneInfo, Terminal, TerminalEvent } from '../../src/backends/terminal.ts';
import { eventually, makeSandbox, type Sandbox } from '../support/sandbox.ts';

export interface Bench {
  readonly terminal: Terminal;
  readonly sandbox: Sandbox;
  request(change?: Partial<OpenRequest>): OpenRequest;
  /** Another terminal on the same socket, as another crewmux process would have it. */
  another(): Promise<Terminal>;
}

export type MakeTerminal = (sandbox: Sandbox) => Promise<Terminal>;

/** Runs `work` with a terminal of its own; everything is gone afterwards. */
export async function withTerminal(make: MakeTerminal, work: (bench: Bench) => Promise<void>): Promise<void> {
  const sandbox = makeSandbox();
  const terminals: Terminal[] = [];
  const another = async () => {
    const terminal = await make(sandbox);
    terminals.push(terminal);
    return terminal;
  };
  try {
    const cwd = sandbox.dir('work');
    await work({
      terminal: await another(),
      sandbox,
      another,
      request: (change = {}) => ({
        session: 'crew',
        cwd,
        argv: ['sleep', '600'],
        env: { PATH: sandbox.env.PATH ?? '', HOME: sandbox.home },
        placement: 'fill',
        label: { name: 'ada', annotation: '', status: 'idle', colour: 'colour39' },
        marks: { id: '0123abcd' },
        ...change,
      }),
    });
  } finally {
    for (const terminal of terminals) await terminal.dispose();
    sandbox.dispose();
  }
}

export const seeScreen = (terminal: Terminal, pane: PaneInfo, text: string): Promise<string> =>
  eventually(`${JSON.stringify(text)} on the screen`, async () => {
    const screen = await terminal.capture(pane.ref);
    return screen.includes(text) ? screen : undefined;
  });

/** A pane whose keyboard ends up byte by byte in the file that is returned. */
export async function openRecorder({ terminal, sandbox, request }: Bench, options: { bracketed?: boolean } = {}) {
  const path = join(sandbox.dir('recorded'), 'keys');
  const start = options.bracketed ? "printf '\\033[?2004h'; " : '';
  const pane = await terminal.open(
    request({ argv: ['sh', '-c', `stty raw -echo; ${start}printf ready; exec cat > "$0"`, path] }),
  );
  await seeScreen(terminal, pane, 'ready');
  return { pane, keys: () => readFileSync(path, 'utf8') };
}

export function terminalContract(make: MakeTerminal): void {
  const inTerminal = (work: (bench: Bench) => Promise<void>) => () => withTerminal(make, work);

  describe('opening', () => {
    test(
      'starts no server until the first pane',
      inTerminal(async ({ terminal, sandbox }) => {
        expect(await terminal.list()).toEqual([]);
        expect(() => sandbox.tmux('list-panes', '-a')).toThrow(/No such file/);
      }),
    );

    test(
      'runs argv itself, in its folder, with its environment and nothing else of ours',
      inTerminal(async ({ terminal, sandbox, request }) => {
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
      }),
    );

    test(
      'a program of one word is not read by a shell',
      inTerminal(async ({ terminal, sandbox, request }) => {
        const trap = join(sandbox.root, 'trap');
        const pane = await terminal.open(request({ argv: [`true; touch ${trap}`] }));
        await eventually('the pane is dead', async () => (await find(terminal, pane))?.dead);
        expect(() => readFileSync(trap)).toThrow(/ENOENT/);
      }),
    );

    test(
      'gives the pane its marks and label, in a window of 220x50',
      inTerminal(async ({ terminal, request }) => {
        const marks = { id: '0123abcd', note: 'a\tb\nc|é"$#{pid}' };
        const pane = await terminal.open(request({ marks, label: { ...request().label, annotation: 'x; y' } }));
        expect(pane.marks).toMatchObject({ ...marks, name: 'ada', annotation: 'x; y', status: 'idle' });
        expect(await terminal.list()).toEqual([expect.objectContaining({ ref: pane.ref, marks: pane.marks })]);
        expect([pane.width, pane.height]).toEqual([220, 49]);
        expect(pane).toMatchObject({ session: 'crew', dead: false, inMode: false });
      }),
    );

    test(
      'one worker never sees the environment of another',
      inTerminal(async ({ terminal, sandbox, request }) => {
        const out = join(sandbox.root, 'second');
        const env = request().env;
        await terminal.open(request({ env: { ...env, CREWMUX_TOKEN: 'first' } }));
        await terminal.open(request({ env, argv: ['sh', '-c', 'env > "$0.new"; mv "$0.new" "$0"', out] }));
        const seen = await eventually('the second has run', () => readMaybe(out));
        expect(seen).not.toContain('CREWMUX_TOKEN');
      }),
    );

    test(
      'refuses a folder that does not exist and makes nothing',
      inTerminal(async ({ terminal, sandbox, request }) => {
        const refused = terminal.open(request({ cwd: join(sandbox.root, 'absent') }));
        await expect(refused).rejects.toMatchObject({
          code: 'tmux_failed',
          message: expect.stringContaining('absent'),
        });
        expect(await terminal.list()).toEqual([]);
      }),
    );

    test(
      'fill shares a window up to four panes, a batch has windows of its own',
      inTerminal(async ({ terminal, request }) => {
        const windows: string[] = [];
        for (const placement of ['fill', 'fill', 'fill', 'fill', 'fill', { batch: 'b' }, { batch: 'b' }] as const)
          windows.push((await terminal.open(request({ placement }))).windowId);
        const [a, b, c, d, e, f, g] = windows;
        expect([b, c, d]).toEqual([a, a, a]);
        expect(e).not.toBe(a);
        expect(f).not.toBe(e);
        expect(g).toBe(f);
      }),
    );

    test(
      'sixteen at once all open, each once, four to a window',
      inTerminal(async ({ terminal, request }) => {
        const names = Array.from({ length: 16 }, (_, at) => `w${at}`);
        await Promise.all(names.map((name) => terminal.open(request({ label: { ...request().label, name } }))));
        const panes = await terminal.list();
        expect(panes.map((pane) => pane.marks.name).sort()).toEqual([...names].sort());
        expect(new Set(panes.map((pane) => pane.windowId)).size).toBe(4);
        expect(panes.every((pane) => !pane.dead)).toBe(true);
      }),
    );

    test(
      'two terminals at once open into one crew without a loss',
      inTerminal(async ({ terminal, another, request }) => {
        const other = await another();
        const both = [terminal, other].flatMap((one) => [1, 2, 3, 4].map(() => one.open(request())));
        const opened = await Promise.all(both);
        expect(new Set(opened.map((pane) => pane.ref.id)).size).toBe(8);
        expect(new Set(opened.map((pane) => pane.sessionId)).size).toBe(1);
        await other.dispose();
        expect((await terminal.list()).length).toBe(8);
      }),
    );
  });

  describe('the end of a pane', () => {
    test.each([
      ['exit 0', { exitCode: 0 }],
      ['exit 7', { exitCode: 7 }],
      ['kill -KILL $$', { exitSignal: 'SIGKILL' }],
      ['kill -TERM $$', { exitSignal: 'SIGTERM' }],
    ])('%s is told with how it ended', (script, how) =>
      withTerminal(make, async ({ terminal, request }) => {
        const events = record(terminal);
        const pane = await terminal.open(request({ argv: ['sh', '-c', script] }));
        const event = await eventually('the death is told', () => events.find((one) => one.kind === 'pane-died'));
        expect(event).toMatchObject({ kind: 'pane-died', pane: { ref: pane.ref, dead: true, ...how } });
      }),
    );

    test(
      'sixteen deaths at once are each told once',
      inTerminal(async ({ terminal, sandbox, request }) => {
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
      }),
    );

    test(
      'closing ends the program, twice is fine, and others hear that the pane is gone',
      inTerminal(async ({ terminal, another, request }) => {
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
      }),
    );

    test(
      'a server that is gone takes every pane with it, and the next open starts another',
      inTerminal(async ({ terminal, sandbox, request }) => {
        const panes = [await terminal.open(request()), await terminal.open(request())];
        const events = record(terminal);
        await terminal.list();
        sandbox.tmux('kill-server');
        await eventually('both are told', () => events.length === 2);
        expect(events).toEqual(panes.map((pane) => ({ kind: 'pane-gone', ref: pane.ref })));
        expect(await terminal.list()).toEqual([]);
        const next = await terminal.open(request());
        expect(next.ref.serverPid).not.toBe(panes[0]?.ref.serverPid);
      }),
    );

    test(
      'a pane of an older server is never taken for the one that has its id now',
      inTerminal(async ({ terminal, request }) => {
        const pane = await terminal.open(request());
        const old = { ...pane.ref, serverStartedAt: pane.ref.serverStartedAt - 1 };
        await terminal.close(old);
        await expect(terminal.deliver(old, [{ type: 'x' }])).rejects.toMatchObject({ delivery: 'not-sent' });
        await expect(terminal.capture(old)).rejects.toMatchObject({ code: 'worker_dead' });
        await expect(terminal.label(old, request().label)).rejects.toMatchObject({ code: 'worker_dead' });
        expect(await terminal.list()).toHaveLength(1);
      }),
    );

    test(
      'respawn runs another program in the same pane, and its death is told again',
      inTerminal(async ({ terminal, request }) => {
        const events = record(terminal);
        const pane = await terminal.open(request({ argv: ['sh', '-c', 'exit 1'], marks: { id: 'a', kept: 'k' } }));
        await eventually('the first death', () => events.length === 1);
        const again = await terminal.respawn(
          pane.ref,
          request({
            argv: ['sh', '-c', 'echo "<$NOTE>"; exit 2'],
            env: { ...request().env, NOTE: 'n' },
            marks: { id: 'b' },
          }),
        );
        expect(again).toMatchObject({ ref: pane.ref, marks: { id: 'b', kept: 'k' } });
        await eventually('the second death', () => events.length === 2);
        expect(events[1]).toMatchObject({ kind: 'pane-died', pane: { ref: pane.ref, exitCode: 2 } });
        expect(await terminal.capture(pane.ref)).toContain('<n>');
      }),
    );

    test(
      'a pane that runs is not respawned',
      inTerminal(async ({ terminal, request }) => {
        const pane = await terminal.open(request());
        await expect(terminal.respawn(pane.ref, request())).rejects.toMatchObject({ code: 'tmux_failed' });
        expect((await find(terminal, pane))?.pid).toBe(pane.pid);
      }),
    );
  });

  describe('the keyboard', () => {
    test(
      'strokes arrive in order, byte by byte',
      inTerminal(async (bench) => {
        const { pane, keys } = await openRecorder(bench);
        await bench.terminal.deliver(pane.ref, [
          { type: 'a;' },
          { pauseMs: 1 },
          { type: ';' },
          { type: '-x "q" $HOME #{pid} \\' },
          { press: 'Enter' },
          { paste: 'é\n"$(x)`\\;' },
          { press: 'C-c' },
          { press: ';' },
          { type: 'Enter' },
        ]);
        const expected = 'a;;-x "q" $HOME #{pid} \\\ré\n"$(x)`\\;\x03;Enter';
        await eventually('all of it', () => keys().length >= expected.length);
        expect(keys()).toBe(expected);
      }),
    );

    test(
      'a paste is bracketed where the program asks for it',
      inTerminal(async (bench) => {
        const { pane, keys } = await openRecorder(bench, { bracketed: true });
        await bench.terminal.deliver(pane.ref, [{ paste: 'one\ntwo' }, { press: 'Enter' }]);
        await eventually('the Enter', () => keys().endsWith('\r'));
        expect(keys()).toBe('\x1b[200~one\ntwo\x1b[201~\r');
      }),
    );

    test(
      'a paste of 100 KB is exact and leaves no buffer behind',
      inTerminal(async (bench) => {
        const { pane, keys } = await openRecorder(bench);
        const text = Array.from({ length: 2500 }, (_, at) => `${at} "quoted" $HOME #{pid} é😀\\;\t`).join('\n');
        expect(Buffer.byteLength(text)).toBeGreaterThan(90_000);
        await bench.terminal.deliver(pane.ref, [{ paste: text }, { press: 'C-d' }]);
        await eventually('all of it', () => keys().endsWith('\x04'), 20_000);
        expect(keys() === `${text}\x04`).toBe(true);
        expect(bench.sandbox.tmux('list-buffers')).toBe('');
      }),
    );

    test(
      'nothing is typed into a pane in which a person scrolls',
      inTerminal(async (bench) => {
        const { pane, keys } = await openRecorder(bench);
        bench.sandbox.tmux('copy-mode', '-t', pane.ref.id);
        for (const stroke of [{ type: 'x' }, { paste: 'x' }, { press: 'Enter' }])
          await expect(bench.terminal.deliver(pane.ref, [stroke])).rejects.toMatchObject({
            code: 'held',
            delivery: 'not-sent',
          });
        bench.sandbox.tmux('send-keys', '-t', pane.ref.id, '-X', 'cancel');
        await bench.terminal.deliver(pane.ref, [{ type: 'y' }]);
        await eventually('the y', () => keys() !== '');
        expect(keys()).toBe('y');
        expect(bench.sandbox.tmux('list-buffers')).toBe('');
      }),
    );

    test(
      'a failure after the first stroke does not claim that nothing was sent',
      inTerminal(async (bench) => {
        const { pane, keys } = await openRecorder(bench);
        const sending = bench.terminal.deliver(pane.ref, [{ type: 'x' }, { pauseMs: 300 }, { type: 'z' }]);
        sending.catch(() => undefined);
        await eventually('the x', () => keys() === 'x');
        bench.sandbox.tmux('copy-mode', '-t', pane.ref.id);
        await expect(sending).rejects.toMatchObject({ code: 'held', delivery: 'unknown' });
      }),
    );

    test(
      'a dead pane, a pane that is gone and a key that does not exist take nothing',
      inTerminal(async ({ terminal, request }) => {
        const pane = await terminal.open(request({ argv: ['sh', '-c', 'exit 0'] }));
        await eventually('it is dead', async () => (await find(terminal, pane))?.dead);
        const typing = () => terminal.deliver(pane.ref, [{ paste: 'x' }]);
        await expect(typing()).rejects.toMatchObject({ code: 'worker_dead', delivery: 'not-sent' });
        await expect(terminal.deliver(pane.ref, [{ press: 'Entr' }])).rejects.toMatchObject({ delivery: 'not-sent' });
        await terminal.close(pane.ref);
        await expect(typing()).rejects.toMatchObject({ code: 'worker_dead', delivery: 'not-sent' });
      }),
    );
  });

  describe('the screen', () => {
    test(
      'is captured row by row, with colours or history when asked',
      inTerminal(async ({ terminal, request }) => {
        const script = `i=0; while [ $i -lt 80 ]; do i=$((i+1)); echo "line $i"; done; printf '\\033[31mred\\033[0m'; exec sleep 600`;
        const pane = await terminal.open(request({ argv: ['sh', '-c', script] }));
        const screen = await seeScreen(terminal, pane, 'red');
        expect(screen).not.toContain('line 2\n');
        expect(screen.split('\n').length).toBe(pane.height + 1);
        expect(await terminal.capture(pane.ref, { colours: true })).toContain('\x1b[31mred');
        const history = await terminal.capture(pane.ref, { lines: 60 });
        expect(history.split('\n').slice(0, 2)).toEqual(['line 22', 'line 23']);
        expect(history.endsWith('line 80\nred\n')).toBe(true);
      }),
    );

    test(
      'no text of a label is ever run or expanded',
      inTerminal(async ({ terminal, sandbox, request }) => {
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
      }),
    );
  });

  test(
    'letting go leaves the panes running and another terminal finds them with all their marks',
    inTerminal(async ({ terminal, another, request }) => {
      const pane = await terminal.open(request({ marks: { id: 'x', rare: 'value' } }));
      await terminal.dispose();
      const found = await (await another()).list();
      expect(found).toEqual([expect.objectContaining({ ref: pane.ref, pid: pane.pid, marks: pane.marks })]);
    }),
  );
}

export const find = async (terminal: Terminal, pane: PaneInfo): Promise<PaneInfo | undefined> =>
  (await terminal.list()).find((one) => one.ref.id === pane.ref.id);

function record(terminal: Terminal): TerminalEvent[] {
  const events: TerminalEvent[] = [];
  terminal.watch((event) => events.push(event));
  return events;
}

function readMaybe(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function readJson(path: string) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
