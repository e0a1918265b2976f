// What a pull request proposes: the commits of a worker or a plan on a base, a title, and a text of its report and the template.

import { join } from 'node:path';
import { harmless } from '../../model/attributed-note.ts';
import { CrewError } from '../../model/errors.ts';
import { counted } from '../../model/plural.ts';
import { writeAtomic } from '../../system/atomic.ts';
import { exists } from '../../system/disk.ts';
import type { ReportView } from '../../wire/reports.ts';
import { findBranch, repoPlace } from '../../worktree/git/branch.ts';
import type { Repo } from '../../worktree/git/inspect.ts';
import { type GitPlace, readGit, tryReadGit } from '../../worktree/git/repo.ts';
import { subjectsOf } from '../../worktree/landing/sides.ts';
import { type Parent, parentBranch } from '../../worktree/making/parent-branch.ts';
import { pullRequestTemplate } from '../../worktree/proposing/pull-request-template.ts';
import { type Config, chooseRemote, homeRemote, nameThere, remoteConfig } from '../../worktree/proposing/remotes.ts';
import { workState } from '../../worktree/state/work-state.ts';
import { type OwnedBranch, unready } from '../landing/own-branch.ts';
import type { PlanBranch } from '../orders.ts';
import { reportsOf } from '../workers/reports.ts';
import { refuseMoved } from '../workers/tips.ts';

/** What its pull request tells of a plan. */
export interface ProposedPlan {
  readonly goal?: string;
  /** Its title, and its text in place of the goal, as one of its workers has written them. */
  readonly title?: string;
  readonly text?: string;
  readonly jobs: readonly ProposedJob[];
}

export interface ProposedJob {
  readonly name: string;
  readonly state: string;
  readonly commits: number;
  readonly tests: string;
  /** In the worker's words. */
  readonly report?: { readonly what_open?: string; readonly what_untested?: string };
}

export interface ProposeOrder {
  readonly worker: string | PlanBranch;
  /** Where it is the branch of a plan. */
  readonly plan?: ProposedPlan;
  readonly title?: string;
  readonly body?: string;
  readonly draft: boolean;
  readonly base?: string;
  readonly remote?: string;
}

type Asking = OwnedBranch<ProposeOrder>;

/** Every fact that needs neither the remote nor GitHub. */
export interface ProposalDraft extends Asking {
  /** The folder in which git and gh run. */
  readonly place: GitPlace;
  readonly config: Config;
  readonly remote: string | undefined;
  /** Its name on the remote. */
  readonly base: string;
  readonly baseSha: string;
  readonly commits: number;
  /** Those commits of the local base that the remote's lacked at the last fetch; they are among `commits`. */
  readonly carried: number;
  readonly title: string;
  readonly bodyPath: string;
}

/** Changes nothing but the file of the text. */
export async function draftProposal(asking: Asking): Promise<ProposalDraft> {
  const { repo, branch, owner, order } = asking;
  const place = await workplace(asking);
  const wanted = { asked: order.base, recorded: owner.base };
  const parent = await parentBranch(repo, { ...wanted, reach: 'any', parameter: 'base' });
  const sha = await findBranch(repo, branch);
  if (sha === undefined) throw gone(asking);
  const uses = parent.remote === undefined ? [[parent.branch, parent.sha] as const] : [];
  await refuseMoved(asking.context, repo, new Map([...uses, [branch, sha]]));
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
    name: owner.name,
    branch,
    annotation: owner.annotation,
    subjects,
    report: await newestReport(asking),
    plan: order.plan,
    template: await pullRequestTemplate(repo, parent.sha),
  };
  const carried = await countOf(repo, [parent.sha, `^${there}`]);
  const bodyPath = join(await textFolder(asking), 'pull-request.md');
  await writeAtomic(bodyPath, `${order.body ?? proposedBody(proposal)}\n`);
  const title = order.title?.replace(/\s+/g, ' ').trim() || proposedTitle(proposal);
  return { ...asking, place, config, remote, base, baseSha: parent.sha, commits, carried, title, bodyPath };
}

const newestReport = async ({ context, owner }: Asking) =>
  owner.lane === undefined ? (await reportsOf(context, owner)).find(({ kind }) => kind === 'report') : undefined;

export const textFolder = ({ context, owner }: Asking): Promise<string> =>
  owner.lane === undefined ? context.home.workerDir(owner.id) : context.home.planDir(owner.id);

/** The worktree, or the repository where that is gone. Throws where a push would leave work out. */
async function workplace({ repo, owner, branch, context }: Asking): Promise<GitPlace> {
  const main = repo.worktreeRoot;
  const path = owner.worktreePath ?? (repo.head.branch === branch ? main : undefined);
  if (path === undefined || !(await exists(path)))
    return { path: main ?? repo.gitCommonDir, env: context.environment.remote };
  const state = await workState({ worktreePath: path, env: context.environment.git, base: 'none' });
  const files = state.dirtyFiles + state.untrackedFiles;
  const problem =
    unready(state, branch) ??
    (files > 0 ? `${counted(files, 'file')} ${files === 1 ? 'is' : 'are'} not committed` : undefined);
  if (problem === undefined) return { path, env: context.environment.remote };
  throw new CrewError(
    'would_lose_work',
    `The work of ${owner.name} in ${path} cannot be proposed as it stands: ${problem}.`,
    'Nothing was pushed. Have what belongs to it committed there and the rest ignored, then run again.',
  );
}

