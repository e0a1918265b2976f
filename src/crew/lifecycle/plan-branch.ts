// Opens the branch of a plan, on which its jobs land, made from the plan's base.
import { CrewError } from '../../model/errors.ts';
import { quote } from '../../model/quote.ts';
import { createRef, findBranch, repoPlace } from '../../worktree/git/branch.ts';
import { type FolderFacts, inspectFolder } from '../../worktree/git/inspect.ts';
import { tryReadGit } from '../../worktree/git/repo.ts';
import { worktreeName } from '../../worktree/git/slug.ts';
import { parentBranch } from '../../worktree/making/parent-branch.ts';
import type { PlanBranch } from '../orders.ts';
import { crewName, projectOf } from '../place.ts';
import type { CrewContext } from '../workers/crew-context.ts';

export interface PlanBranchOrder extends Pick<PlanBranch, 'id' | 'name'> {
  /** `auto` is the project of whoever asks. */
  readonly project: string;
  readonly here?: string;
  /** A local branch; the current one unless given. */
  readonly base?: string;
}

/** Makes no checkout. Under the same id and name it finds the branch again and leaves it as it is. */
export async function openPlanBranch(context: CrewContext, order: PlanBranchOrder): Promise<PlanBranch> {
  const project = await projectOf(context, order.project, order.here);
  const folder = await repositoryAt(context, project, order);
  const base = await baseOf(folder, order);
  const { id, name } = order;
  const { session_prefix: prefix } = context.settingsFor(project).settings.tmux;
  const branch = `crewmux/${worktreeName({ workerName: name, workerId: id })}`;
  return {
    ...{ id, name, branch },
    repoPath: folder.mainRepoPath,
    crew: crewName(prefix, folder.mainRepoPath),
    base: { ref: base.ref, sha: await ensureBranch(folder, branch, base.sha) },
  };
}

async function repositoryAt(context: CrewContext, project: string, { base }: PlanBranchOrder): Promise<FolderFacts> {
  const folder = await inspectFolder({ path: project, env: context.environment.git });
  const commit = 'git add -A && git commit -m "First commit"';
  const leave = 'A .gitignore keeps out what does not belong there.';
  if (folder === undefined) {
    throw new CrewError(
      'not_a_repository',
      `${project} is not in a git repository, so the jobs of a plan could land nowhere.`,
      `Run \`cd ${quote(project)} && git init && ${commit}\`, then call again. ${leave}`,
    );
  }
  if (folder.head.sha !== undefined || (base !== undefined && (await findBranch(folder, base)) !== undefined))
    return folder;
  throw new CrewError(
    'not_a_repository',
    `${folder.mainRepoPath} has no commit yet, so there is nothing a plan could start from.`,
    `Run \`cd ${quote(folder.mainRepoPath)} && ${commit}\`, then call again. ${leave}`,
  );
}

async function baseOf(folder: FolderFacts, { base }: PlanBranchOrder): Promise<PlanBranch['base']> {
  const asked = base === undefined || base === 'HEAD' || base === '@' ? folder.head.branch : base;
  if (asked === undefined) {
    throw new CrewError(
      'base_not_found',
      `${folder.worktreeRoot ?? folder.mainRepoPath} is on no branch, so there is none that a plan could land on.`,
      'Check out a branch there, or pass base with a local one.',
    );
  }
  const { branch, sha } = await parentBranch(folder, { asked, reach: 'local', parameter: 'base' });
  return { ref: branch, sha };
}

/** Resolves to the commit of the base from which the branch was begun, whoever made it. */
async function ensureBranch(folder: FolderFacts, branch: string, sha: string): Promise<string> {
  if (await createRef(folder, { ref: `refs/heads/${branch}`, sha, why: 'crewmux: new plan' })) return sha;
  const tip = await findBranch(folder, branch);
  if (tip !== undefined) return begunFrom(folder, tip, sha);
  throw new CrewError(
    'branch_exists',
    `The branch ${branch} cannot be made in ${folder.mainRepoPath}: a branch above or below it is in the way.`,
    'Rename that branch, then call again.',
  );
}

async function begunFrom(folder: FolderFacts, tip: string, sha: string): Promise<string> {
  const shared = await tryReadGit(repoPlace(folder), ['merge-base', tip, sha]);
  return shared.exitCode === 0 ? shared.stdout.trim() : sha;
}
