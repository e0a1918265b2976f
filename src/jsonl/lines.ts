// Bytes in, whole lines out.

const newline = 0x0a;

export interface LineSplitter {
  /** The lines this chunk completes, blank ones left out; what follows the last newline is kept for later. */
  push(chunk: Buffer): string[];
  /** Bytes kept that no newline has ended yet. */
  readonly pendingBytes: number;
  /** Forgets the unfinished line. */
  reset(): void;
}

/** Splits in the bytes, so that a chunk may end inside a character as well as inside a line. */
export function lineSplitter(): LineSplitter {
  let pending: Buffer[] = [];
  let pendingBytes = 0;

  const reset = () => {
    pending = [];
    pendingBytes = 0;
  };
  const keep = (rest: Buffer) => {
    if (rest.length === 0) return;
    // A copy: the chunk's memory belongs to the reader.
    pending.push(Buffer.from(rest));
    pendingBytes += rest.length;
  };
  const finish = (end: Buffer): string => {
    const line = pending.length === 0 ? end : Buffer.concat([...pending, end]);
    reset();
    return line.toString('utf8');
  };

  return {
    push(chunk) {
      const lines: string[] = [];
      let from = 0;
      for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
        const line = finish(chunk.subarray(from, at));
        if (line.trim() !== '') lines.push(line);
        from = at + 1;
      }
      keep(chunk.subarray(from));
      return lines;
    },
    get pendingBytes() {
      return pendingBytes;
    },
    reset,
  };
}
