// open_pull_request: a worker's branch, pushed and proposed to those who merge.
import { join } from 'node:path';
import { CrewError } from '../model/errors.ts';
import { type Proposal, proposedBody, proposedTitle } from '../model/proposal.ts';
import type { WorkerRecord } from '../model/worker.ts';
import { writeAtomic } from '../state/atomic.ts';
import { withLock } from '../state/lock.ts';
import { findBranch, repoPlace } from '../worktree/branch.ts';
import { exists } from '../worktree/disk.ts';
import {
  createPullRequest,
  findPullRequest,
  type Gh,
  type GhAnswer,
  ghState,
  type Proposed,
} from '../worktree/github.ts';
import type { Repo } from '../worktree/inspect.ts';
import { type Parent, parentBranch } from '../worktree/parent-branch.ts';
import { pullRequestTemplate } from '../worktree/pull-request-template.ts';
import { branchesThere, pushBranch, withoutSecrets } from '../worktree/push.ts';
import { chooseRemote, homeRemote, nameThere, proposedTo, remoteConfig, repoOf, slugOf } from '../worktree/remotes.ts';
import { type Place, readGit, tryReadGit } from '../worktree/repo.ts';
import { subjectsOf } from '../worktree/sides.ts';
import { workState } from '../worktree/work-state.ts';
import type { CallContext, PullRequestRequest, PullRequestResult } from './api.ts';
import type { House } from './house.ts';
import { type OwnBranch, ownBranch, refuseCancelled, refuseMidTurn, unready } from './own-branch.ts';
import { byHand, noBase, noGh, noGithub, noLogin, noRemote, noRepository, type Wanting } from './proposal-words.ts';
import { reportsOf } from './reports.ts';

const lockTimeoutMs = 60_000;

export async function openPullRequest(
  house: House,
  request: PullRequestRequest,
  call: CallContext,
): Promise<PullRequestResult> {
  const record = house.roster.resolve(request.session_id);
  await house.roster.following(record.id)?.drain();
  const own = await ownBranch(house, record, 'proposed');
  refuseMidTurn(house, record);
  const lock = house.home.lockPath(`propose-${record.id}`);
  const propose = async () => {
    const draft = await drafted({ house, record, request, call, ...own });
    const ready = await prepared(draft);
    return 'wanting' in ready ? incomplete(draft, ready.wanting) : proposed(draft, ready);
  };
  return withLock(lock, propose, { me: house.me, timeoutMs: lockTimeoutMs });
}

interface Asking extends OwnBranch {
  readonly house: House;
  readonly record: WorkerRecord;
  readonly request: PullRequestRequest;
  readonly call: CallContext;
}

/** All that can be known without asking anybody. */
interface Draft extends Asking {
  /** Where git and gh run. */
  readonly place: Place;
  readonly config: Awaited<ReturnType<typeof remoteConfig>>;
  readonly remote: string | undefined;
  /** As the remote calls it. */
  readonly base: string;
  readonly commits: number;
  /** Of these, commits of the base here that the remote's lacked when it was last fetched. */
  readonly carried: number;
  readonly title: string;
  readonly bodyPath: string;
}

async function drafted(asking: Asking): Promise<Draft> {
  const { repo, branch, record, request, house } = asking;
  const place = await workplace(asking);
  const parent = await parentBranch(repo, {
    asked: request.base,
    recorded: record.base,
    reach: 'any',
    parameter: 'base',
  });
  const sha = await findBranch(repo, branch);
  if (sha === undefined) throw gone(asking);
  const config = await remoteConfig(repo);
  const remote = await chooseRemote(repo, config, { asked: request.remote, branch });
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
    report: (await reportsOf(house, record)).find(({ kind }) => kind === 'report'),
    template: await pullRequestTemplate(repo, parent.sha),
  };
  const carried = await countOf(repo, [parent.sha, `^${there}`]);
  const bodyPath = join(await house.home.workerDir(record.id), 'pull-request.md');
  await writeAtomic(bodyPath, `${request.body ?? proposedBody(proposal)}\n`);
  const title = request.title?.replace(/\s+/g, ' ').trim() || proposedTitle(proposal);
  return { ...asking, place, config, remote, base, commits, carried, title, bodyPath };
}

