// `crewmux digest`: what has come of the work since a time, with the words that go on. Pure.
import { oneLine } from '../model/plain-text.ts';
import { type digest, digestLines } from '../wire/digest.ts';
import type { Shape } from '../wire/parts.ts';
import { personsCall, personsHint } from './persons-call.ts';

export const digestText = (shown: Shape<typeof digest>, program: string): string =>
  `${digestLines(shown, { calls: (calls) => wordsFor(calls, program), text: personsHint }).join('\n')}\n`;

/** Each once; for some only a manager has a tool. */
function wordsFor(calls: readonly string[], program: string): readonly string[] {
  const all = [...new Set(calls.map((call) => oneLine(personsCall(call, program))))];
  return all.length > 1 ? all.filter((words) => words !== 'ask your manager') : all;
}
