// What happens when the kept client, the server or tmux itself is not there.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Terminal } from '../../../src/backends/terminal.ts';
import { connectControl } from '../../../src/backends/tmux/control-client.ts';
import { keeper } from '../../../src/backends/tmux/kept.ts';
import { askOnce } from '../../../src/backends/tmux/one-shot.ts';
import { listPanesOf, openTmux } from '../../../src/backends/tmux/tmux.ts';
import type { Clock } from '../../../src/model/clock.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { eventually, makeSandbox } from '../../support/sandbox.ts';
import { type Bench, isRunning, openRecorder, tmuxOf, withTerminal } from '../terminal-bench.ts';

const inTmux = (work: (bench: Bench & { readonly tmux: Terminal }) => Promise<void>) => () =>
  withTerminal(tmuxOf, (bench) => work({ ...bench, tmux: bench.terminal }));

const hurried: Clock = { ...systemClock, after: (delayMs, call) => systemClock.after(delayMs / 20, call) };

const clientPids = ({ sandbox }: Bench): readonly number[] =>
  sandbox.tmux('list-clients', '-F', '#{client_pid}').split('\n').filter(Boolean).map(Number);

test(
  'killed clients are replaced, and deaths are still told',
  inTmux(async (bench) => {
    const { tmux, request } = bench;
    const pane = await tmux.open(request({ argv: ['sh', '-c', 'read x; exit 5'] }));
    const events: unknown[] = [];
    tmux.watch((event) => event.kind === 'pane-moved' || events.push(event));
    const before = await eventually('two clients', () => clientPids(bench).length === 2 && clientPids(bench));
    for (const pid of before) process.kill(pid, 'SIGKILL');
    expect(await tmux.list()).toHaveLength(1);
    await eventually('two new clients', () => clientPids(bench).filter((pid) => !before.includes(pid)).length === 2);
    await tmux.deliver(pane.ref, [{ press: 'Enter' }]);
    await eventually('the death', () => events.length > 0);
    expect(events).toMatchObject([{ kind: 'pane-died', pane: { exitCode: 5 } }]);
  }),
);

test(
  'managers that come and go while others open and close do not end the server',
  inTmux(async ({ tmux, another, request }) => {
    const stays = await tmux.open(request({ session: 'stays' }));
    const comeAndGo = async () => {
      for (let round = 0; round < 25; round += 1) {
        const manager = await another();
        await manager.list();
        await manager.dispose();
      }
    };
    const openAndClose = async () => {
      for (let round = 0; round < 25; round += 1) await tmux.close((await tmux.open(request())).ref);
    };
    await Promise.all([comeAndGo(), comeAndGo(), openAndClose()]);
    expect((await tmux.list()).map((pane) => pane.ref)).toEqual([stays.ref]);
  }),
);

test('a server that hangs is not taken for one that is gone, nor a keystroke for one that was not sent', async () => {
  const clocks = [systemClock, hurried];
  await withTerminal(
    (sandbox) => tmuxOf(sandbox, { clock: clocks.shift() ?? systemClock }),
    async ({ terminal, another, request }) => {
      const pane = await terminal.open(request());
      const hasty = await another();
      await hasty.list();
      process.kill(pane.ref.serverPid, 'SIGSTOP');
      const typing = hasty.deliver(pane.ref, [{ type: 'x' }]);
      try {
        await expect(typing).rejects.toMatchObject({ code: 'tmux_failed', delivery: 'unknown' });
      } finally {
        process.kill(pane.ref.serverPid, 'SIGCONT');
      }
      expect(await terminal.list()).toHaveLength(1);
    },
  );
});

test(
  'a server that hangs keeps nobody waiting who was not connected to it before',
  inTmux(async ({ tmux, request, sandbox }) => {
    const pane = await tmux.open(request());
    const address = { socket: sandbox.socket, env: sandbox.env };
    process.kill(pane.ref.serverPid, 'SIGSTOP');
    try {
      expect(await connectControl(address, hurried, keeper)).toMatchObject({ is: 'refused' });
      expect(await askOnce(address, [['list-sessions']], { timeoutMs: 300 })).toMatchObject({ is: 'lost' });
    } finally {
      process.kill(pane.ref.serverPid, 'SIGCONT');
    }
  }),
);

