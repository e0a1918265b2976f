// Where the reading of a shell line stands, and how it is given up.
import type { Command, Given, Step } from './script.ts';

/** A line that cannot be told apart for certain. */
export class Unclear extends Error {}

export const unclear = (reason: string): never => {
  throw new Unclear(reason);
};

/** A here-document whose text begins after the current line. */
export interface Awaited {
  readonly end: string;
  readonly isQuoted: boolean;
  readonly stripsTabs: boolean;
  readonly take: (given: Given) => void;
}

const deepest = 25;

export class Cursor {
  readonly text: string;
  at = 0;
  /** Everything found so far; what runs to make a word of a command stands before it. */
  readonly steps: Step[] = [];
  /** Commands found within the words that are being read. */
  within: readonly Command[] = [];
  awaited: Awaited[] = [];
  readonly #shared: { depth: number; groups: number; loops: number };

  constructor(text: string, outer?: Cursor) {
    this.text = text;
    this.#shared = outer === undefined ? { depth: 0, groups: 0, loops: 0 } : outer.#shared;
  }

  get next(): string {
    return this.text.charAt(this.at);
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  sees(text: string): boolean {
    return this.text.startsWith(text, this.at);
  }

  /** Goes past the text if it stands here. */
  passed(text: string): boolean {
    const seen = this.sees(text);
    if (seen) this.at += text.length;
    return seen;
  }

  /** Goes past what a sticky pattern takes here. */
  taken(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found === null) return undefined;
    this.at += found[0].length;
    return found;
  }

  take(): string {
    if (this.isAtEnd) unclear('it ends in the middle');
    const sign = this.next;
    this.at++;
    return sign;
  }

  newGroup(): number {
    return ++this.#shared.groups;
  }

  get isLooped(): boolean {
    return this.#shared.loops > 0;
  }

  beginLoop(): void {
    this.#shared.loops++;
  }

  endLoop(): void {
    this.#shared.loops = Math.max(0, this.#shared.loops - 1);
  }

  /** Reads something inside of something; too deep is given up. */
  inside<T>(read: () => T): T {
    if (++this.#shared.depth > deepest) unclear('it is nested too deeply');
    const value = read();
    this.#shared.depth--;
    return value;
  }
}
