// The branch that work was begun from and belongs to, found from a name that was recorded or asked for.
import { CrewError } from '../../model/errors.ts';
import { repoPlace } from '../git/branch.ts';
import type { FolderFacts, Repo } from '../git/inspect.ts';
import { readGit, tryReadGit } from '../git/repo.ts';
import { defaultBranch } from './default-branch.ts';
import { type BaseCommit, nearNames } from './start.ts';

export interface Parent {
  /** Of a branch fetched from a remote. */
  readonly remote?: string;
  /** Without the remote's name. */
  readonly branch: string;
  readonly sha: string;
}

export interface ParentRequest {
  readonly asked?: string | undefined;
  /** What the work was begun from. */
  readonly recorded?: { readonly ref: string; readonly sha?: string } | undefined;
  /** `any`: a branch fetched from a remote will do; `local`: it stands for the branch of that name here. */
  readonly reach: 'local' | 'any';
  /** The parameter with which a caller names another. */
  readonly parameter: string;
}

/** What `git for-each-ref` and `git remote` know. */
export interface KnownBranches {
  /** Full ref names with their commits. */
  readonly refs: ReadonlyMap<string, string>;
  /** Refs that stand for another, such as `refs/remotes/origin/HEAD`. */
  readonly symbolic: ReadonlyMap<string, string>;
  readonly remotes: readonly string[];
}

/** Rejects with `base_not_found` that says what the name is instead, and names the branches that may be meant. */
export async function parentBranch(repo: Repo, request: ParentRequest): Promise<Parent> {
  const known = await knownBranches(repo);
  const wanted = request.asked ?? request.recorded?.ref ?? (await currentBranch(repo));
  const found = wanted === undefined ? undefined : findParent(known, wanted, reachOf(request));
  if (found !== undefined) return found;
  throw await noParent(repo, request, { wanted, known });
}

/** Why work that begins there has no branch to land on; undefined where it has one. */
export async function whyBranchless(folder: FolderFacts, { ref, sha }: BaseCommit): Promise<string | undefined> {
  if (ref === folder.head.branch) return undefined;
  if (findParent(await knownBranches(folder), ref, 'any') !== undefined) return undefined;
  const isDetached = ref === sha && sha === folder.head.sha && folder.head.branch === undefined;
  return isDetached
    ? `HEAD of ${folder.worktreeRoot ?? folder.mainRepoPath} is detached at ${sha.slice(0, 12)}`
    : whatItIs(folder, ref, 'any');
}

export type LandingTarget = Pick<Parent, 'branch' | 'sha'>;

/** The branch a worker's work is to land on: always one of this repository. Rejects as `parentBranch` does. */
export const landingTarget = (repo: Repo, wanted: Pick<ParentRequest, 'asked' | 'recorded'>): Promise<LandingTarget> =>
  parentBranch(repo, { ...wanted, reach: 'local', parameter: 'into' });

type Reach = 'local' | 'any' | 'same-name-here';

/** Work begun from `origin/main` belongs on `main`; who asks for `origin/main` by name means no other. */
const reachOf = ({ asked, reach }: ParentRequest): Reach =>
  reach === 'local' && asked === undefined ? 'same-name-here' : reach;

