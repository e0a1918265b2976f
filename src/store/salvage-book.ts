// The salvages that crewmux itself has made, one line each, for longer than the event log goes back.
import { join } from 'node:path';
import { z } from 'zod';
import { appendLine } from '../jsonl/append.ts';
import { readEntries } from '../jsonl/slice.ts';
import type { Home } from './home.ts';

const line = z
  .object({ v: z.literal(1), ref: z.string(), sha: z.string() })
  .transform(({ ref, sha }) => ({ ref, sha }));

/** A ref of a repository, and the commit that we had it point to. */
export type MadeSalvage = z.output<typeof line>;

const pathOf = (home: Home): string => join(home.root, 'salvages.jsonl');

/** On disk when it resolves. */
export const enterSalvage = (home: Home, { ref, sha }: MadeSalvage): Promise<void> =>
  appendLine(pathOf(home), JSON.stringify({ v: 1, ref, sha }), { fsync: true });

/** All that were ever entered; a line that cannot be read is left out. */
export const madeSalvages = (home: Home): Promise<readonly MadeSalvage[]> => readEntries(pathOf(home), line);
