// The commit of a salvage: what it says of itself, as JSON below its subject, and the ref that keeps it.
import { z } from 'zod';
import { CrewError } from '../../model/errors.ts';
import { parseJson } from '../../model/json.ts';
import { createRef, repoPlace } from '../git/branch.ts';
import type { Repo } from '../git/inspect.ts';
import { byCrewmux, commitTree } from '../git/repo.ts';
import { numbered, slug } from '../git/slug.ts';

export const salvagePrefix = 'refs/crewmux/salvage/';

const counts = z.object({ changed: z.number(), deleted: z.number(), untracked: z.number(), conflicts: z.number() });
export type Counts = z.infer<typeof counts>;

const sha = z.string().regex(/^[0-9a-f]{40,64}$/);

const manifestSchema = z.object({
  version: z.literal(1),
  worker_id: z.string(),
  reason: z.string(),
  /** ISO 8601. */
  saved_at: z.string(),
  /** Where the worktree was. */
  path: z.string(),
  main_repo_path: z.string(),
  /** Null where HEAD was on none. */
  branch: z.string().nullable(),
  /** Null before the first commit. */
  head: sha.nullable(),
  /** The commit whose tree is the index. */
  index: sha,
  /** The commit of what git kept for the worktree alone; none where only a branch was saved. */
  own: sha.exactOptional(),
  counts,
});
export type Manifest = z.infer<typeof manifestSchema>;

/** The whole commit message. */
export const encodeManifest = (manifest: Manifest): string =>
  `crewmux salvage: ${manifest.reason.replace(/\s+/g, ' ')}\n\n${JSON.stringify(manifest, null, 2)}\n`;

/** Undefined for a message that is not one of ours. */
export function decodeManifest(message: string): Manifest | undefined {
  const manifest = manifestSchema.safeParse(parseJson(message.slice(message.indexOf('\n\n') + 2)));
  return manifest.success ? manifest.data : undefined;
}

/** Files that no commit of the worker has. */
export const holdsFiles = ({ counts: { changed, deleted, untracked, conflicts } }: Manifest): boolean =>
  changed + deleted + untracked + conflicts > 0;

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
  const commit = { tree, parents, message: encodeManifest(manifest) };
  const sha = await commitTree(repoPlace(repo), commit, byCrewmux);
  return { ref: await createSalvageRef(repo, manifest, sha), sha };
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
