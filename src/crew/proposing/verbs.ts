// How a branch reaches the people who review it: pushes that of a worker or a plan, and opens its pull request.
import { defined, unlessEmpty } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { counted } from '../../model/plural.ts';
import { quote } from '../../model/quote.ts';
import { withLock } from '../../system/lock.ts';
import type { MissingPiece, PullRequestResult } from '../../wire/landing.ts';
import { repoPlace } from '../../worktree/git/branch.ts';
import { readGit } from '../../worktree/git/repo.ts';
import {
  createArgs,
  createPullRequest,
  findPullRequest,
  type Gh,
  type GhAnswer,
  ghState,
  type ProposalText,
  type Proposed,
} from '../../worktree/proposing/github.ts';
import { branchesThere, pushBranch, withoutSecrets } from '../../worktree/proposing/push.ts';
import { proposedTo, repoOf, slugOf } from '../../worktree/proposing/remotes.ts';
import { withPushHooks } from '../landing/landing-sandbox.ts';
import { idleBranch, planBranchFacts, refuseCancelled, subjectOf } from '../landing/own-branch.ts';
import type { Run } from '../orders.ts';
import { type CrewContext, upToDate } from '../workers/crew-context.ts';
import { draftProposal, type ProposalDraft, type ProposeOrder, textFolder } from './proposal.ts';

export interface Proposing {
  /** Pushes a worker's branch and proposes it. */
  propose(order: ProposeOrder, run: Run): Promise<PullRequestResult>;
}

export const verbs = (context: CrewContext): Proposing => ({
  propose: (order, run) => upToDate(context, () => openPullRequest(context, order, run)),
});

const lockTimeoutMs = 60_000;

async function openPullRequest(context: CrewContext, order: ProposeOrder, run: Run): Promise<PullRequestResult> {
  const own = await idleBranch({ context, order, run }, 'proposed');
  const propose = async () => {
    const draft = await draftProposal(own);
    const ready = await prepare(draft);
    return 'missing' in ready ? incomplete(draft, ready.missing) : publish(draft, ready);
  };
  const lock = context.home.lockPath(`propose-${own.owner.id}`);
  return withLock(lock, propose, { me: context.me, timeoutMs: lockTimeoutMs });
}

interface Ready {
  readonly gh: Gh;
  readonly remote: string;
  readonly request: Proposed;
  /** The address of an open pull request for the branch. */
  readonly existing: string | undefined;
}

/** Looks for every obstacle before it publishes anything. */
async function prepare(draft: ProposalDraft): Promise<Ready | { readonly missing: readonly Missing[] }> {
  const { repo, place, run, config, remote, branch, base } = draft;
  run.tell('looking at gh and the remote');
  const gh: Gh = { place, signal: run.signal };
  const from = remote === undefined ? undefined : await repoOf(repo, config, remote);
  const into = from === undefined ? undefined : proposedTo(config, from);
  const host = into?.host ?? 'github.com';
  const state = await ghState(gh, host);
  const missing: Missing[] = [];
  if (remote === undefined) missing.push(noRemote(repo.mainRepoPath));
  else if (from === undefined) missing.push(noGithub(remote, await addressOf(draft, remote)));
  if (state === 'missing') missing.push(noGh);
  if (state === 'logged-out') missing.push(noLogin(host));
  if (remote === undefined || from === undefined || into === undefined || missing.length > 0) return { missing };
  const request: Proposed = { into, base, from, branch };
  const found = await findPullRequest(gh, request);
  if ('failed' in found) return { missing: [missingBy(found, request)] };
  if (slugOf(into) === slugOf(from)) {
    const there = await branchesThere({ place, remote, signal: run.signal }, [base]);
    if (!there.has(base)) return { missing: [noBase(remote, base)] };
  }
  return { gh, remote, request, existing: found.found };
}

async function addressOf({ repo }: ProposalDraft, remote: string): Promise<string> {
  return withoutSecrets((await readGit(repoPlace(repo), ['remote', 'get-url', '--', remote])).trim());
}

function missingBy({ failed, words }: Extract<GhAnswer<never>, { failed: string }>, { into }: Proposed): Missing {
  if (failed === 'logged-out') return noLogin(into.host, words);
  if (failed === 'no-repository') return noRepository(slugOf(into), words);
  throw new CrewError('gh_failed', `gh failed: ${words}`, 'Nothing was pushed. Call again when gh can answer.');
}

