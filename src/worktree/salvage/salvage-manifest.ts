// What a salvage says of itself: JSON below the subject of its commit.

import { z } from 'zod';
import { parseJson } from '../../model/json.ts';

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
