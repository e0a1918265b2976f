// open_pull_request: a worker's branch, pushed and proposed to those who merge.
import { CrewError } from '../../model/errors.ts';
import { withLock } from '../../system/lock.ts';
import type { PullRequestResult } from '../../wire/landing.ts';
import { repoPlace } from '../../worktree/branch.ts';
import { withHooks } from '../../worktree/hooks.ts';
import {
  createPullRequest,
  findPullRequest,
  type Gh,
  type GhAnswer,
  ghState,
  type Proposed,
} from '../../worktree/proposing/github.ts';
import { branchesThere, pushBranch, withoutSecrets } from '../../worktree/proposing/push.ts';
import { proposedTo, repoOf, slugOf } from '../../worktree/proposing/remotes.ts';
import { readGit } from '../../worktree/repo.ts';
import type { ProposeOrder, Run } from '../orders.ts';
import type { CrewContext } from '../workers/roster.ts';
import { ownBranch, refuseCancelled, refuseMidTurn } from './own-branch.ts';
import { type Draft, drafted } from './proposal-draft.ts';
import { byHand, noBase, noGh, noGithub, noLogin, noRemote, noRepository, type Wanting } from './proposal-words.ts';

const lockTimeoutMs = 60_000;

export async function openPullRequest(context: CrewContext, order: ProposeOrder, run: Run): Promise<PullRequestResult> {
  const record = context.roster.resolve(order.worker);
  await context.roster.following(record.id)?.drain();
  const own = await ownBranch(context, record, 'proposed');
  refuseMidTurn(context, record);
  const lock = context.home.lockPath(`propose-${record.id}`);
  const propose = async () => {
    const draft = await drafted({ context, record, order, run, ...own });
    const ready = await prepared(draft);
    return 'wanting' in ready ? incomplete(draft, ready.wanting) : proposed(draft, ready);
  };
  return withLock(lock, propose, { me: context.me, timeoutMs: lockTimeoutMs });
}

interface Ready {
  readonly gh: Gh;
  readonly remote: string;
  readonly proposed: Proposed;
  readonly existing: string | undefined;
}

/** Everything that could stop it half way is looked at before anything is published. */
async function prepared(draft: Draft): Promise<Ready | { readonly wanting: readonly Wanting[] }> {
  const { repo, place, run, config, remote, branch, base } = draft;
  run.tell('looking at gh and the remote');
  const gh: Gh = { place, signal: run.signal };
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
    const there = await branchesThere({ place, remote, signal: run.signal }, [base]);
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
  const { repo, place, run, branch, baseSha, title, bodyPath } = draft;
  refuseCancelled(run, 'pull request');
  run.tell(`pushing ${branch} to ${remote}`);
  const push = (hooks: string) => pushBranch({ place, remote, branch, hooks, signal: run.signal });
  const pushed = await withHooks(repo, baseSha, push);
  if (pushed.as === 'behind' || pushed.as === 'refused') {
    return answer(draft, {
      pushed: false,
      ...(existing === undefined ? {} : { url: existing }),
      ...notPushed(draft, remote, pushed),
    });
  }
  if (existing !== undefined) return told(draft, { url: existing, isNew: false });
  run.tell('opening the pull request');
  const text = { title, bodyPath, isDraft: draft.order.draft };
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
      hint: 'Mend what it names, then run again. Nothing is ever pushed by force.',
    };
  }
  return {
    reason: `${branch} on ${remote} has commits that the branch here lacks, so the push was rejected (non-fast-forward).`,
    hint: `If they are wanted: git fetch ${remote}, sync_worker with from: "${remote}/${branch}" and strategy: "merge", then run again. If a rebase has replaced them, only the user may overwrite them: git push --force-with-lease ${remote} ${branch}.`,
  };
}

async function told(draft: Draft, { url, isNew }: { url: string; isNew: boolean }): Promise<PullRequestResult> {
  const { context, record, branch, base, remote, carried } = draft;
  const data = { url, branch, base, remote, is_new: isNew };
  await context.log.append([{ type: 'proposed', workerId: record.id, data }]);
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
  const { order, branch, remote, base, title, bodyPath, commits } = draft;
  return {
    success: false,
    session_id: order.worker,
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