/** The worktree, with nothing in it that would be left out; the repository where that is gone. */
async function workplace({ repo, record, branch, house }: Asking): Promise<Place> {
  const { worktreePath: path } = record;
  if (path === undefined || !(await exists(path))) return repoPlace(repo);
  const state = await workState({ worktreePath: path, env: house.env });
  const files = state.dirtyFiles + state.untrackedFiles;
  const problem = unready(state, branch) ?? (files > 0 ? `${files} files are not committed` : undefined);
  if (problem === undefined) return { path, env: house.env };
  throw new CrewError(
    'would_lose_work',
    `The work of ${record.name} in ${path} cannot be proposed as it stands: ${problem}.`,
    'Nothing was pushed. Have the worker commit what belongs to it and ignore the rest, then call again.',
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

interface Ready {
  readonly gh: Gh;
  readonly remote: string;
  readonly proposed: Proposed;
  readonly existing: string | undefined;
}

/** Everything that could stop it half way is looked at before anything is published. */
async function prepared(draft: Draft): Promise<Ready | { readonly wanting: readonly Wanting[] }> {
  const { repo, place, call, config, remote, branch, base } = draft;
  call.progress('looking at gh and the remote');
  const gh: Gh = { place, signal: call.signal };
  const from = remote === undefined ? undefined : await repoOf(repo, config, remote);
  const into = from === undefined ? undefined : proposedTo(config, from);
  const state = await ghState(gh, into?.host ?? 'github.com');
  const wanting = [
    ...(remote === undefined ? [noRemote(repo.mainRepoPath)] : []),
    ...(remote !== undefined && from === undefined ? [noGithub(remote, await addressOf(draft, remote))] : []),
    ...(state === 'missing' ? [noGh] : []),
    ...(state === 'logged-out' ? [noLogin(into?.host ?? 'github.com')] : []),
  ];
  if (remote === undefined || from === undefined || into === undefined || wanting.length > 0) return { wanting };
  const request: Proposed = { into, base, from, branch };
  const found = await findPullRequest(gh, request);
  if ('failed' in found) return { wanting: [wantingOf(found, request)] };
  if (slugOf(into) === slugOf(from)) {
    const there = await branchesThere({ place, remote, signal: call.signal }, [base]);
    if (!there.has(base)) return { wanting: [noBase(remote, base)] };
  }
  return { gh, remote, proposed: request, existing: found.found };
}

async function addressOf({ repo }: Draft, remote: string): Promise<string> {
  return withoutSecrets((await readGit(repoPlace(repo), ['remote', 'get-url', '--', remote])).trim());
}

function wantingOf({ failed, words }: Extract<GhAnswer<never>, { failed: string }>, { into }: Proposed): Wanting {
  if (failed === 'logged-out') return noLogin(into.host, words);
  if (failed === 'no-repository') return noRepository(slugOf(into), words);
  throw ghFailed(words, 'Nothing was pushed. Call again when gh can answer.');
}

const ghFailed = (words: string, hint: string) => new CrewError('gh_failed', `gh failed: ${words}`, hint);

/** Published from here on. */
async function proposed(draft: Draft, { gh, remote, proposed: request, existing }: Ready): Promise<PullRequestResult> {
  const { place, call, branch, title, bodyPath } = draft;
  refuseCancelled(call, 'pull request');
  call.progress(`pushing ${branch} to ${remote}`);
  const pushed = await pushBranch({ place, remote, branch, signal: call.signal });
  if (pushed.as === 'behind' || pushed.as === 'refused') {
    return answer(draft, {
      pushed: false,
      ...(existing === undefined ? {} : { url: existing }),
      ...notPushed(draft, remote, pushed),
    });
  }
  if (existing !== undefined) return told(draft, { url: existing, isNew: false });
  call.progress('opening the pull request');
  const text = { title, bodyPath, isDraft: draft.request.draft };
  const made = await createPullRequest(gh, request, text);
  if ('found' in made) return told(draft, { url: made.found, isNew: true });
  return answer(draft, {
    pushed: true,
    reason: `The branch was pushed, but gh could not open the pull request: ${made.words}`,
    hint: `Call again once that is mended, or run: ${byHand(request, text)}`,
  });
}

function notPushed(
  { branch }: Draft,
  remote: string,
  pushed: { as: 'behind' } | { as: 'refused'; words: string },
): Pick<PullRequestResult, 'reason' | 'hint'> {
  if (pushed.as === 'refused') {
    return {
      reason: `${remote} or a hook refused the push: ${pushed.words}`,
      hint: 'Mend what it names, then call again. Nothing is ever pushed by force.',
    };
  }
  return {
    reason: `${branch} on ${remote} has commits that the branch here lacks, so the push was rejected (non-fast-forward).`,
    hint: `If they are wanted: git fetch ${remote}, sync_worker with from: "${remote}/${branch}" and strategy: "merge", then call again. If a rebase has replaced them, only the user may overwrite them: git push --force-with-lease ${remote} ${branch}.`,
  };
}

async function told(draft: Draft, { url, isNew }: { url: string; isNew: boolean }): Promise<PullRequestResult> {
  const { house, record, branch, base, remote, carried } = draft;
  const data = { url, branch, base, remote, is_new: isNew };
  await house.log.append([{ type: 'proposed', workerId: record.id, data }]);
  const hints = [
    ...(isNew ? [] : ['It was open already, and has the new commits now; its title and text are as they were.']),
    ...(carried === 0
      ? []
      : [`${carried} commits of ${base} here that ${remote} lacked when last fetched go with it.`]),
  ];
  const hint = hints.length === 0 ? {} : { hint: hints.join(' ') };
  return answer(draft, { success: true, url, pushed: true, existing: !isNew, ...hint });
}

const incomplete = (draft: Draft, wanting: readonly Wanting[]): PullRequestResult =>
  answer(draft, {
    missing: wanting.map(({ piece }) => piece),
    reason: wanting.map(({ reason }) => reason).join(' '),
    hint: `${wanting.map(({ hint }) => hint).join(' ')} Nothing was pushed; the text is in body_path.`,
  });

function answer(draft: Draft, more: Partial<PullRequestResult>): PullRequestResult {
  const { request, branch, remote, base, title, bodyPath, commits } = draft;
  return {
    success: false,
    session_id: request.session_id,
    branch,
    remote: remote ?? null,
    base,
    title,
    body_path: bodyPath,
    commits,
    pushed: false,
    existing: false,
    missing: [],
    ...more,
  };
}
