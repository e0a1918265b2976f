// What a person agreed to: the contents of projects' files, by real path.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ProjectFile } from './project-file.ts';

export const agreementsPath = (home: string): string => join(home, 'trusted.json');

export const agreementsSchema = z.object({
  v: z.literal(1),
  files: z.record(z.string(), z.object({ sha256: z.string(), at: z.number() })),
});
export type Agreements = z.output<typeof agreementsSchema>;

export const noAgreements: Agreements = { v: 1, files: {} };

/** Read anew each time: another process may have written it. What cannot be read agrees to nothing. */
export function readAgreements(home: string): Agreements {
  try {
    return agreementsSchema.parse(JSON.parse(readFileSync(agreementsPath(home), 'utf8')));
  } catch {
    return noAgreements;
  }
}

/** Whether a person agreed to exactly this content at exactly this place. Pure. */
export function agreedTo({ files }: Agreements, { place, held }: ProjectFile): 'agreed' | 'changed' | 'never' {
  const known = place === undefined || !Object.hasOwn(files, place) ? undefined : files[place];
  if (known === undefined || held.is !== 'read') return 'never';
  return known.sha256 === held.sha256 ? 'agreed' : 'changed';
}
