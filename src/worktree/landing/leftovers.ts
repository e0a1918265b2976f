// Work in a worktree that no commit has, made a commit of its own branch.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CrewError } from '../../model/errors.ts';
import { newNonce } from '../../model/ids.ts';
import { exists } from '../../system/disk.ts';
import { copyIndex, draftGit, topOf } from '../draft-index.ts';
import { type FolderFacts, inspectFolder, type Repo } from '../inspect.ts';
import { untouchedPrepared } from '../making/prepared.ts';
import { type Change, listed, nulEnded } from '../porcelain.ts';
import { type Env, type GitResult, git, lastLines, tryGit, tryReadGit } from '../repo.ts';
import { findOperation } from '../work-state.ts';
import { uncommittedIn } from './present.ts';
import { identity } from './stage.ts';
import { noLimits, takeInto } from './take.ts';

export interface Leftovers {
  readonly folder: FolderFacts;
  /** Changed and untracked paths, ignored ones and our own left out. */
  readonly paths: readonly string[];
  /** The same as git tells of them. */
  readonly changes: readonly Change[];
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

const fromStdin = ['--pathspec-from-file=-', '--pathspec-file-nul'];

/** A commit of leftovers that is about to be made; enough to set right what a process that died in it has left. */
export interface LeftoversDraft {
  readonly worktree: string;
  /** The commit it is made on. */
  readonly head: string;
  /** An index of our own, which the commit is made from. */
  readonly index: string;
}

export function draftFor({ folder }: Leftovers): LeftoversDraft {
  const { sha } = folder.head;
  if (sha === undefined) throw notReady(topOf(folder).path, 'its branch has no commit yet');
  return {
    worktree: topOf(folder).path,
    head: sha,
    index: join(folder.gitDir, `crewmux-${newNonce()}.index`),
  };
}

/**
 * Commits them on the branch, with the hooks that lie in a folder. The worktree's own index follows only once the commit
 * is made.
 */
export async function commitLeftovers(
  found: Leftovers,
  draft: LeftoversDraft,
  { message, hooks }: { readonly message: string; readonly hooks: string },
): Promise<void> {
  const place = topOf(found.folder);
  try {
    await copyIndex(found.folder, draft.index);
    await fillDraft(found, draft);
    const gitEnv = { ...(await identity(place)), GIT_INDEX_FILE: draft.index };
    const result = await tryGit(place, ['commit', '--quiet', '--file=-'], { gitEnv, hooks, input: message });
    if (result.exitCode !== 0) throw refused(place.path, result);
  } finally {
    await settleLeftovers(draft, place.env);
  }
}

/** The leftovers as they lie on disk, and nothing that we put there, whoever has staged it. */
async function fillDraft({ folder, changes }: Leftovers, { index, head }: LeftoversDraft): Promise<void> {
  const place = topOf(folder);
  const gitEnv = { GIT_INDEX_FILE: index, GIT_LITERAL_PATHSPECS: '1' };
  await takeInto(draftGit(place, index), { top: place.path, changes, limits: noLimits });
  const ours = await untouchedPrepared(folder.gitDir, place.path);
  if (ours.size === 0) return;
  const added = await git(place, ['diff-index', '--cached', '--name-only', '--diff-filter=A', '-z', head], { gitEnv });
  const staged = listed(nulEnded(added).filter((path) => ours.has(path)));
  if (staged !== '') await git(place, ['update-index', '--force-remove', '-z', '--stdin'], { gitEnv, input: staged });
}

/** Makes the worktree's index know the commit where it was made, and takes the draft away. Safe to call again. */
export async function settleLeftovers({ worktree, head, index }: LeftoversDraft, env: Env): Promise<void> {
  const place = { path: worktree, env };
  if (!(await exists(index))) return;
  const args = ['diff-tree', '-r', '--name-only', '--no-renames', '-z', '--format=%P', 'HEAD'];
  const printed = (await tryReadGit(place, args)).stdout;
  const [, parents, changed] = /^([0-9a-f ]*)\0\n(.+)$/s.exec(printed) ?? [];
  if (parents === head && changed !== undefined) {
    const gitEnv = { GIT_LITERAL_PATHSPECS: '1' };
    await git(place, ['reset', '--quiet', ...fromStdin], { gitEnv, input: changed });
  }
  await Promise.all([index, `${index}.lock`].map((file) => rm(file, { force: true })));
}

const refused = (path: string, result: GitResult) =>
  new CrewError(
    'checks_failed',
    `The uncommitted work in ${path} could not be committed (exit ${result.exitCode}): ${lastLines(result.stderr || result.stdout)}`,
    'A hook of the repository may have refused it. Nothing was committed: have the worker mend and commit, then call again.',
  );
