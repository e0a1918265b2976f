// What `crewmux trust` leaves behind, for tests of what counts afterwards.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { agreementsPath } from '../../src/settings/agreements.ts';
import { readProjectFile } from '../../src/settings/project-file.ts';

/** Agrees to the project's file as it is now, and to nothing else. */
export function agreeTo(project: string, stateHome: string): void {
  const { place, held } = readProjectFile(project);
  if (place === undefined || held.is !== 'read') throw new Error(`${project} has no configuration to agree to`);
  const path = agreementsPath(stateHome);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, JSON.stringify({ v: 1, files: { [place]: { sha256: held.sha256, at: 1 } } }), { mode: 0o600 });
}
