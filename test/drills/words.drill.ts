// Any word reaches tmux as it is, over the kept client and by a process of its own.
import fc from 'fast-check';
import { expect } from 'vitest';
import { connectControl } from '../../src/backends/tmux/control-client.ts';
import { askOnce } from '../../src/backends/tmux/one-shot.ts';
import { systemClock } from '../../src/system/clock.ts';
import { word } from '../backends/tmux/nasty-words.ts';
import { expectKept, store } from '../backends/tmux/stored-word.ts';
import { makeSandbox } from '../support/sandbox.ts';
import { drill } from './drill.ts';

const many = fc.array(word, { minLength: 60, maxLength: 60 });

drill('any word survives both ways to tmux', async (luck) => {
  const sandbox = makeSandbox();
  const address = { socket: sandbox.socket, env: sandbox.env };
  sandbox.tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'keeper', 'sleep', '600');
  const connection = await connectControl(address, systemClock, 'keeper');
  if (connection.is !== 'open') throw new Error(connection.is);
  try {
    const words = luck.draw(many);
    for (const text of words) await expectKept(connection.client, text);
    for (const text of words.slice(0, 20)) {
      expect(await askOnce(address, store(text))).toEqual({ is: 'done', output: `${text}\n` });
    }
  } finally {
    await connection.client.close();
    sandbox.dispose();
  }
});
