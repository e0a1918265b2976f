// The tripwire over an act of any agent.
import type { Act } from '../model/act.ts';
import { defined } from '../model/defined.ts';
import { holdsTripwireWords, type TripwirePlace, tripped } from './tripwire.ts';

const looks = /^(Read|Glob|Grep|LS|NotebookRead)$/;

/** Why only a person may allow an act, as a sentence; undefined for one that is not of the list. */
export async function personsReason(act: Act, place: TripwirePlace): Promise<string | undefined> {
  const { tool, command, paths = [], cwd } = act;
  const why =
    command === undefined
      ? tripped({ is: 'file', paths, cwd, writes: !looks.test(tool) }, place)
      : await onLine(command, cwd, place);
  return why === undefined ? undefined : `Only a person may allow this: ${why}.`;
}

async function onLine(line: string, cwd: string, place: TripwirePlace): Promise<string | undefined> {
  if (!holdsTripwireWords(line)) return undefined;
  // The parser takes longer to load than all the rest.
  const { readLine } = await import('./shell-line.ts');
  const { userHome: HOME, temporary: TMPDIR } = place;
  const variables = { HOME, ...defined({ TMPDIR }) };
  return tripped({ is: 'shell', commands: readLine(line, { cwd, variables }) }, place);
}
