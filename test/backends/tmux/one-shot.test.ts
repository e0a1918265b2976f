import { expect, test } from 'vitest';
import { replyOf } from '../../../src/backends/tmux/one-shot.ts';

const ran = { exitCode: 1, signal: undefined, stdout: '', stderr: '', timedOut: false, startError: undefined };

test.each([
  ['an answer', { exitCode: 0, stdout: 'x\n' }, { is: 'done', output: 'x\n' }],
  ['no socket', { stderr: 'error connecting to /tmp/tmux-0/x (No such file or directory)\n' }, { is: 'absent' }],
  ['a stale socket', { stderr: 'no server running on /tmp/tmux-0/x\n' }, { is: 'absent' }],
  ["another user's socket", { stderr: 'error connecting to /tmp/x (Permission denied)\n' }, { is: 'refused' }],
  ['a refusal', { stderr: "can't find pane: %9\n" }, { is: 'refused', words: "can't find pane: %9" }],
  ['a server that ends', { stderr: 'server exited unexpectedly\n' }, { is: 'lost' }],
  ['a deadline', { exitCode: undefined, timedOut: true }, { is: 'lost' }],
  ['a killed tmux', { exitCode: undefined, signal: 'SIGKILL' }, { is: 'lost' }],
  ['no tmux', { exitCode: undefined, startError: 'ENOENT' }, { is: 'refused' }],
])('%s is told apart', (_, result, reply) => {
  expect(replyOf({ ...ran, ...result })).toMatchObject(reply);
});
