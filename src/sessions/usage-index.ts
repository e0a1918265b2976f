// What transcripts say of usage, kept in memory. Whole files are read aside, slice by slice, and then new bytes alone.
import type { Clock } from '../model/clock.ts';
import { type Looks, looksInTurn } from '../system/pace.ts';
import { openPlain } from '../system/plain-file.ts';
import { emptyLedger, type Ledger } from '../usage/ledger.ts';
import { linesIn, textAt } from './bytes.ts';
import { addUsage, type UsageTrace } from './used.ts';

interface Summed {
  readonly inode: number;
  /** The end of the last whole line that is in the ledger. */
  readonly readTo: number;
  /** As the file was when it was read last. */
  readonly size: number;
  readonly modifiedAt: number;
  /** No whole line was left. */
  readonly isWhole: boolean;
  readonly ledger: Ledger;
}

const sliceBytes = 256 * 1024;
const longestLine = 64 * 1024 * 1024;
const newline = 0x0a;

export class UsageIndex {
  readonly #clock: Clock;
  readonly #summed = new Map<string, Summed>();
  readonly #reading = new Map<string, Promise<boolean>>();
  /** The newest first. */
  #wanted = new Map<string, UsageTrace>();
  #looks: Looks | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Of each of them up to now; undefined where one is not read to its end, which `readOn` then does. */
  async ledgersOf(traces: readonly UsageTrace[]): Promise<readonly Ledger[] | undefined> {
    const ledgers = await Promise.all(traces.map((one) => this.#ledgerOf(one)));
    const known = ledgers.flatMap((one) => one ?? []);
    return known.length === ledgers.length ? known : undefined;
  }

  /** Reads what was asked for in vain, the newest first, and rests as long as it reads. Does not keep the process alive. */
  readOn(): void {
    if (this.#wanted.size === 0) return;
    this.#wanted = new Map([...this.#wanted].sort(([, a], [, b]) => b.file.modifiedAt - a.file.modifiedAt));
    this.#looks ??= looksInTurn(this.#clock, async () => {
      const [next] = this.#wanted.values();
      const from = this.#clock.now();
      if (next !== undefined && (await this.#read(next))) this.#wanted.delete(next.file.path);
      if (this.#wanted.size > 0) return Math.max(1, this.#clock.now() - from);
      this.#looks = undefined;
      return undefined;
    });
  }

  stop(): void {
    this.#wanted.clear();
    this.#looks?.stop();
    this.#looks = undefined;
  }

  async #ledgerOf(traced: UsageTrace): Promise<Ledger | undefined> {
    const { path, size, modifiedAt } = traced.file;
    const known = this.#summed.get(path);
    if (known?.isWhole === true) {
      if (known.size === size && known.modifiedAt === modifiedAt) return known.ledger;
      if (size - known.readTo <= sliceBytes && (await this.#read(traced))) return this.#summed.get(path)?.ledger;
    }
    this.#wanted.set(path, traced);
    return undefined;
  }

  /** Whether nothing is left to read. */
  #read(traced: UsageTrace): Promise<boolean> {
    const { path } = traced.file;
    const running = this.#reading.get(path);
    if (running !== undefined) return running;
    const reading = this.#readSlice(traced).finally(() => this.#reading.delete(path));
    this.#reading.set(path, reading);
    return reading;
  }

  async #readSlice(traced: UsageTrace): Promise<boolean> {
    const { path } = traced.file;
    const known = this.#summed.get(path);
    const slice = await sliceOf(path, known).catch(() => undefined);
    if (slice === undefined) {
      this.#summed.delete(path);
      return true;
    }
    const { lines, isAnew, ...rest } = slice;
    const before = isAnew ? emptyLedger : (known?.ledger ?? emptyLedger);
    this.#summed.set(path, { ...rest, ledger: addUsage(before, lines, traced) });
    return rest.isWhole;
  }
}

interface Slice extends Omit<Summed, 'ledger'> {
  readonly lines: readonly string[];
  /** The file was cut or replaced: these are its first lines. */
  readonly isAnew: boolean;
}

/** The next whole lines. Undefined where no file is; throws for what is no plain file. */
async function sliceOf(path: string, known: Summed | undefined): Promise<Slice | undefined> {
  const handle = await openPlain(path, Number.MAX_SAFE_INTEGER);
  if (handle === undefined) return undefined;
  try {
    const { ino: inode, size, mtimeMs: modifiedAt } = await handle.stat();
    let from = known?.inode === inode && known.readTo <= size ? known.readTo : 0;
    for (let bytes = sliceBytes; bytes <= longestLine; ) {
      // The byte before is the end of a line, or the file is another than it was.
      const start = Math.max(0, from - 1);
      const text = await textAt(handle, start, Math.min(bytes, size - start));
      if (from > 0 && text[0] !== newline) {
        from = 0;
        continue;
      }
      const end = text.lastIndexOf(newline) + 1;
      const isWhole = start + text.length === size;
      const readTo = start + end;
      const lines = linesIn(text.subarray(from - start, end));
      if (isWhole || readTo > from) return { lines, isAnew: from === 0, inode, readTo, size, modifiedAt, isWhole };
      bytes *= 4;
    }
    throw new Error(`${path} has a line of more than ${longestLine} bytes`);
  } finally {
    await handle.close();
  }
}
