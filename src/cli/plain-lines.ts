// What `--plain` prints: a line for each thing, for a screen reader or a program. Pure.
import { oneLine } from '../model/plain-text.ts';

export interface PlainThing {
  readonly name: string;
  readonly needsSomebody: boolean;
  /** Empty ones are left out. */
  readonly facts: readonly string[];
}

/** No columns, no signs: each fact is words of its own. */
export function plainLine({ name, needsSomebody, facts }: PlainThing): string {
  const said = facts.map(oneLine).filter((fact) => fact !== '');
  return `${needsSomebody ? 'needs you: ' : ''}${oneLine(name)}: ${said.join('; ')}`;
}

/** Without the signs between its parts. */
export const plainUsage = (words: string): string => words.replaceAll(' · ', ', ');