test(
  'a keystroke whose answer is lost is not typed again',
  inTmux(async (bench) => {
    const { pane, keys } = await openRecorder(bench);
    const clients = await eventually('a kept client', () => {
      const pids = clientPids(bench);
      return pids.length === 1 && pids;
    });
    process.kill(pane.ref.serverPid, 'SIGSTOP');
    try {
      const typing = bench.tmux.deliver(pane.ref, [{ type: 'x' }]);
      for (const pid of clients) process.kill(pid, 'SIGKILL');
      await expect(typing).rejects.toMatchObject({ code: 'tmux_failed', delivery: 'unknown' });
    } finally {
      process.kill(pane.ref.serverPid, 'SIGCONT');
    }
    await bench.tmux.deliver(pane.ref, [{ type: 'y' }]);
    await eventually('the y', () => keys().endsWith('y'));
    expect(['xy', 'y']).toContain(keys());
  }),
);

test(
  'the end of one crew does not end the client that serves the others',
  inTmux(async (bench) => {
    const { tmux, request, sandbox } = bench;
    await tmux.open(request({ session: 'one' }));
    await tmux.open(request({ session: 'two' }));
    const clients = clientPids(bench);
    sandbox.tmux('kill-session', '-t', '=one');
    expect((await tmux.list()).map((pane) => pane.session)).toEqual(['two']);
    expect(clientPids(bench)).toEqual(clients);
  }),
);

test(
  'letting go ends our clients, and the server once no crew is left',
  inTmux(async (bench) => {
    const { tmux, request, sandbox, another } = bench;
    const pane = await tmux.open(request());
    tmux.watch(() => undefined);
    await eventually('two clients', () => clientPids(bench).length === 2);
    await tmux.dispose();
    expect(clientPids(bench)).toEqual([]);
    expect(sandbox.tmux('list-sessions', '-F', '#{session_name}').split('\n').sort()).toEqual(['_crewmux', 'crew']);
    const next = await another();
    await next.close(pane.ref);
    await next.dispose();
    // A server that is slow to answer is left alone, and who lets go next ends it.
    await eventually('no server', async () => {
      await (await another()).dispose();
      return !isRunning(pane.ref.serverPid);
    });
  }),
);

test('a manager that is killed leaves no client behind, and the server can still be ended', async () => {
  await withTerminal(tmuxOf, async (bench) => {
    const { terminal, sandbox, request } = bench;
    const pane = await terminal.open(request());
    const source = (path: string) => JSON.stringify(new URL(`../../../src/${path}`, import.meta.url).href);
    const manager = join(sandbox.root, 'manager.mjs');
    writeFileSync(
      manager,
      `import { openTmux } from ${source('backends/tmux/tmux.ts')};
       import { systemClock } from ${source('system/clock.ts')};
       const terminal = await openTmux({ socket: ${JSON.stringify(sandbox.socket)}, env: process.env, clock: systemClock });
       terminal.watch(() => {});
       for (;;) await Promise.all(Array.from({ length: 100 }, () => terminal.list()));`,
    );
    const typescript = fileURLToPath(new URL('../../../scripts/ts.mjs', import.meta.url));
    const child = spawn(process.execPath, ['--import', typescript, manager], { env: sandbox.env, stdio: 'ignore' });
    try {
      await eventually('its two clients beside our own', () => clientPids(bench).length === 3);
    } finally {
      child.kill('SIGKILL');
    }
    await eventually('only our own client', () => clientPids(bench).length === 1);
    await terminal.dispose();
    sandbox.tmux('kill-server');
    await eventually('the server has ended', () => !isRunning(pane.ref.serverPid));
  });
});

test(
  'an argument of 110 KB arrives through the kept client',
  inTmux(async ({ tmux, request, sandbox }) => {
    const text = '"é$;\\\n'.repeat(14_000);
    expect(Buffer.byteLength(text)).toBeGreaterThan(95_000);
    const out = join(sandbox.root, 'out');
    await tmux.open(request({ argv: ['sh', '-c', 'printf %s "$1" > "$0.new"; mv "$0.new" "$0"', out, text] }));
    const arrived = await eventually('the argument', () => existsSync(out) && readFileSync(out, 'utf8'));
    expect(arrived === text).toBe(true);
  }),
);

