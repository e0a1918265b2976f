// What a person types at a terminal.
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import type { ReadStream } from 'node:tty';
import type { Disposer } from '../model/clock.ts';
import type { CommandWorld, LineTyping } from './world.ts';

export interface Keyboard {
  /** One line; '' at the end of the input. */
  line(question: string, how?: LineTyping): Promise<string>;
  /** Only a line that says so is a yes; an end of the input is none. */
  saysYes(question: string): Promise<boolean>;
  /** One key; '' at the end of the input. */
  key(): Promise<string>;
  /** Resolves at q or C-c, at the end of the input, or with the promise. */
  left(signalled: Promise<void>): Promise<void>;
}

export function keyboardOf(input: ReadStream, output: Writable): Keyboard {
  async function line(question: string, how?: LineTyping): Promise<string> {
    const lines = createInterface({ input, output, terminal: how?.isPlain !== true });
    const answer = await new Promise<string>((resolve) => {
      lines.on('close', () => resolve(''));
      lines.question(question, resolve);
    });
    lines.close();
    return answer;
  }
  return {
    line,
    saysYes: async (question) => /^y(es)?$/i.test((await line(question)).trim()),
    key,
    async left(signalled) {
      const signal = signalled.then(() => 'q');
      // Raw, the terminal hands C-c over as a key.
      for (let pressed = ' '; !['q', '\u0003', ''].includes(pressed); ) pressed = await Promise.race([key(), signal]);
      input.setRawMode(false);
    },
  };
  async function key(): Promise<string> {
    input.setRawMode(true);
    input.resume();
    const pressed = await new Promise<string>((resolve) => {
      input.once('data', (bytes) => resolve(String(bytes)));
      input.once('end', () => resolve(''));
    });
    input.setRawMode(false);
    input.pause();
    return pressed;
  }
}

type Host = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'on' | 'once' | 'off'>;

/** What a word has of the terminal that a person sits at. */
export function terminalOf(host: Host): Pick<CommandWorld, 'ask' | 'person' | 'screen'> {
  const { stdin, stdout } = host;
  const keyboard = keyboardOf(stdin, stdout);
  return {
    ask: keyboard.saysYes,
    person: keyboard,
    screen: {
      size: () => ({ columns: stdout.columns, rows: stdout.rows }),
      onResize(listen) {
        stdout.on('resize', listen);
        return () => void stdout.off('resize', listen);
      },
      left: () =>
        keyboard.left(
          new Promise((resolve) => {
            for (const signal of ends) host.once(signal, () => resolve());
          }),
        ),
      onKeys: (listen) => listenRaw(host, listen),
      async lend(act) {
        const ignore = () => undefined;
        host.on('SIGINT', ignore);
        return act().finally(() => host.off('SIGINT', ignore));
      },
    },
  };
}

const ends = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function listenRaw(host: Host, listen: (typed: string) => void): Disposer {
  const { stdin } = host;
  const onData = (bytes: Buffer) => listen(String(bytes));
  const onEnd = () => listen('');
  stdin.setRawMode(true);
  stdin.resume();
  stdin.on('data', onData);
  stdin.on('end', onEnd);
  for (const signal of ends) host.on(signal, onEnd);
  return () => {
    for (const signal of ends) host.off(signal, onEnd);
    stdin.off('data', onData);
    stdin.off('end', onEnd);
    stdin.setRawMode(false);
    stdin.pause();
  };
}
