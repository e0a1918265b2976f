// Work in a worktree that no commit has, made a commit of its own branch.
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CrewError } from '../../model/errors.ts';
import { newNonce } from '../../model/ids.ts';
import { writeAtomic } from '../../system/atomic.ts';
import { exists } from '../../system/disk.ts';
import { mostBytes, notPlain, readPlain } from '../../system/plain-file.ts';
import { withPrivateFolder } from '../../system/private-folder.ts';
import { moveOwnBranch, plainBranch } from '../git/branch.ts';
import { type DraftGit, draftGit, topOf, withDraftIndex } from '../git/draft-index.ts';
import { programsIn } from '../git/hooks.ts';
import { type FolderFacts, inspectFolder, type Repo } from '../git/inspect.ts';
import { refuseOdd } from '../git/odd-files.ts';
import { changeIndex } from '../git/own-index.ts';
import { type FileChange, listed, nulEnded } from '../git/porcelain.ts';
import { untouchedPrepared } from '../git/prepared.ts';
import { commitTree, type Env, type GitResult, git, lastLines, readGit, tryGit, tryReadGit } from '../git/repo.ts';
import { noLimits, takeInto } from '../git/take.ts';
import { findOperation } from '../state/work-state.ts';
import { uncommittedIn } from './present.ts';
import { identity } from './stage.ts';

export interface Leftovers {
  readonly folder: FolderFacts;
  /** Changed and untracked paths, ignored ones and our own left out. */
  readonly paths: readonly string[];
  /** The same as git tells of them. */
  readonly changes: readonly FileChange[];
}

/**
 * What a worktree holds uncommitted. Rejects with `would_lose_work` where no simple commit could hold it: an unfinished
 * merge, a repository of its own inside, or a HEAD that is not on the branch.
 */
export async function findLeftovers(at: { path: string; repo: Repo; branch: string }): Promise<Leftovers> {
  const folder = await inspectFolder({ path: at.path, env: at.repo.env });
  if (folder?.worktreeRoot === undefined || folder.subfolder !== '')
    throw notReady(at.path, 'git knows no worktree there');
  const { branch, changes, paths, leftOut } = await uncommittedIn(folder);
  const operation = await findOperation(folder.gitDir);
  if (operation !== undefined) throw notReady(at.path, `a ${operation} was begun there and not finished`);
  await plainBranch(folder, at.branch);
  if (branch !== at.branch) throw notReady(at.path, `it is on ${branch ?? 'no branch'}, not on ${at.branch}`);
  if (leftOut.length > 0) throw notReady(at.path, `repositories of their own lie in it: ${leftOut.join(', ')}`);
  const inside = changes.filter((change) => change.kind === 'tracked' && change.changedInside);
  if (inside.length > 0) {
    const names = inside.map(({ path }) => path).join(', ');
    throw notReady(at.path, `submodules have uncommitted changes of their own: ${names}`);
  }
  return { folder, paths, changes };
}

const notReady = (path: string, why: string) =>
  new CrewError(
    'would_lose_work',
    `The work in ${path} cannot be landed as it stands: ${why}.`,
    'Nothing was changed. Have the worker put it right, then call again.',
  );

/** A commit of leftovers that is about to be made; enough to set right what a process that died in it has left. */
export interface LeftoversDraft {
  readonly worktree: string;
  /** The one it is made on; an earlier release wrote none down. */
  readonly branch?: string;
  /** The commit it is made on. */
  readonly head: string;
  /** What is to be committed, as its hooks may change it. */
  readonly index: string;
}

export function draftFor({ folder }: Leftovers): LeftoversDraft {
  const { sha, branch } = folder.head;
  if (sha === undefined || branch === undefined) throw notReady(topOf(folder).path, 'its branch has no commit yet');
  return {
    worktree: topOf(folder).path,
    branch,
    head: sha,
    index: join(folder.gitDir, `crewmux-${newNonce()}.index`),
  };
}

/**
 * Commits them on the branch, after the hooks that lie in a folder. The worktree's own index follows only once the commit
 * is made. Nothing of the worktree's git folder is opened for writing.
 */
export async function commitLeftovers(
  found: Leftovers,
  draft: LeftoversDraft,
  { message, hooks }: { readonly message: string; readonly hooks: string },
): Promise<void> {
  const { folder } = found;
  const { env } = topOf(folder);
  const names = new Set(await programsIn(hooks));
  const run: RunHook = (name, ...args) => (names.has(name) ? runHook(draft, { env, hooks, name, args }) : undefined);
  const made = await makeCommit(found, draft, { message, run }).catch(async (thrown: unknown) => {
    await dropDraft(draft);
    throw thrown;
  });
  // Where this fails the draft stays, by which the next landing knows that the index is still to follow.
  await knowCommit(folder, made.commit, made.changed);
  await dropDraft(draft);
  await run('post-commit')?.catch(() => undefined);
}

type RunHook = (name: string, ...args: readonly string[]) => Promise<void> | undefined;

/** Ends with the commit on its branch, or rejects with nothing changed but what its hooks did. */
async function makeCommit(
  found: Leftovers,
  draft: LeftoversDraft,
  { message, run }: { readonly message: string; readonly run: RunHook },
): Promise<{ readonly commit: string; readonly changed: string }> {
  const { folder } = found;
  const { path } = topOf(folder);
  await withDraftIndex(folder, async (own) => {
    await fillDraft(found, draft, own);
    await writeFile(draft.index, await bytesAt(own.path), { flag: 'wx', mode: 0o600 });
  });
  await run('pre-commit');
  const said = await throughHooks(folder, message, run);
  // A hook may have changed what lies there.
  refuseOdd({ gitDir: folder.gitDir, commonDir: folder.gitCommonDir, root: path });
  const commit = await commitOf(folder, draft, said);
  const changed = await changedBetween(folder, draft.head, commit);
  if (changed === '') throw nothingLeft(path);
  if (await moveOwnBranch(folder, { branch: draft.branch ?? '', from: draft.head, to: commit }))
    return { commit, changed };
  throw notReady(path, `${draft.branch} has moved while its hooks ran`);
}

