// What is to be proposed, as far as it is known here: branch, base, title and text.
import { join } from 'node:path';
import { CrewError } from '../../model/errors.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { writeAtomic } from '../../system/atomic.ts';
import { exists } from '../../system/disk.ts';
import { findBranch, repoPlace } from '../../worktree/branch.ts';
import type { Repo } from '../../worktree/inspect.ts';
import { subjectsOf } from '../../worktree/landing/sides.ts';
import { type Parent, parentBranch } from '../../worktree/parent-branch.ts';
import { pullRequestTemplate } from '../../worktree/proposing/pull-request-template.ts';
import { type Config, chooseRemote, homeRemote, nameThere, remoteConfig } from '../../worktree/proposing/remotes.ts';
import { type Place, readGit, tryReadGit } from '../../worktree/repo.ts';
import { workState } from '../../worktree/work-state.ts';
import type { ProposeOrder, Run } from '../orders.ts';
import { reportsOf } from '../workers/reports.ts';
import type { CrewContext } from '../workers/roster.ts';
import { type OwnBranch, unready } from './own-branch.ts';
import { type Proposal, proposedBody, proposedTitle } from './proposal.ts';

export interface Asking extends OwnBranch {
  readonly context: CrewContext;
  readonly record: WorkerRecord;
  readonly order: ProposeOrder;
  readonly run: Run;
}

/** All that can be known without asking anybody. */
export interface Draft extends Asking {
  /** Where git and gh run. */
  readonly place: Place;
  readonly config: Config;
  readonly remote: string | undefined;
  /** As the remote calls it. */
  readonly base: string;
  readonly baseSha: string;
  readonly commits: number;
  /** Of these, commits of the base here that the remote's lacked when it was last fetched. */
  readonly carried: number;
  readonly title: string;
  readonly bodyPath: string;
}

/** Changes nothing but the file of the text. */
export async function drafted(asking: Asking): Promise<Draft> {
  const { repo, branch, record, order, context } = asking;
  const place = await workplace(asking);
  const parent = await parentBranch(repo, {
    asked: order.base,
    recorded: record.base,
    reach: 'any',
    parameter: 'base',
  });
  const sha = await findBranch(repo, branch);
  if (sha === undefined) throw gone(asking);
  const config = await remoteConfig(repo);
  const remote = await chooseRemote(repo, config, { asked: order.remote, branch });
  const home = remote === undefined ? undefined : homeRemote(config, remote);
  const base =
    home === undefined || parent.remote !== undefined
      ? parent.branch
      : nameThere(config, { remote: home, branch: parent.branch });
  if (base === branch) throw ownBase(asking);
  const there = await baseThere(asking, { remote: home, base, parent });
  const commits = await countOf(repo, [sha, `^${there}`]);
  if (commits === 0) throw nothing(asking, parent);
  const subjects = await subjectsOf(repo, there, sha);
  const proposal: Proposal = {
    name: record.name,
    branch,
    annotation: record.annotation,
    subjects,
    report: (await reportsOf(context, record)).find(({ kind }) => kind === 'report'),
    template: await pullRequestTemplate(repo, parent.sha),
  };
  const carried = await countOf(repo, [parent.sha, `^${there}`]);
  const bodyPath = join(await context.home.workerDir(record.id), 'pull-request.md');
  await writeAtomic(bodyPath, `${order.body ?? proposedBody(proposal)}\n`);
  const title = order.title?.replace(/\s+/g, ' ').trim() || proposedTitle(proposal);
  return { ...asking, place, config, remote, base, baseSha: parent.sha, commits, carried, title, bodyPath };
}

/** The worktree, with nothing in it that would be left out; the repository where that is gone. */
async function workplace({ repo, record, branch, context }: Asking): Promise<Place> {
  const main = repo.worktreeRoot;
  const path = record.worktreePath ?? (repo.head.branch === branch ? main : undefined);
  if (path === undefined || !(await exists(path))) return { path: main ?? repo.gitCommonDir, env: context.remoteEnv };
  const state = await workState({ worktreePath: path, env: context.env, base: 'none' });
  const files = state.dirtyFiles + state.untrackedFiles;
  const problem = unready(state, branch) ?? (files > 0 ? `${files} files are not committed` : undefined);
  if (problem === undefined) return { path, env: context.remoteEnv };
  throw new CrewError(
    'would_lose_work',
    `The work of ${record.name} in ${path} cannot be proposed as it stands: ${problem}.`,
    'Nothing was pushed. Have the worker commit what belongs to it and ignore the rest, then run again.',
  );
}

const gone = ({ branch, repo }: Asking) =>
  new CrewError(
    'base_not_found',
    `The branch ${branch} is gone from ${repo.mainRepoPath}.`,
    'Nothing was pushed. list_worktrees tells the branches there are.',
  );

const ownBase = ({ record, branch }: Asking) =>
  new CrewError(
    'invalid_argument',
    `${record.name} works on ${branch} itself, so it cannot be proposed to it.`,
    'Pass base with the branch it is to be merged into.',
  );

const nothing = ({ branch }: Asking, parent: Parent) =>
  new CrewError(
    'invalid_argument',
    `${branch} has no commit that ${parent.branch} lacks, so there is nothing to propose.`,
    'See with examine_worker what the worker has done.',
  );

async function countOf(repo: Repo, range: readonly string[]): Promise<number> {
  return Number((await readGit(repoPlace(repo), ['rev-list', '--count', ...range, '--'])).trim());
}

/** What the remote's branch was when it was last fetched; the base here where it never was. */
async function baseThere(
  { repo }: Asking,
  { remote, base, parent }: { remote: string | undefined; base: string; parent: Parent },
): Promise<string> {
  const ref = `refs/remotes/${remote}/${base}^{commit}`;
  const told = await tryReadGit(repoPlace(repo), ['rev-parse', '--verify', '--quiet', ref]);
  return told.exitCode === 0 ? told.stdout.trim() : parent.sha;
}
