// The salvages a repository holds, read from their refs.
import { CrewError } from '../../model/errors.ts';
import { repoPlace } from '../git/branch.ts';
import type { Repo } from '../git/inspect.ts';
import { readGit } from '../git/repo.ts';
import { decodeManifest, type Manifest, salvagePrefix } from './salvage-commit.ts';

export interface FoundSalvage {
  /** The end of the ref's name. */
  readonly id: string;
  readonly ref: string;
  readonly sha: string;
  readonly manifest: Manifest;
}

export const salvageId = (ref: string): string => ref.slice(salvagePrefix.length);

/** Newest first. A ref whose commit does not say what it is, is left out. */
export async function listSalvages(repo: Repo): Promise<readonly FoundSalvage[]> {
  const args = ['for-each-ref', '--format=%(refname)%00%(objectname)%00%(contents)%00', salvagePrefix];
  const parts = (await readGit(repoPlace(repo), args)).split('\0');
  const found: FoundSalvage[] = [];
  for (let at = 0; at + 2 < parts.length; at += 3) {
    const [name = '', sha = '', message = ''] = parts.slice(at, at + 3);
    const manifest = decodeManifest(message);
    const ref = name.trimStart();
    if (manifest !== undefined) found.push({ id: salvageId(ref), ref, sha, manifest });
  }
  return found.toSorted((a, b) => b.manifest.saved_at.localeCompare(a.manifest.saved_at) || b.id.localeCompare(a.id));
}

/** What salvages keep on the disk beside the history of branches and tags. A file that a branch has by now may count. */
export async function salvageBytes(repo: Repo): Promise<number> {
  const only = [`--glob=${salvagePrefix}*`, '--not', '--branches', '--tags', '--remotes'];
  return Number(await readGit(repoPlace(repo), ['rev-list', '--objects', '--disk-usage', ...only]));
}

/** By id or by the whole name of the ref. Throws `unknown_salvage` that names the newest there are. */
export function salvageNamed(asked: string, found: readonly FoundSalvage[]): readonly FoundSalvage[] {
  const matches = found.filter(({ id, ref }) => id === asked || ref === asked);
  if (matches.length > 0) return matches;
  const known = found.slice(0, shown).map(({ id }) => id);
  throw new CrewError(
    'unknown_salvage',
    `There is no salvage ${JSON.stringify(asked)}. ${known.length === 0 ? 'None are known.' : `The newest: ${known.join(', ')}.`}`,
    'Call restore_work without salvage_id for all of them; pass repo_path for a repository no worker is known of.',
  );
}

const shown = 5;
