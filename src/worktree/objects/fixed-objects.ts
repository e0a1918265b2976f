// Fixes the objects that commits reach: in a pack they hash to their ids, and git takes a pack's before a loose file.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CrewError, messageOf } from '../../model/errors.ts';
import { readHeld, writeJson } from '../../system/atomic.ts';
import { exists } from '../../system/disk.ts';
import type { Repo } from '../git/inspect.ts';
import { lookAtObjects, looseIn, type ObjectsSeen, packFolder } from './object-folders.ts';
import { mergePacks, packMissing, verifyPack } from './packing.ts';

const memory = z.object({
  v: z.literal(1),
  /** Everything that these reach lies in `packs`. */
  commits: z.array(z.string()),
  /** Every pack that was looked at, as a path without its ending. */
  packs: z.array(z.string()),
  /** Those of them that crewmux made. */
  ours: z.array(z.string()),
  depth: z.string(),
});
/** What crewmux knows of a repository's objects. No sandboxed worker can write it. */
export type FixedMemory = z.output<typeof memory>;

export interface ObjectFixing {
  readonly repo: Repo;
  /** The file of the memory. */
  readonly path: string;
  /** One process at a time in the repository. */
  readonly alone: (act: () => Promise<void>) => Promise<void>;
  /** Hears of what takes long. */
  readonly tell: (words: string) => void;
}

/** Resolves once everything that the commits reach is in packs. Rejects with `worktree_failed` and names the object. */
export async function fixObjects(fixing: ObjectFixing, commits: readonly string[]): Promise<void> {
  const [known, seen] = await Promise.all([readHeld(fixing.path, memory), lookAtObjects(fixing.repo)]);
  if (known !== undefined && isFixed(known, seen, commits)) return;
  await fixing.alone(() => fixAlone(fixing, commits));
}

/** Pure. In a partial clone anything may be absent, and come later. */
export function isFixed(known: FixedMemory, seen: ObjectsSeen, commits: readonly string[]): boolean {
  return isSame(known, seen) && !seen.isPartial && commits.every((commit) => known.commits.includes(commit));
}

const isSame = (known: FixedMemory, seen: ObjectsSeen): boolean =>
  known.packs.length === seen.packs.length && stands(known, seen);

/** No pack has gone since, and history ends where it did. */
const stands = (known: FixedMemory, { packs, depth }: ObjectsSeen): boolean =>
  known.depth === depth && known.packs.every((path) => packs.includes(path));

const mostPasses = 10;
const mostCommits = 16;
const mostPacks = 20;

async function fixAlone(fixing: ObjectFixing, commits: readonly string[]): Promise<void> {
  const { repo, path, tell } = fixing;
  const before = await readHeld(path, memory);
  let known = before ?? (await begin(fixing));
  // A pass may read a forged tree, which hides what the true one names. The last pass reads packs alone.
  for (let pass = 1; pass <= mostPasses; pass += 1) {
    const seen = await lookAtObjects(repo);
    const loose = await looseIn(seen.folders);
    if (loose.odd[0] !== undefined) throw notPlain(loose.odd[0]);
    await verifyNew(fixing, known, seen);
    const done = stands(known, seen) && !seen.isPartial ? known.commits : [];
    if (before !== undefined && done.length === 0) tell(`looking through the objects of ${repo.mainRepoPath}`);
    // Nobody has worked here so far, so nobody has taken a loose object away.
    const isPacked = before === undefined && pass === 1 && loose.count === 0 && !seen.isPartial;
    const made = isPacked ? undefined : await packMissing(repo, { commits, done, isPartial: seen.isPartial });
    const more = made === undefined ? [] : [made];
    const ours = [...known.ours.filter((one) => seen.packs.includes(one)), ...more];
    known = { v: 1, commits: done, packs: [...seen.packs, ...more], ours, depth: seen.depth };
    const isDone = made === undefined && isSame(known, await lookAtObjects(repo));
    if (!isDone) continue;
    known = { ...known, commits: [...new Set([...commits, ...done])].slice(0, mostCommits) };
    await writeJson(path, known);
    return mergeOurs(fixing, known);
  }
  throw new CrewError(
    'worktree_failed',
    `The objects of ${repo.mainRepoPath} changed ${mostPasses} times while crewmux packed them.`,
    'Nothing was done. Call again when no git gc or git fetch runs there.',
  );
}

/** The packs that are there before the first worker are taken as they are; those that come later are verified. */
async function begin({ repo, path, tell }: ObjectFixing): Promise<FixedMemory> {
  tell(`packing the objects of ${repo.mainRepoPath}, once`);
  const { packs, depth } = await lookAtObjects(repo);
  const known: FixedMemory = { v: 1, commits: [], packs: [...packs], ours: [], depth };
  await writeJson(path, known);
  return known;
}

/** git gc packs a forged object under its false id. */
async function verifyNew({ repo, tell }: ObjectFixing, known: FixedMemory, { packs }: ObjectsSeen): Promise<void> {
  const added = packs.filter((path) => !known.packs.includes(path));
  if (added.length > 0) tell(`checking the new packs of ${repo.mainRepoPath}`);
  for (const path of added) await verifyPack(repo, path);
}

const notPlain = (path: string) =>
  new CrewError(
    'worktree_failed',
    `${path} lies among git's objects and is no plain file, so whoever reads it waits or reads something else.`,
    'Nothing was done. A worker may have made it. Look at it, remove it, and call again.',
  );

/** All but the largest, which the others would only be copied into. Where it fails, the packs stay. */
async function mergeOurs({ repo, path, tell }: ObjectFixing, known: FixedMemory): Promise<void> {
  if (known.ours.length <= mostPacks || (await exists(join(packFolder(repo), 'multi-pack-index')))) return;
  try {
    const sizes = await Promise.all(known.ours.map(async (one) => ({ one, bytes: (await stat(`${one}.pack`)).size })));
    const kept = await Promise.all(known.ours.map(async (one) => ((await exists(`${one}.keep`)) ? [one] : [])));
    const bySize = sizes.toSorted((a, b) => a.bytes - b.bytes).map(({ one }) => one);
    const small = bySize.slice(0, -1).filter((one) => !kept.flat().includes(one));
    if (small.length < 2) return;
    const without = (all: readonly string[]) => all.filter((one) => !small.includes(one));
    const made = await mergePacks(repo, small, (pack) =>
      writeJson(path, { ...known, packs: [...known.packs, pack], ours: [...known.ours, pack] }),
    );
    await writeJson(path, { ...known, packs: [...without(known.packs), made], ours: [...without(known.ours), made] });
  } catch (error) {
    tell(`the packs of crewmux in ${repo.mainRepoPath} stay apart: ${messageOf(error)}`);
  }
}