test('with a process for each command, a line too long for tmux says so and leaves nothing', async () => {
  await withTerminal(
    (sandbox) => tmuxOf(sandbox, { transport: 'one-shot' }),
    async ({ terminal, request }) => {
      await expect(terminal.open(request({ argv: ['echo', 'x'.repeat(20_000)] }))).rejects.toMatchObject({
        code: 'tmux_failed',
        hint: expect.stringContaining('put long texts in a file'),
      });
      expect(await terminal.list()).toEqual([]);
    },
  );
});

test(
  'an argument no program can be given is refused before anything is made',
  inTmux(async ({ tmux, request }) => {
    const tooLong = tmux.open(request({ argv: ['echo', 'x'.repeat(131_072)] }));
    await expect(tooLong).rejects.toMatchObject({ code: 'tmux_failed', hint: expect.stringContaining('file') });
    expect(await tmux.list()).toEqual([]);
  }),
);

test(
  'what the manager has in its environment does not reach a pane',
  inTmux(async (bench) => {
    const { sandbox, request } = bench;
    process.env.CREWMUX_TEST_SECRET = 'leak';
    try {
      await bench.tmux.open(request());
      expect(sandbox.tmux('show-environment', '-g')).not.toContain('leak');
    } finally {
      delete process.env.CREWMUX_TEST_SECRET;
    }
  }),
);

test('panes of any server are listed, and none is started for it', async () => {
  const sandbox = makeSandbox();
  try {
    const address = { socket: sandbox.socket, env: { ...sandbox.env, TMUX: '/nowhere,1,0' } };
    expect(await listPanesOf(address)).toEqual([]);
    expect(() => sandbox.tmux('list-sessions')).toThrow(/No such file/);
    sandbox.tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'theirs', '-c', sandbox.dir('a b'), 'sleep', '600');
    const [pane] = await eventually('it sleeps', async () => {
      const panes = await listPanesOf(address);
      return panes[0]?.command === 'sleep' && panes;
    });
    expect(pane).toMatchObject({ session: 'theirs', command: 'sleep', cwd: join(sandbox.root, 'a b'), marks: {} });
    const path = sandbox.tmux('display-message', '-p', '#{socket_path}');
    expect(await listPanesOf({ ...address, socket: path })).toEqual([{ ...pane, ref: { ...pane?.ref, socket: path } }]);
  } finally {
    sandbox.dispose();
  }
});

test('a server that is not ours is read and typed into without being changed', async () => {
  await withTerminal(tmuxOf, async ({ terminal, sandbox }) => {
    sandbox.tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'theirs', 'cat');
    const [pane] = await terminal.list();
    if (pane === undefined) throw new Error('no pane');
    await terminal.deliver(pane.ref, [{ type: 'hello' }]);
    await eventually('the text', async () => (await terminal.capture(pane.ref)).includes('hello'));
    await terminal.dispose();
    expect(sandbox.tmux('list-sessions', '-F', '#{session_name}')).toBe('theirs');
    expect(sandbox.tmux('show-options', '-g', 'remain-on-exit')).toContain('off');
  });
});

test.each([
  ['no tmux', undefined, { code: 'tmux_missing', hint: expect.stringContaining('apt install tmux') }],
  ['an old tmux', 'tmux 2.9a', { code: 'tmux_too_old', message: expect.stringContaining('2.9a') }],
  ['something else', 'hello', { code: 'tmux_missing' }],
])('%s is an error that says what to install', async (_, says, error) => {
  const sandbox = makeSandbox();
  try {
    const bin = sandbox.dir('bin');
    if (says !== undefined) writeFileSync(join(bin, 'tmux'), `#!/bin/sh\necho "${says}"\n`, { mode: 0o755 });
    const opening = openTmux({ socket: sandbox.socket, env: { ...sandbox.env, PATH: bin }, clock: systemClock });
    await expect(opening).rejects.toMatchObject(error);
  } finally {
    sandbox.dispose();
  }
});
