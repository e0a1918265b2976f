// Packs what is in no pack, in a folder that no sandboxed worker can write, and lets in only what hashes to its ids.
import { mkdir, mkdtemp, rename, rm, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CrewError, messageOf } from '../../model/errors.ts';
import { exists, unlessMissing } from '../../system/disk.ts';
import { mostBytes, readPlain } from '../../system/plain-file.ts';
import { repoPlace } from '../git/branch.ts';
import type { Repo } from '../git/inspect.ts';
import { type Env, git, lastLines, tryGit, tryReadGit } from '../git/repo.ts';
import { packFolder } from './object-folders.ts';
import { forgedAmong, idsIn } from './pack-index.ts';

const packingMs = 30 * 60_000;

export interface PackingRequest {
  readonly commits: readonly string[];
  /** Commits of which everything is in packs already. */
  readonly done: readonly string[];
  readonly isPartial: boolean;
}

const plainly = ['-c', 'pack.packSizeLimit=0', 'pack-objects', '-q', '--non-empty', '--index-version=2'];

/**
 * Packs what the commits reach and no pack holds; resolves to the new pack, undefined where there was nothing. Rejects
 * with `worktree_failed` where an object is forged, damaged or missing; then no pack is there.
 */
export function packMissing(repo: Repo, { commits, done, isPartial }: PackingRequest): Promise<string | undefined> {
  return inDraft(repo, async (draft) => {
    // What a partial clone lacks by intent is not fetched for this, nor is it missing.
    const args = [...plainly, '--window=0', '--revs', '--incremental'];
    const more = isPartial ? ['--missing=allow-promisor'] : [];
    const pack = async (not: readonly string[]) =>
      tryGit(repoPlace(repo), [...args, ...more, join(draft, 'pack')], {
        input: lines([...commits, ...not.map((id) => `^${id}`)]),
        timeoutMs: packingMs,
        gitEnv: inside(repo, draft),
      });
    const first = await pack(done);
    // A commit that was looked at before may be gone since then.
    const result = first.exitCode === 0 || done.length === 0 ? first : await pack([]);
    if (result.exitCode !== 0) throw damaged(repo, result.stderr);
    return admit(repo, { draft, name: result.stdout.trim(), commits });
  });
}

/** Makes one pack of several, tells of it, and then removes them; resolves to the new one. No object goes. */
export async function mergePacks(
  repo: Repo,
  packs: readonly string[],
  onMade: (pack: string) => Promise<void>,
): Promise<string> {
  const ids = new Set((await Promise.all(packs.map((path) => idsAt(`${path}.idx`, hashOf(path))))).flat());
  const made = await inDraft(repo, async (draft) => {
    const args = [...plainly, join(draft, 'pack')];
    const gitEnv = inside(repo, draft);
    const name = await git(repoPlace(repo), args, { input: lines([...ids]), timeoutMs: packingMs, gitEnv });
    return admit(repo, { draft, name: name.trim(), commits: [] });
  });
  if (made === undefined) throw new Error('git made no pack of several.');
  await onMade(made);
  for (const path of packs.filter((one) => one !== made))
    for (const end of ['idx', 'rev', 'pack']) await unlessMissing(unlink(`${path}.${end}`));
  return made;
}

const hashOf = (pack: string): string => basename(pack).slice('pack-'.length);

/** A pack's own name is as long as an id. */
const idsAt = async (index: string, hash: string): Promise<readonly string[]> =>
  idsIn((await readPlain(index, mostBytes.index)) ?? Buffer.alloc(0), hash.length / 2);

/** git removes a folder of this name with its other leftovers. */
async function inDraft<T>(repo: Repo, use: (draft: string) => Promise<T>): Promise<T> {
  const folder = packFolder(repo);
  const draft = await mkdir(folder, { recursive: true })
    .then(() => mkdtemp(join(folder, 'tmp_crewmux-')))
    .catch((error: unknown) => {
      throw new CrewError(
        'worktree_failed',
        `crewmux cannot write into ${folder}: ${messageOf(error)}.`,
        'It packs there what a worker starts from, so that no sandboxed worker can change it. Let it be written.',
      );
    });
  try {
    await mkdir(join(draft, 'pack'));
    return await use(draft);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** git writes into the draft alone, also what it leaves where it fails. */
const inside = ({ gitCommonDir }: Repo, draft: string): Env => ({
  GIT_OBJECT_DIRECTORY: draft,
  GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(join(gitCommonDir, 'objects')),
});

interface Draft {
  readonly draft: string;
  /** Of the pack, as git printed it; '' for none. */
  readonly name: string;
  /** What it was made for. */
  readonly commits: readonly string[];
}

/** pack-objects wrote the ids that it was asked for; index-pack computes them from the content. */
async function admit(repo: Repo, { draft, name, commits }: Draft): Promise<string | undefined> {
  if (name === '') return undefined;
  const from = join(draft, `pack-${name}`);
  const check = join(draft, 'computed.idx');
  await git(repoPlace(repo), ['index-pack', '--index-version=2', '-o', check, `${from}.pack`], {
    timeoutMs: packingMs,
    gitEnv: inside(repo, draft),
  });
  const [asked, computed] = await Promise.all([idsAt(`${from}.idx`, name), idsAt(check, name)]);
  const forged = forgedAmong(asked, computed);
  if (forged[0] !== undefined) throw await forgery(repo, forged[0], { commits, more: forged.length - 1 });
  const to = join(packFolder(repo), `pack-${name}`);
  for (const end of ['pack', 'rev', 'idx']) await unlessMissing(rename(`${from}.${end}`, `${to}.${end}`));
  return to;
}

async function forgery(
  repo: Repo,
  id: string,
  { commits, more }: { readonly commits: readonly string[]; readonly more: number },
): Promise<CrewError> {
  const listed = await tryReadGit(repoPlace(repo), ['rev-list', '--objects', ...commits, '--'], {
    timeoutMs: packingMs,
  });
  const path =
    listed.stdout
      .split('\n')
      .find((line) => line.startsWith(`${id} `))
      ?.slice(id.length + 1) ?? '';
  const others = more === 0 ? '' : `, and so are ${more} more`;
  return new CrewError(
    'worktree_failed',
    `The object ${id}${path === '' ? '' : ` (${path})`} in ${repo.mainRepoPath} is forged or damaged${others}: its content has another id.`,
    `Nothing was done. A worker may have written it. Move ${join(repo.gitCommonDir, 'objects', id.slice(0, 2), id.slice(2))} away, bring the object back from another clone, and call again.`,
  );
}

const damaged = (repo: Repo, words: string) =>
  new CrewError(
    'worktree_failed',
    `git cannot read all objects that the work starts from in ${repo.mainRepoPath}: ${lastLines(words)}`,
    'Nothing was done. git fsck names what is missing or damaged; bring it back from another clone, and call again.',
  );

/** Throws `worktree_failed` for a pack of somebody else's in which an id and its content differ. */
export async function verifyPack(repo: Repo, path: string): Promise<void> {
  const result = await tryReadGit(repoPlace(repo), ['verify-pack', `${path}.idx`], { timeoutMs: packingMs });
  if (result.exitCode === 0 || !(await exists(`${path}.idx`))) return;
  throw new CrewError(
    'worktree_failed',
    `The pack ${path}.pack holds an object whose content is not what its id says: ${lastLines(result.stderr)}`,
    'Move it and its index out of that folder, run git unpack-objects -r < the pack, and see git fsck for what is missing then.',
  );
}

const lines = (all: readonly string[]): string => all.map((one) => `${one}\n`).join('');