/** A branch here is meant before one of a remote, as git has it. Pure. */
export function findParent(known: KnownBranches, name: string, reach: Reach): Parent | undefined {
  const local = name.replace(/^refs\/heads\//, '');
  const sha = name.startsWith('refs/remotes/') ? undefined : known.refs.get(`refs/heads/${local}`);
  if (sha !== undefined) return { branch: local, sha };
  if (reach === 'local' || name.startsWith('refs/heads/')) return undefined;
  const fetched = findFetched(known, name.replace(/^refs\/remotes\//, ''));
  if (fetched === undefined || reach === 'any') return fetched;
  const here = known.refs.get(`refs/heads/${fetched.branch}`);
  return here === undefined ? undefined : { branch: fetched.branch, sha: here };
}

function findFetched(known: KnownBranches, name: string): Required<Parent> | undefined {
  const full = known.symbolic.get(`refs/remotes/${name}`) ?? `refs/remotes/${name}`;
  const short = full.slice('refs/remotes/'.length);
  const sha = known.refs.get(full);
  // A remote's name may have slashes of its own, and start another's.
  const [remote] = known.remotes.filter((one) => short.startsWith(`${one}/`)).sort((a, b) => b.length - a.length);
  return sha === undefined || remote === undefined
    ? undefined
    : { remote, branch: short.slice(remote.length + 1), sha };
}

async function knownBranches(repo: Repo): Promise<KnownBranches> {
  const args = ['for-each-ref', '--format=%(refname)%00%(objectname)%00%(symref)', 'refs/heads', 'refs/remotes'];
  const rows = linesOf(await readGit(repoPlace(repo), args)).map((line) => line.split('\0'));
  const isFetched = rows.some(([ref = '']) => ref.startsWith('refs/remotes/'));
  return {
    refs: new Map(rows.map(([ref = '', sha = '']) => [ref, sha])),
    symbolic: new Map(rows.flatMap(([ref = '', , target = '']) => (target === '' ? [] : [[ref, target] as const]))),
    remotes: isFetched ? linesOf(await readGit(repoPlace(repo), ['remote'])) : [],
  };
}

const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');

async function currentBranch(repo: Repo): Promise<string | undefined> {
  const result = await tryReadGit(repoPlace(repo), ['symbolic-ref', '--short', 'HEAD']);
  return result.exitCode === 0 ? result.stdout.trim() : undefined;
}

interface Missing {
  readonly wanted: string | undefined;
  readonly known: KnownBranches;
}

async function noParent(repo: Repo, request: ParentRequest, { wanted, known }: Missing): Promise<CrewError> {
  const { reach, parameter, recorded, asked } = request;
  const names = namesOf(known, reach);
  const start = asked === undefined ? recorded?.sha : undefined;
  const holding = wanted === undefined ? [] : await branchesWith(repo, start ?? wanted);
  const usual = defaultBranch({ names, remoteHeads: [...known.symbolic.values()], current: await currentBranch(repo) });
  const ranked = [...names.filter((name) => holding.includes(name)), ...nearNames(wanted ?? '', names)];
  const likely = [...new Set([...(usual === undefined ? [] : [usual]), ...ranked])];
  const what = wanted === undefined ? `${repo.mainRepoPath} is on no branch` : await whatItIs(repo, wanted, reach);
  const origin = asked === undefined && recorded !== undefined ? 'The work was begun from it. ' : '';
  return new CrewError(
    'base_not_found',
    `${what}, so there is no branch that the work belongs to.`,
    `${origin}Pass ${parameter} with a branch${likely.length === 0 ? '' : `, such as ${likely.slice(0, 4).join(', ')}`}.`,
  );
}

const namesOf = ({ refs, symbolic }: KnownBranches, reach: Reach): readonly string[] =>
  [...refs.keys()]
    .filter((ref) => !symbolic.has(ref) && (reach === 'any' || ref.startsWith('refs/heads/')))
    .map((ref) => ref.replace(/^refs\/(heads|remotes)\//, ''));

/** Those that hold the commit; none where git knows no such commit. */
async function branchesWith(repo: Repo, commit: string): Promise<readonly string[]> {
  if (commit.startsWith('-')) return [];
  const args = ['for-each-ref', `--contains=${commit}`, '--format=%(refname:lstrip=2)', 'refs/heads', 'refs/remotes'];
  const result = await tryReadGit(repoPlace(repo), args);
  return result.exitCode === 0 ? linesOf(result.stdout) : [];
}

async function whatItIs(repo: Repo, name: string, reach: Reach): Promise<string> {
  const quoted = JSON.stringify(name);
  const is = async (suffix: string) => {
    const result = await tryReadGit(repoPlace(repo), ['rev-parse', '--verify', '--quiet', '--end-of-options', suffix]);
    return result.exitCode === 0;
  };
  if (await is(`refs/tags/${name}^{commit}`)) return `${quoted} is a tag and no branch`;
  if (await is(`refs/remotes/${name}^{commit}`)) return `${quoted} is a branch of a remote and not one here`;
  if (await is(`${name}^{commit}`)) return `${quoted} is a commit and no branch`;
  return `${quoted} is no ${reach === 'local' ? 'local ' : ''}branch of ${repo.mainRepoPath}`;
}
