// The GitHub CLI, as far as pull requests need it; nobody is asked anything.

import { z } from 'zod';
import { parseJson } from '../../model/json.ts';
import { run } from '../../system/exec.ts';
import { type GitPlace, lastLines } from '../git/repo.ts';
import { remoteEnvironment, withoutSecrets } from './push.ts';
import { type HostedRepo, slugOf } from './remotes.ts';

export interface Gh {
  readonly place: GitPlace;
  readonly signal: AbortSignal;
}

const timeoutMs = 60_000;
/** What would make it talk to a terminal, or about another repository. */
const misleading = new Set(['GH_FORCE_TTY', 'GH_DEBUG', 'GH_REPO', 'GH_HOST', 'CLICOLOR_FORCE']);
const quiet = { GH_PROMPT_DISABLED: '1', GH_NO_UPDATE_NOTIFIER: '1', GH_SPINNER_DISABLED: '1', NO_COLOR: '1' };

const gh = async ({ place, signal }: Gh, args: readonly string[]) => {
  const kept = Object.entries(await remoteEnvironment(place)).filter(([name]) => !misleading.has(name));
  const env = { ...Object.fromEntries(kept), ...quiet };
  return run('gh', args, { cwd: place.path, env, timeoutMs, signal, wholeTree: 'when-stopped' });
};

/** Whether it is there, and knows who we are on this host. Asks no network. */
export async function ghState(at: Gh, host: string): Promise<'ready' | 'missing' | 'logged-out'> {
  const token = await gh(at, ['auth', 'token', '--hostname', host]);
  if (token.startError !== undefined) return 'missing';
  if (token.exitCode === 0) return 'ready';
  // Releases before 2.17 cannot show a token.
  if (!/unknown command/.test(token.stderr)) return 'logged-out';
  return (await gh(at, ['auth', 'status', '--hostname', host])).exitCode === 0 ? 'ready' : 'logged-out';
}

export interface Proposed {
  /** The repository it is to be merged in. */
  readonly into: HostedRepo;
  readonly base: string;
  /** The repository the branch was pushed to. */
  readonly from: HostedRepo;
  readonly branch: string;
}

export type GhAnswer<Found> =
  | { readonly found: Found }
  | { readonly failed: 'logged-out' | 'no-repository' | 'other'; readonly words: string };

const listed = z.array(
  z.object({ url: z.string(), headRepositoryOwner: z.looseObject({ login: z.string() }).nullish() }),
);

/** The address of an open one, if there is any. */
export async function findPullRequest(
  at: Gh,
  { into, base, from, branch }: Proposed,
): Promise<GhAnswer<string | undefined>> {
  const which = ['--repo', slugOf(into), '--head', branch, '--base', base, '--state', 'open'];
  const result = await gh(at, ['pr', 'list', ...which, '--json', 'url,headRepositoryOwner', '--limit', '20']);
  if (result.exitCode !== 0) return failed(result);
  const all = listed.safeParse(parseJson(result.stdout)).data ?? [];
  const ours = all.find(({ headRepositoryOwner: owner }) => owner?.login.toLowerCase() === from.owner.toLowerCase());
  return { found: ours?.url };
}

export interface ProposalText {
  readonly title: string;
  readonly bodyPath: string;
  readonly isDraft: boolean;
}

/** Its address. */
export async function createPullRequest(at: Gh, request: Proposed, text: ProposalText): Promise<GhAnswer<string>> {
  const result = await gh(at, createArgs(request, text));
  const url = /https?:\/\/\S+\/pull\/\d+/.exec(`${result.stdout}\n${result.stderr}`)?.[0];
  // gh prints the address of a pull request that somebody else has made meanwhile.
  if (url !== undefined && (result.exitCode === 0 || /already exists/.test(result.stderr))) return { found: url };
  return failed(result);
}

/** What a person would type as well. */
export function createArgs({ into, base, from, branch }: Proposed, { title, bodyPath, isDraft }: ProposalText) {
  const head = into.owner === from.owner && into.name === from.name ? branch : `${from.owner}:${branch}`;
  const where = ['--repo', slugOf(into), '--head', head, '--base', base];
  return ['pr', 'create', ...where, '--title', title, '--body-file', bodyPath, ...(isDraft ? ['--draft'] : [])];
}

const mostWords = 1_000;

function failed(result: Awaited<ReturnType<typeof gh>>): {
  failed: 'logged-out' | 'no-repository' | 'other';
  words: string;
} {
  const said = result.timedOut
    ? `no answer within ${timeoutMs / 1000} s`
    : result.stderr.trim() || result.stdout.trim();
  const words = withoutSecrets(lastLines(result.startError ?? said)).slice(-mostWords);
  if (result.exitCode === 4 || /gh auth login|HTTP 401|Bad credentials/i.test(said))
    return { failed: 'logged-out', words };
  if (/Could not resolve to a Repository|HTTP 404/i.test(said)) return { failed: 'no-repository', words };
  return { failed: 'other', words };
}
