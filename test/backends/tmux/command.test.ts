// Words must reach tmux as they are, through either of its parsers.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandLine } from '../../../src/backends/tmux/command.ts';
import { type ControlClient, connectControl } from '../../../src/backends/tmux/control-client.ts';
import { askOnce } from '../../../src/backends/tmux/one-shot.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { eventually, makeSandbox, type Sandbox } from '../../support/sandbox.ts';
import { nastyWords, word } from './nasty-words.ts';
import { expectKept, store } from './stored-word.ts';

test('a command is one line, whatever its words', () => {
  fc.assert(
    fc.property(fc.array(word), (words) => {
      expect(commandLine(['x', ...words])).not.toMatch(/[\x00-\x1f]/);
    }),
  );
});

describe('with real tmux', () => {
  let sandbox: Sandbox;
  let client: ControlClient;
  const address = () => ({ socket: sandbox.socket, env: sandbox.env });
  beforeAll(async () => {
    sandbox = makeSandbox();
    sandbox.tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'keeper', 'sleep', '600');
    client = await eventually('a connection', async () => {
      const connection = await connectControl(address(), systemClock, 'keeper');
      return connection.is === 'open' && connection.client;
    });
  });
  afterAll(async () => {
    await client.close();
    sandbox.dispose();
  });
  test.each(nastyWords)('the word %j survives the kept client, also inside another command', async (text) => {
    await expectKept(client, text);
  });

  test('every word survives a process of its own', async () => {
    for (const text of nastyWords.slice(-4)) {
      expect(await askOnce(address(), store(text))).toEqual({ is: 'done', output: `${text}\n` });
    }
  });

  test('a NUL is refused, as nothing can carry it', async () => {
    expect(await client.ask(store('a\0b'))).toMatchObject({ is: 'refused' });
  });

  test('a thousand commands at once are answered each with its own answer', async () => {
    const numbers = Array.from({ length: 1000 }, (_, at) => at);
    const replies = await Promise.all(
      numbers.map((at) => client.ask(at % 7 === 0 ? [['nonsense']] : [['display-message', '-p', `n${at}`]])),
    );
    for (const at of numbers)
      expect(replies[at]).toMatchObject(at % 7 === 0 ? { is: 'refused' } : { is: 'done', output: `n${at}\n` });
  });

  test('a refusal ends its list and spares the next one', async () => {
    const [first, second] = await Promise.all([
      client.ask([['display-message', '-p', 'a'], ['nonsense'], ['set-option', '-g', '@kept', 'no']]),
      client.ask([['display-message', '-p', 'b']]),
    ]);
    expect(first).toMatchObject({ is: 'refused' });
    expect(second).toEqual({ is: 'done', output: 'b\n' });
  });
});