const bytesAt = async (path: string): Promise<Buffer> => {
  const bytes = await readPlain(path, mostBytes.index);
  if (bytes === undefined) throw notPlain(path, 'is gone');
  return bytes;
};

interface Hook {
  readonly env: Env;
  readonly hooks: string;
  readonly name: string;
  readonly args: readonly string[];
}

async function runHook({ worktree, index }: LeftoversDraft, { env, hooks, name, args }: Hook): Promise<void> {
  const gitEnv = { GIT_INDEX_FILE: index };
  const words = args.length === 0 ? [] : ['--', ...args];
  const result = await tryGit({ path: worktree, env }, ['hook', 'run', name, ...words], { gitEnv, hooks });
  if (result.exitCode !== 0 && name !== 'post-commit') throw refused(worktree, result);
}

/** The message as the hooks leave it, in the file where they look for it. */
async function throughHooks({ gitDir }: FolderFacts, message: string, run: RunHook): Promise<string> {
  const path = join(gitDir, 'COMMIT_EDITMSG');
  await writeAtomic(path, message, 0o644);
  await run('prepare-commit-msg', path, 'message');
  await run('commit-msg', path);
  return (await bytesAt(path)).toString('utf8');
}

/** No branch has it yet. */
async function commitOf(folder: FolderFacts, { index, head }: LeftoversDraft, message: string): Promise<string> {
  const place = topOf(folder);
  return withPrivateFolder(async (own) => {
    const copy = join(own, 'index');
    await writeFile(copy, await bytesAt(index));
    const tree = (await draftGit(place, copy)(['write-tree'])).trim();
    const text = `${message.trim()}\n`;
    if (text === '\n') throw noMessage(place.path);
    return commitTree(place, { tree, parents: [head], message: text }, await identity(place));
  });
}

/** The leftovers as they lie on disk, and nothing that we put there, whoever has staged it. */
async function fillDraft({ folder, changes }: Leftovers, { head }: LeftoversDraft, draft: DraftGit): Promise<void> {
  const place = topOf(folder);
  await takeInto(draft, { top: place.path, changes, limits: noLimits });
  const ours = await untouchedPrepared(folder.gitDir, place.path);
  if (ours.size === 0) return;
  const added = await draft(['diff-index', '--cached', '--name-only', '--diff-filter=A', '-z', head]);
  const staged = listed(nulEnded(added).filter((path) => ours.has(path)));
  if (staged !== '') await draft(['update-index', '--force-remove', '-z', '--stdin'], staged);
}

/** Paths, with NUL after each. */
const changedBetween = (folder: FolderFacts, from: string, to: string): Promise<string> =>
  readGit(topOf(folder), ['diff-tree', '-r', '--name-only', '--no-renames', '-z', from, to]);

/** The worktree's index has these paths as the commit has them, and all else as it was. */
const knowCommit = (folder: FolderFacts, commit: string, paths: string): Promise<void> =>
  changeIndex(folder, async ({ path }) => {
    const gitEnv = { GIT_LITERAL_PATHSPECS: '1', GIT_INDEX_FILE: path };
    await git(topOf(folder), ['reset', '--quiet', ...fromStdin, commit], { gitEnv, input: paths });
    return { keeps: true, result: undefined };
  });

const fromStdin = ['--pathspec-from-file=-', '--pathspec-file-nul'];

/** What a server that was killed has left: the index knows the commit where it was made. Safe to call again. */
export async function settleLeftovers(draft: LeftoversDraft, env: Env): Promise<void> {
  const { worktree, branch, head, index } = draft;
  if (!(await exists(index))) return;
  const folder = await inspectFolder({ path: worktree, env });
  if (folder !== undefined) {
    const name = branch === undefined ? 'HEAD' : `refs/heads/${branch}`;
    const printed = (await tryReadGit(topOf(folder), ['rev-list', '--parents', '--max-count=1', name])).stdout;
    const [commit = '', ...parents] = printed.trim().split(' ');
    if (parents.join(' ') === head) await knowCommit(folder, commit, await changedBetween(folder, head, commit));
  }
  await dropDraft(draft);
}

async function dropDraft({ index }: LeftoversDraft): Promise<void> {
  await Promise.all([index, `${index}.lock`].map((file) => rm(file, { force: true })));
}

const refused = (path: string, result: GitResult) =>
  new CrewError(
    'checks_failed',
    `The uncommitted work in ${path} could not be committed (exit ${result.exitCode}): ${lastLines(result.stderr || result.stdout)}`,
    'A hook of the repository may have refused it. Nothing was committed: have the worker mend and commit, then call again.',
  );

const nothingLeft = (path: string) =>
  new CrewError(
    'checks_failed',
    `The uncommitted work in ${path} could not be committed: after the hooks of the repository nothing of it is left.`,
    'Nothing was committed: have the worker look at what the hook takes away, then call again.',
  );

const noMessage = (path: string) =>
  new CrewError(
    'checks_failed',
    `The uncommitted work in ${path} could not be committed: a hook of the repository has emptied the message.`,
    'Nothing was committed: mend the hook, then call again.',
  );
