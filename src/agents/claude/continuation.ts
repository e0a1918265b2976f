// What Claude Code says of going on by itself when a usage limit is over.
import type { DecodedLine } from '../agent.ts';

/** The words of a notice, or what a command of its own has printed. */
export function continuation(at: number, words: string): DecodedLine | undefined {
  const isSo = /^Usage limit reached(?: again)? · continuing automatically\b/i.test(words);
  const isNot =
    /^(?:<local-command-stdout>)?Automatic continue (?:cancelled|stopped|was turned off|did not run)\b/.test(words);
  return isSo || isNot ? { signals: [{ from: 'transcript', kind: 'goes-on-later', isSo, at }] } : undefined;
}
