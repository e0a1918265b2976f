// What a person types at a terminal.
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import type { ReadStream } from 'node:tty';

export interface Keyboard {
  /** One line; '' at the end of the input. */
  line(question: string): Promise<string>;
  /** Only a line that says so is a yes; an end of the input is none. */
  saysYes(question: string): Promise<boolean>;
  /** One key; '' at the end of the input. */
  key(): Promise<string>;
  /** Resolves at q or C-c, at the end of the input, or with the promise. */
  left(signalled: Promise<void>): Promise<void>;
}

export function keyboardOf(input: ReadStream, output: Writable): Keyboard {
  async function line(question: string): Promise<string> {
    const lines = createInterface({ input, output });
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