const gone = ({ branch, repo }: Asking) =>
  new CrewError(
    'base_not_found',
    `The branch ${branch} is gone from ${repo.mainRepoPath}.`,
    'Nothing was pushed. list_worktrees tells the branches there are.',
  );

const ownBase = ({ owner, branch }: Asking) =>
  new CrewError(
    'invalid_argument',
    `${owner.name} works on ${branch} itself, so it cannot be proposed to it.`,
    'Pass base with the branch it is to be merged into.',
  );

const nothing = ({ branch }: Asking, parent: Parent) =>
  new CrewError(
    'invalid_argument',
    `${branch} has no commit that ${parent.branch} lacks, so there is nothing to propose.`,
    'See with examine_worker, or plan_status for a plan, what has been done.',
  );

async function countOf(repo: Repo, range: readonly string[]): Promise<number> {
  return Number((await readGit(repoPlace(repo), ['rev-list', '--count', ...range, '--'])).trim());
}

/** The remote's base at the last fetch, or the local base without one. */
async function baseThere(
  { repo }: Asking,
  { remote, base, parent }: { remote: string | undefined; base: string; parent: Parent },
): Promise<string> {
  const ref = `refs/remotes/${remote}/${base}^{commit}`;
  const fetched = await tryReadGit(repoPlace(repo), ['rev-parse', '--verify', '--quiet', ref]);
  return fetched.exitCode === 0 ? fetched.stdout.trim() : parent.sha;
}

export interface Proposal {
  readonly name: string;
  readonly branch: string;
  readonly annotation?: string | undefined;
  /** Subjects of the commits, oldest first. */
  readonly subjects: readonly string[];
  readonly report?: Partial<ReportView> | undefined;
  readonly plan?: ProposedPlan | undefined;
  readonly template?: string | undefined;
}

const longestTitle = 200;
// The most that GitHub takes is 65,536.
const longestBody = 60_000;
const longestPart = 8_000;
const mostSubjects = 50;

/** The subject of its only commit, or its label. */
export function proposedTitle({ name, branch, annotation, subjects }: Proposal): string {
  const only = subjects.length === 1 ? subjects[0] : undefined;
  const title = oneLine(only ?? annotation ?? '');
  return cut(title === '' ? `Work of ${name} (${branch})` : title, longestTitle);
}

export function proposedBody({ name, subjects, report, plan, template }: Proposal): string {
  const quoted = report === undefined ? '' : quotedReport(name, report);
  const planned = plan === undefined ? [] : planParts(plan);
  const text = [...planned, quoted, commitList(subjects)].filter((part) => part !== '').join('\n\n');
  return cut(template === undefined ? text : filledTemplate(template, text), longestBody).trimEnd();
}

/** Its text or goal, a table of its jobs, and what their reports leave open. */
function planParts({ goal = '', text = '', jobs }: ProposedPlan): readonly string[] {
  const rows = jobs.map(({ name, state, commits, tests }) => `| ${name} | ${state} | ${commits} | ${tests} |`);
  return [
    text === '' ? goalPart(goal) : unmentioned(cut(harmless(text), longestPart)),
    ['| job | state | commits | tests |', '|---|---|---|---|', ...rows].join('\n'),
    ...jobs.map(({ name, report = {} }) => quotedReport(name, report)),
  ];
}

const goalPart = (goal: string): string =>
  goal === '' ? '' : `Goal:\n\n${quotation(cut(harmless(goal), longestPart))}`;

const parts = [
  ['what_done', 'Done'],
  ['what_tested', 'Tested'],
  ['what_untested', 'Not tested'],
  ['what_open', 'Open'],
  ['errors_encountered', 'Trouble on the way'],
  ['next_steps', 'Next'],
] as const;

/** A quotation, so the report cannot hide the text after it, and mentions nobody. */
function quotedReport(name: string, report: Partial<ReportView>): string {
  const said = parts.flatMap(([key, title]) => {
    const words = cut(harmless(report[key] ?? ''), longestPart);
    return words === '' ? [] : [`**${title}**\n\n${words}`];
  });
  if (said.length === 0) return '';
  return `${name} reports:\n\n${quotation(said.join('\n\n'))}`;
}

const quotation = (text: string): string =>
  unmentioned(text)
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');

function commitList(subjects: readonly string[]): string {
  if (subjects.length === 0) return '';
  const listed = subjects.slice(0, mostSubjects).map((subject) => `- ${unmentioned(oneLine(harmless(subject)))}`);
  const more = subjects.length > mostSubjects ? [`- and ${subjects.length - mostSubjects} more`] : [];
  return ['Commits:', '', ...listed, ...more].join('\n');
}

/** Puts the text under the template's first heading for a description, or before the template. */
export function filledTemplate(template: string, text: string): string {
  const lines = template.split('\n');
  const heading = lines.findIndex((line) =>
    /^#{1,6}\s.*\b(description|summary|what|changes?|overview|about)\b/i.test(line),
  );
  if (heading === -1) return `${text}\n\n${template}`;
  return [...lines.slice(0, heading + 1), '', text, '', ...lines.slice(heading + 1)].join('\n');
}

/** An invisible mark after each at sign keeps GitHub from notifying that name. */
const unmentioned = (text: string): string =>
  text.replace(/(?<![\w`/.])@(?=[a-z\d])/gi, '@\u200b').replaceAll('<!--', '&lt;!--');

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
