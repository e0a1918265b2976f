// The commit of a salvage and the ref that keeps it.
import { CrewError } from '../../model/errors.ts';
import { createRef, repoPlace } from '../branch.ts';
import type { Repo } from '../inspect.ts';
import { git, type Place } from '../repo.ts';
import { numbered, slug } from '../slug.ts';
import { encodeManifest, type Manifest, salvagePrefix } from './salvage-manifest.ts';

export interface Salvage {
  readonly ref: string;
  readonly sha: string;
}

export interface Saved {
  /** The files as they lay on disk. */
  readonly tree: string;
  readonly parents: readonly string[];
  readonly manifest: Manifest;
}

/** Everything the commit reaches is kept from then on. */
export async function writeSalvage(repo: Repo, { tree, parents, manifest }: Saved): Promise<Salvage> {
  const sha = await commitTree(repoPlace(repo), { tree, parents, message: encodeManifest(manifest) });
  return { ref: await createSalvageRef(repo, manifest, sha), sha };
}

export async function commitTree(
  place: Place,
  commit: { readonly tree: string; readonly parents: readonly string[]; readonly message: string },
): Promise<string> {
  const identity = { NAME: 'crewmux', EMAIL: 'crewmux@localhost' };
  const gitEnv = Object.fromEntries(
    Object.entries(identity).flatMap(([key, value]) => [
      [`GIT_AUTHOR_${key}`, value],
      [`GIT_COMMITTER_${key}`, value],
    ]),
  );
  const args = ['commit-tree', commit.tree, ...commit.parents.flatMap((parent) => ['-p', parent]), '-F', '-'];
  return (await git(place, args, { gitEnv, input: commit.message })).trim();
}

async function createSalvageRef(repo: Repo, manifest: Manifest, sha: string): Promise<string> {
  const time = manifest.saved_at.replace(/[-:]|\.\d+/g, '');
  const name = `${time}-${slug(manifest.worker_id, 40) || 'worker'}`;
  for (let attempt = 1; attempt <= 100; attempt++) {
    const ref = salvagePrefix + numbered(name, attempt);
    if (await createRef(repo, { ref, sha, why: 'crewmux: salvage' })) return ref;
  }
  throw cannotSave(manifest.path, `a hundred salvages named ${name} exist already`);
}

export const cannotSave = (path: string, why: string) =>
  new CrewError(
    'would_lose_work',
    `The work in ${path} cannot be saved: ${why}.`,
    'The worktree is kept. Look at it, move what matters, and remove it by hand.',
  );
