// Keys from the terminal, one call each.
import type { ReadStream } from 'node:tty';
import type { Clock, Disposer } from '../../model/clock.ts';
import { escapeKey, type Key, readKeys } from './keys.ts';

/** An Escape with nothing behind it for this long is the key; before that it may begin a sequence. */
const escapeMs = 30;

export function listenToKeys(stdin: ReadStream, clock: Clock, onKey: (key: Key) => void): Disposer {
  let rest = '';
  let cancel: Disposer = () => undefined;
  const onData = (chunk: string | Buffer) => {
    cancel();
    const read = readKeys(rest + chunk.toString());
    rest = read.rest;
    for (const key of read.keys) onKey(key);
    if (rest !== '\u001b') return;
    cancel = clock.after(escapeMs, () => {
      rest = '';
      onKey(escapeKey);
    });
  };
  stdin.setEncoding('utf8');
  stdin.setRawMode(true);
  stdin.on('data', onData);
  // Its end is told by a signal as well.
  stdin.on('error', () => undefined);
  return () => {
    cancel();
    stdin.off('data', onData);
    stdin.pause();
    try {
      stdin.setRawMode(false);
    } catch {
      // The terminal is gone.
    }
  };
}
