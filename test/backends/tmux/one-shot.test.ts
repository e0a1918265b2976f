import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listPanesOf } from '../../../src/backends/tmux/look.ts';
import { askOnce, replyOf } from '../../../src/backends/tmux/one-shot.ts';
import { makeSandbox } from '../../support/sandbox.ts';

const ran = { exitCode: 1, signal: undefined, stdout: '', stderr: '', timedOut: false, startError: undefined };

test.each([
  ['an answer', { exitCode: 0, stdout: 'x\n' }, { is: 'done', output: 'x\n' }],
  ['no socket', { stderr: 'error connecting to /tmp/tmux-0/x (No such file or directory)\n' }, { is: 'absent' }],
  ['a stale socket', { stderr: 'no server running on /tmp/tmux-0/x\n' }, { is: 'absent' }],
  ["another user's socket", { stderr: 'error connecting to /tmp/x (Permission denied)\n' }, { is: 'refused' }],
  ['a refusal', { stderr: "can't find pane: %9\n" }, { is: 'refused', words: "can't find pane: %9" }],
  ['a server that ends', { stderr: 'server exited unexpectedly\n' }, { is: 'lost' }],
  ['a deadline', { exitCode: undefined, timedOut: true }, { is: 'lost' }],
  ['a deadline after which tmux ends as if all was well', { exitCode: 0, timedOut: true }, { is: 'lost' }],
  ['a killed tmux', { exitCode: undefined, signal: 'SIGKILL' }, { is: 'lost' }],
  ['no tmux', { exitCode: undefined, startError: 'ENOENT' }, { is: 'refused' }],
])('%s is told apart', (_, result, reply) => {
  expect(replyOf({ ...ran, ...result })).toMatchObject(reply);
});

/** A socket at which `clients` are turned away as a server that ends does; then nobody is there. */
async function endingServer(clients: number, work: (socket: string, seen: () => number) => Promise<void>) {
  const sandbox = makeSandbox();
  const socket = join(sandbox.root, 's');
  let seen = 0;
  const server = createServer((client) => {
    client.on('error', () => undefined).destroy();
    seen += 1;
    if (seen === clients) server.close();
  }).listen(socket);
  await once(server, 'listening');
  try {
    await work(socket, () => seen);
  } finally {
    server.close();
    sandbox.dispose();
  }
}

test('a server that ends has no panes, however long it takes no clients', async () => {
  await endingServer(3, async (socket) => {
    expect(await listPanesOf({ socket, env: { PATH: process.env.PATH ?? '' } })).toEqual([]);
  });
});

test('what may not run twice is lost with a server that ends', async () => {
  await endingServer(3, async (socket, seen) => {
    const reply = await askOnce({ socket, env: { PATH: process.env.PATH ?? '' } }, [['new-session', '-d']]);
    expect(reply).toMatchObject({ is: 'lost', words: 'server exited unexpectedly' });
    expect(seen()).toBe(1);
  });
});
