// What a worker may write in a tracker's folder: its data. What says what runs there, or where, stays as it is.
import type { Stats } from 'node:fs';
import { lstat, readdir, realpath, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { below, hasCode, makeFolder, unlessMissing } from '../system/disk.ts';
import type { FoundTracker } from './tracker.ts';

interface Guarded {
  readonly name: string;
  /**
   * What crewmux makes where it is missing, since a sandbox can only guard what is there: a folder, or a file with a
   * text that sets nothing. Nothing where the tracker would take either for more than that.
   */
  readonly made?: 'folder' | { readonly text: string };
}

const folders = (...names: readonly string[]): readonly Guarded[] => names.map((name) => ({ name, made: 'folder' }));
const empties = (...names: readonly string[]): readonly Guarded[] =>
  names.map((name) => ({ name, made: { text: '' } }));
const wherePresent = (...names: readonly string[]): readonly Guarded[] => names.map((name) => ({ name }));

/** In a repository that begins here, git would run what its settings name. */
const ofGit = [...folders('.git', 'HEAD'), ...wherePresent('.gitignore', '.gitattributes')];

/** The programs and settings in the folder of a tracker. Pure. */
export function guardedIn({ tracker, dir }: Pick<FoundTracker, 'tracker' | 'dir'>): readonly Guarded[] {
  if (tracker === 'pebbles') {
    const prefix = basename(dirname(dir));
    return [...ofGit, { name: 'config.json', made: { text: `${JSON.stringify({ prefix })}\n` } }];
  }
  return [
    ...ofGit,
    // bd prints PRIME.md to agents in place of its own words, and reads no folder of that name.
    ...folders('hooks', 'formulas', 'PRIME.md'),
    ...empties('config.yaml', '.env', 'redirect'),
    { name: 'metadata.json', made: { text: '{"database": "beads.db"}\n' } },
    // A folder of Dolt names servers and remotes beside its data.
    ...wherePresent('dolt', 'embeddeddolt', 'proxieddb', '.beads-credential-key', 'config.json', 'routes.jsonl'),
  ];
}

export interface TrackerFolder {
  /** Real, without a link on its way. */
  readonly folder: string;
  /** What in it stays as it is. */
  readonly guarded: readonly Guarded[];
}

/** Why a sandbox keeps the folder closed; undefined where it can be opened. Changes nothing. */
export async function whyClosed(found: FoundTracker, mainRepoPath: string): Promise<string | undefined> {
  const { dir } = found;
  const facts = await unlessMissing(lstat(dir));
  if (facts === undefined) return `${dir} is not there`;
  if (!facts.isDirectory()) return `${dir} is a link`;
  if (below(await realpath(mainRepoPath), await realpath(dir)) === undefined)
    return `${dir} is not in the main checkout ${mainRepoPath}`;
  const odd = (await guardsOf(found)).find(({ isOdd }) => isOdd);
  return odd && `${odd.path} is a link or no plain file, so nothing could keep it as it is`;
}

/** Makes what must be there to be guarded. Undefined where the folder stays closed. */
export async function openFolder(found: FoundTracker, mainRepoPath: string): Promise<TrackerFolder | undefined> {
  if ((await whyClosed(found, mainRepoPath)) !== undefined) return undefined;
  for (const { path, made, isThere } of await guardsOf(found))
    if (!isThere && made !== undefined) await make(path, made);
  // Somebody may have been faster.
  if ((await whyClosed(found, mainRepoPath)) !== undefined) return undefined;
  return { folder: await realpath(found.dir), guarded: guardedIn(found) };
}

const guardsOf = ({ tracker, dir }: FoundTracker) =>
  Promise.all(
    guardedIn({ tracker, dir }).map(async (guarded) => {
      const path = join(dir, guarded.name);
      const facts = await unlessMissing(lstat(path));
      return { ...guarded, path, isThere: facts !== undefined, isOdd: facts !== undefined && isOdd(facts) };
    }),
  );

const isOdd = (facts: Stats): boolean => !facts.isFile() && !facts.isDirectory();

/** Follows no link in the last place, and leaves what is there. */
async function make(path: string, made: NonNullable<Guarded['made']>): Promise<void> {
  if (made === 'folder') await makeFolder(path);
  else
    await writeFile(path, made.text, { flag: 'wx' }).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error;
    });
}

/** The changed paths of a checkout that are not the tracker's own work, with the links of its folder, ignored or not. */
export async function besidesTracker(
  found: FoundTracker,
  { checkout, changes }: { readonly checkout: string; readonly changes: ReadonlyMap<string, number> },
): Promise<ReadonlyMap<string, number>> {
  const foreign = await Promise.all(
    [...changes].map(async ([path, at]) => {
      const inner = below(found.dir, join(checkout, path));
      if (inner === undefined) return [[path, at] as const];
      const facts = await unlessMissing(lstat(join(checkout, path)));
      return isOwnChange(found, inner, facts && { isFile: facts.isFile(), bytes: facts.size })
        ? []
        : [[path, at] as const];
    }),
  );
  return new Map([...foreign.flat(), ...(await linksIn(found, checkout))]);
}

/** When each link at the top of the folder was made: a tracker would read and write through it. */
async function linksIn({ dir }: FoundTracker, checkout: string): Promise<readonly (readonly [string, number])[]> {
  const entries = (await unlessMissing(readdir(dir, { withFileTypes: true }))) ?? [];
  const links = entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => join(dir, name));
  const seen = await Promise.all(links.map(async (path) => ({ path, facts: await unlessMissing(lstat(path)) })));
  return seen.flatMap(({ path, facts }) =>
    facts === undefined ? [] : [[relative(checkout, path), facts.ctimeMs] as const],
  );
}

/** Whether a change at this path of the folder is its tracker's: data, or a file just as crewmux makes it. Pure. */
export function isOwnChange(
  of: Pick<FoundTracker, 'tracker' | 'dir'>,
  inner: string,
  facts: { readonly isFile: boolean; readonly bytes: number } | undefined,
): boolean {
  // One that is gone has no facts.
  if (facts !== undefined && !facts.isFile) return false;
  const guard = guardedIn(of).find(({ name }) => inner === name || inner.startsWith(`${name}/`));
  if (guard === undefined) return true;
  const { made } = guard;
  return typeof made === 'object' && inner === guard.name && facts?.bytes === Buffer.byteLength(made.text);
}
