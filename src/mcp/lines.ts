// Reads and writes whole lines, however the pipes split them.
import type { Readable, Writable } from 'node:stream';
import type { Disposer } from '../model/clock.ts';

/** Larger than any sensible message, small enough for memory. */
const lineLimitBytes = 64 * 1024 * 1024;

export interface Wire {
  /** Writes one line; resolves when there is room for the next. Drops the line when the reader is gone. */
  send(line: string): Promise<void>;
  close: Disposer;
}

export interface WireListener {
  line(text: string): void;
  /** Runs for each dropped line, which was beyond the limit. */
  overlong(bytes: number): void;
  /** Runs once, at the end of input. */
  end(): void;
}

export function openWire(input: Readable, output: Writable, listener: WireListener): Wire {
  const feed = lineFeed(listener);
  const end = once(() => listener.end());
  input.on('data', feed).on('end', end).on('close', end).on('error', end);
  const sender = lineSender(output);
  return {
    send: sender.send,
    close() {
      input.off('data', feed);
      input.pause();
    },
  };
}

/** Collects chunks until a line is whole; bytes are joined once, so that a long line costs its length. */
function lineFeed(listener: WireListener): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let bytes = 0;
  const add = (part: Buffer) => {
    bytes += part.length;
    if (bytes > lineLimitBytes) parts = [];
    else if (part.length > 0) parts.push(part);
  };
  const flush = () => {
    const text = Buffer.concat(parts).toString('utf8').trim();
    const dropped = bytes > lineLimitBytes ? bytes : 0;
    parts = [];
    bytes = 0;
    if (dropped > 0) listener.overlong(dropped);
    else if (text !== '') listener.line(text);
  };
  return (chunk) => {
    let start = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, start)) {
      add(chunk.subarray(start, at));
      flush();
      start = at + 1;
    }
    add(chunk.subarray(start));
  };
}

function lineSender(output: Writable): { send(line: string): Promise<void> } {
  let gone = false;
  let waiting: (() => void)[] = [];
  const wake = () => {
    const woken = waiting;
    waiting = [];
    for (const resolve of woken) resolve();
  };
  const lose = () => {
    gone = true;
    wake();
  };
  output.on('drain', wake).on('error', lose).on('close', lose);
  return {
    send(line) {
      if (gone || output.write(`${line}\n`)) return Promise.resolve();
      return new Promise((resolve) => {
        waiting.push(resolve);
      });
    },
  };
}

function once(call: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    call();
  };
}
