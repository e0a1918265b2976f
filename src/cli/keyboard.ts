// What a person types at a terminal.
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Disposer } from '../model/clock.ts';
import { nextRound } from '../system/clock.ts';
import { type CommandWorld, isDumb, type LineTyping, type PersonScreen } from './world.ts';

export interface Keyboard {
  /** One line; undefined where the person leaves it, by C-c or C-d, and at the end of the input. */
  line(question: string, how?: LineTyping): Promise<string | undefined>;
  /** Only a line that says so is a yes; an end of the input is none. */
  saysYes(question: string): Promise<boolean>;
  /** One key; '' at the end of the input. */
  key(): Promise<string>;
  /** Drops what was typed until now, before there was anything to answer. */
  forget(): Promise<void>;
  /** Resolves at q or C-c, at the end of the input, or with the promise. */
  left(signalled: Promise<void>): Promise<void>;
}

/** A terminal, in raw mode where it hands over each key. */
type Terminal = Readable & { setRawMode(isRaw: boolean): unknown };

export function keyboardOf(input: Terminal, output: Writable): Keyboard {
  async function line(question: string, how?: LineTyping): Promise<string | undefined> {
    const lines = createInterface({ input, output, terminal: how?.isPlain !== true });
    const answer = await new Promise<string | undefined>((resolve) => {
      lines.on('close', () => resolve(undefined));
      lines.question(question, resolve);
    });
    lines.close();
    if (answer === undefined) output.write('\n');
    return answer;
  }
  return {
    line,
    saysYes: async (question) => /^y(es)?$/i.test((await line(question))?.trim() ?? ''),
    key,
    forget,
    async left(signalled) {
      const signal = signalled.then(() => 'q');
      // Raw, the terminal hands C-c over as a key.
      for (let pressed = ' '; !['q', '\u0003', ''].includes(pressed); ) pressed = await Promise.race([key(), signal]);
      input.setRawMode(false);
    },
  };
  async function forget(): Promise<void> {
    const drop = () => undefined;
    input.setRawMode(true);
    input.on('data', drop);
    input.resume();
    // The loop reads what lies there in its next round; the first may have begun.
    for (let round = 0; round < 3; round += 1) await nextRound();
    input.off('data', drop);
    input.setRawMode(false);
    input.pause();
  }
  async function key(): Promise<string> {
    if (input.readableEnded) return '';
    input.setRawMode(true);
    input.resume();
    const pressed = await new Promise<string>((resolve) => {
      const end = (text: string) => {
        input.off('data', onData).off('end', onEnd);
        resolve(text);
      };
      const onData = (bytes: Buffer) => end(String(bytes));
      const onEnd = () => end('');
      input.on('data', onData).on('end', onEnd);
    });
    input.setRawMode(false);
    input.pause();
    return pressed;
  }
}

type Host = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'env' | 'on' | 'once' | 'off'>;

/** What a word has of the terminal that a person sits at. */
export function terminalOf(host: Host): Pick<CommandWorld, 'ask' | 'person' | 'screen'> {
  const keyboard = keyboardOf(host.stdin, host.stdout);
  const rest = { ask: keyboard.saysYes, person: keyboard };
  return isDumb(host.env) ? rest : { ...rest, screen: screenOf(host, keyboard) };
}

function screenOf(host: Host, keyboard: Keyboard): PersonScreen {
  const { stdout } = host;
  return {
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