async function publish(draft: ProposalDraft, { gh, remote, request, existing }: Ready): Promise<PullRequestResult> {
  const { context, repo, place, run, branch, baseSha, title, bodyPath } = draft;
  refuseCancelled(run, 'pull request');
  run.tell(`pushing ${branch} to ${remote}`);
  const push = (hooks: string, isLfs: boolean) =>
    pushBranch({ place, remote, branch, hooks, isLfs, signal: run.signal });
  const dir = await textFolder(draft);
  const pushed = await withPushHooks({ context, repo, base: baseSha, dir, path: place.path }, push);
  if (pushed.as === 'behind' || pushed.as === 'refused') {
    return answer(draft, { ...defined({ url: existing }), ...notPushed(draft, remote, pushed) });
  }
  if (existing !== undefined) return opened(draft, { url: existing, isNew: false });
  run.tell('opening the pull request');
  const text = { title, bodyPath, isDraft: draft.order.draft };
  const made = await createPullRequest(gh, request, text);
  if ('found' in made) return opened(draft, { url: made.found, isNew: true });
  return answer(draft, {
    pushed: true,
    reason: `The branch was pushed, but gh could not open the pull request: ${made.words}`,
    hint: `Call again once that is mended, or run: ${commandLine(request, text)}`,
  });
}

const commandLine = (request: Proposed, text: ProposalText): string =>
  ['gh', ...createArgs(request, text)].map(quote).join(' ');

function notPushed(
  { branch }: ProposalDraft,
  remote: string,
  pushed: { as: 'behind' } | { as: 'refused'; words: string },
): Pick<PullRequestResult, 'reason' | 'hint'> {
  if (pushed.as === 'refused') {
    return {
      reason: `${remote} or a hook refused the push: ${pushed.words}`,
      hint: 'Mend what it names, then run again. Nothing is ever pushed by force.',
    };
  }
  return {
    reason: `${branch} on ${remote} has commits that the branch here lacks, so the push was rejected (non-fast-forward).`,
    hint: `If they are wanted: git fetch ${remote}, sync_worker with from: "${remote}/${branch}" and strategy: "merge", then run again. If a rebase has replaced them, only the user may overwrite them: git push --force-with-lease ${remote} ${branch}.`,
  };
}

async function opened(
  draft: ProposalDraft,
  { url, isNew }: { url: string; isNew: boolean },
): Promise<PullRequestResult> {
  const { context, owner, branch, base, remote, carried } = draft;
  const data = { url, branch, base, remote, is_new: isNew, ...(owner.lane && planBranchFacts(owner.lane)) };
  await context.log.append([{ type: 'proposed', workerId: owner.id, data }]);
  const hints: string[] = [];
  if (!isNew) hints.push('It was open already, and has the new commits now; its title and text are as they were.');
  if (carried > 0)
    hints.push(
      `${counted(carried, 'commit')} of ${base} here that ${remote} lacked when last fetched ${carried === 1 ? 'goes' : 'go'} with it.`,
    );
  const hint = unlessEmpty(hints)?.join(' ');
  return answer(draft, { success: true, url, pushed: true, existing: !isNew, ...defined({ hint }) });
}

const incomplete = (draft: ProposalDraft, missing: readonly Missing[]): PullRequestResult =>
  answer(draft, {
    missing: missing.map(({ piece }) => piece),
    reason: missing.map(({ reason }) => reason).join(' '),
    hint: `${missing.map(({ hint }) => hint).join(' ')} Nothing was pushed; the text is in body_path.`,
  });

function answer(draft: ProposalDraft, more: Partial<PullRequestResult>): PullRequestResult {
  const { order, branch, remote, base, title, bodyPath, commits } = draft;
  return {
    success: false,
    session_id: subjectOf(order.worker),
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

/** A piece that a pull request needs, and what a person does about it. */
interface Missing {
  readonly piece: MissingPiece;
  readonly reason: string;
  readonly hint: string;
}

const noRemote = (repoPath: string): Missing => ({
  piece: 'remote',
  reason: `${repoPath} has no remote to push to.`,
  hint: 'Add one: `git remote add origin`, then its address.',
});

const noGithub = (remote: string, address: string): Missing => ({
  piece: 'github_remote',
  reason: `The remote ${remote} (${address}) is no repository on GitHub.`,
  hint: 'Pass remote with one that is, or push the branch and propose it there by hand.',
});

const noGh: Missing = {
  piece: 'gh',
  reason: 'The GitHub CLI, gh, is not on the PATH of this server.',
  hint: 'Install it from https://cli.github.com and log in with gh auth login.',
};

function noLogin(host: string, words = ''): Missing {
  const isGithub = host === 'github.com' || host.endsWith('.ghe.com');
  const doubt = isGithub ? '' : ', which may be no GitHub at all';
  const said = words === '' ? '' : ` (gh said: ${words})`;
  return {
    piece: 'gh_login',
    reason: `gh is not logged in to ${host}${doubt}${said}.`,
    hint: isGithub
      ? 'Have the user run gh auth login, or give this server a GH_TOKEN.'
      : `If it is a GitHub, have the user run gh auth login --hostname ${host}; else propose the branch there by hand.`,
  };
}

const noRepository = (slug: string, words: string): Missing => ({
  piece: 'github_remote',
  reason: `gh does not find ${slug} (gh said: ${words}).`,
  hint: 'It may be gone, misspelt, or not to be seen by this login.',
});

const noBase = (remote: string, base: string): Missing => ({
  piece: 'base',
  reason: `${remote} has no branch ${base} to merge into.`,
  hint: 'Have the user push it, or pass base with a branch that is there.',
});
