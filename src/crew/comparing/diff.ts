// diff_worker: all changes of a worker since its start, committed or not.

import { join } from 'node:path';
import { advise, call } from '../../model/advice.ts';
import { defined, unlessEmpty } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { writeAtomic } from '../../system/atomic.ts';
import { exists } from '../../system/disk.ts';
import type { DiffResult } from '../../wire/landing.ts';
import { findBranch, repoPlace } from '../../worktree/git/branch.ts';
import { movedLink } from '../../worktree/git/git-link.ts';
import { type FolderFacts, inspectFolder } from '../../worktree/git/inspect.ts';
import { tryReadGit } from '../../worktree/git/repo.ts';
import { type Present, presentWork } from '../../worktree/landing/present.ts';
import { changedFiles, diffText, type WorktreeDiffRequest } from '../../worktree/state/diff.ts';
import { baseTip } from '../../worktree/state/work-state.ts';
import type { CrewContext } from '../workers/crew-context.ts';

export interface DiffQuery {
  readonly worker: string;
  readonly stat: boolean;
  readonly paths?: readonly string[];
  readonly maxChars: number;
}

export async function diffWorker(context: CrewContext, order: DiffQuery): Promise<DiffResult> {
  const record = context.roster.resolve(order.worker);
  const { repo, present, note } = await workOf(context, record);
  const base = await startOf(repo, record, present.commit);
  const diff: WorktreeDiffRequest = { repo, from: base.commit, to: present.commit, paths: order.paths ?? [] };
  const files = await changedFiles(diff);
  const sum = (pick: (file: (typeof files)[number]) => number | undefined) =>
    files.reduce((all, file) => all + (pick(file) ?? 0), 0);
  return {
    session_id: order.worker,
    branch: record.branch ?? null,
    base,
    uncommitted_files: present.uncommitted.length,
    files: files.map(({ oldPath, additions = null, deletions = null, ...file }) => ({
      ...file,
      ...defined({ old_path: oldPath }),
      additions,
      deletions,
      binary: additions === null,
    })),
    file_count: files.length,
    additions: sum((file) => file.additions),
    deletions: sum((file) => file.deletions),
    ...defined({ left_out: unlessEmpty(present.leftOut), too_large: unlessEmpty(present.tooLarge), note }),
    ...(order.stat ? {} : await textOf(context, record, { diff, maxChars: order.maxChars })),
  };
}

export interface WorkAt {
  readonly repo: FolderFacts;
  readonly present: Present;
  /** Why it may not be the whole work. */
  readonly note?: string;
}

/** The work in the worktree, or on the branch where the worktree is gone. */
export async function workOf(
  context: CrewContext,
  record: WorkerRecord,
  inspect: (path: string) => Promise<FolderFacts | undefined> = (path) =>
    inspectFolder({ path, env: context.environment.git }),
): Promise<WorkAt> {
  const repo = await inspect(record.mainRepoPath ?? record.projectPath);
  if (repo === undefined) throw noWork(record, `${record.projectPath} is in no git repository`);
  const at = record.worktreePath ?? repo.worktreeRoot;
  const isThere = at !== undefined && (await exists(at));
  const moved = isThere ? movedLink(at) : undefined;
  const present =
    isThere && moved === undefined ? await presentWork(at, repo, defined({ start: record.base?.sha })) : undefined;
  if (present !== undefined) return { repo, present };
  const sha = record.branch === undefined ? undefined : await findBranch(repo, record.branch);
  if (sha === undefined) throw noWork(record, lacking(at, isThere));
  const why = moved ?? `${at} ${isThere ? 'is no worktree that git knows any more' : 'is gone'}`;
  const note = `${why}: this is what branch ${record.branch} holds.`;
  return { repo, present: { commit: sha, uncommitted: [], leftOut: [], tooLarge: [] }, note };
}

const lacking = (at: string | undefined, isThere: boolean): string =>
  isThere
    ? `${at} has no commit yet, or is no worktree that git knows`
    : 'neither its worktree nor its branch is there';

const noWork = ({ name }: WorkerRecord, why: string) =>
  new CrewError(
    'not_a_repository',
    `There is no work of ${name} to look at: ${why}.`,
    advise`${call('list_worktrees tells what there is; restore_work', 'Your manager can tell')} what was saved.`,
  );

/** The merge base of the work and its base, which may have new commits. */
async function startOf(repo: FolderFacts, record: WorkerRecord, commit: string) {
  const tip = await baseTip(repoPlace(repo), repo, record.base);
  const mergeBase = await tryReadGit(repoPlace(repo), ['merge-base', tip ?? commit, commit]);
  const start = mergeBase.exitCode === 0 ? mergeBase.stdout.trim() : (record.base?.sha ?? commit);
  return { ref: record.base?.ref ?? null, commit: start };
}

async function textOf(
  context: CrewContext,
  record: WorkerRecord,
  { diff, maxChars }: { diff: WorktreeDiffRequest; maxChars: number },
): Promise<Pick<DiffResult, 'diff' | 'truncated' | 'path'>> {
  const text = await diffText(diff);
  if (text.length <= maxChars) return { diff: text };
  const path = join(await context.home.workerDir(record.id), 'diff.patch');
  await writeAtomic(path, text);
  const end = text.lastIndexOf('\n', maxChars);
  return { diff: text.slice(0, end > 0 ? end + 1 : maxChars), truncated: true, path };
}
