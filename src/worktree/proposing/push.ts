// The only commands that speak to a remote: look at it, and push one branch to it. Never by force, and nobody is asked.

import { CrewError } from '../../model/errors.ts';
import { run } from '../../system/exec.ts';
import { packProgram } from '../git/distrust.ts';
import { distrusting, type GitPlace, gitEnvironment, lastLines, settingsAt } from '../git/repo.ts';

export interface PushRequest {
  /** A worktree, since hooks expect to run in one. */
  readonly place: GitPlace;
  readonly remote: string;
  readonly branch: string;
  /** The folder whose hooks run. */
  readonly hooks: string;
  /** One of them is that of Git LFS: crewmux has Git LFS upload, and the hook does nothing. */
  readonly isLfs: boolean;
  readonly signal: AbortSignal;
}

const lookTimeoutMs = 60_000;
// A pre-push hook may run the project's tests.
const pushTimeoutMs = 900_000;

/** How to reach a remote is the user's choice; being asked for it is nobody's. */
const reaching = new Set(['GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_SSH_VARIANT', 'GIT_PROXY_COMMAND']);
const unasked = { GIT_ASKPASS: '', SSH_ASKPASS: '', SSH_ASKPASS_REQUIRE: 'never', GCM_INTERACTIVE: 'never' };

export async function remoteEnvironment({ path, env }: GitPlace, hooks?: string): Promise<Record<string, string>> {
  const kept = Object.entries(env).filter(([name]) => reaching.has(name) || name.startsWith('GIT_SSL_'));
  const trusted = { ...(await distrusting({ path, env }, hooks)), ...Object.fromEntries(kept) };
  return { ...gitEnvironment(env, trusted), ...unasked };
}

type Asking = Pick<PushRequest, 'place' | 'signal'> & Partial<Pick<PushRequest, 'hooks' | 'isLfs'>>;

const git = async ({ place, signal, hooks, isLfs }: Asking, args: readonly string[], timeoutMs: number) =>
  run('git', args, {
    cwd: place.path,
    env: { ...(await remoteEnvironment(place, hooks)), ...(isLfs && { GIT_LFS_SKIP_PUSH: '1' }) },
    timeoutMs,
    signal,
    // Without a terminal of its own, no ssh below can ask on the user's.
    wholeTree: 'when-stopped',
  });

/** An option wins over every setting; of several settings git takes the first. */
const packOf = async ({ place, remote }: Pick<PushRequest, 'place' | 'remote'>, kind: 'uploadpack' | 'receivepack') =>
  packProgram(await settingsAt(place), `remote.${remote}.${kind}`);

/** Commits of these branches as they are on the remote now. Rejects with `git_failed` where it cannot be reached. */
export async function branchesThere(
  request: Omit<PushRequest, 'branch' | 'hooks' | 'isLfs'>,
  branches: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const refs = branches.map((branch) => `refs/heads/${branch}`);
  const pack = `--upload-pack=${await packOf(request, 'uploadpack')}`;
  const result = await git(request, ['ls-remote', pack, '--', request.remote, ...refs], lookTimeoutMs);
  if (result.exitCode !== 0) {
    throw new CrewError(
      'git_failed',
      `${request.remote} cannot be reached${result.timedOut ? ` within ${lookTimeoutMs / 1000} s` : ''}: ${wordsOf(result)}`,
      'Nothing was pushed. Make sure that git fetch works there without asking anything, then call again.',
    );
  }
  const rows = result.stdout.split('\n').map((line) => line.split('\t'));
  return new Map(
    rows.flatMap(([sha = '', ref = '']) =>
      refs.includes(ref) ? [[ref.slice('refs/heads/'.length), sha] as const] : [],
    ),
  );
}

export type Pushed =
  | { readonly as: 'pushed' | 'there-already' }
  /** The remote's branch has commits that this one lacks. */
  | { readonly as: 'behind' }
  | { readonly as: 'refused'; readonly words: string };

export async function pushBranch(request: PushRequest): Promise<Pushed> {
  const { remote, branch, place, signal } = request;
  const upload = request.isLfs
    ? await git({ place, signal }, ['lfs', 'push', '--', remote, branch], pushTimeoutMs)
    : undefined;
  if (upload !== undefined && upload.exitCode !== 0) return { as: 'refused', words: wordsOf(upload) };
  const pack = `--receive-pack=${await packOf(request, 'receivepack')}`;
  const only = [pack, '--porcelain', '--no-follow-tags', '--no-signed', '--no-force', '--no-force-with-lease'];
  const ref = `refs/heads/${branch}:refs/heads/${branch}`;
  const result = await git(request, ['push', ...only, '--', remote, ref], pushTimeoutMs);
  const [flag, summary = ''] = rowOf(result.stdout, ref);
  if (result.exitCode === 0) return { as: flag === '=' ? 'there-already' : 'pushed' };
  if (/\((non-fast-forward|fetch first)\)/.test(summary)) return { as: 'behind' };
  return {
    as: 'refused',
    words: result.timedOut ? `not done within ${pushTimeoutMs / 60_000} minutes` : wordsOf(result),
  };
}

/** Of the lines `<flag> TAB <from>:<to> TAB <summary>` the one of our ref. */
function rowOf(stdout: string, ref: string): readonly string[] {
  const rows = stdout.split('\n').map((line) => line.split('\t'));
  const row = rows.find(([, refs]) => refs === ref);
  return row === undefined ? [] : [row[0] ?? '', row[2] ?? ''];
}

const mostWords = 1_000;

/** An address may hold a password. */
export const withoutSecrets = (text: string): string => text.replace(/\/\/[^\s/@]+@/g, '//');

function wordsOf({ stderr, stdout, startError }: { stderr: string; stdout: string; startError: string | undefined }) {
  return withoutSecrets(lastLines(startError ?? (stderr.trim() || stdout))).slice(-mostWords);
}
