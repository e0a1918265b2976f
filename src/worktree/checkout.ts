// The main checkout as it stands, only looked at: what is not committed, and how its branch came where it is.

import { lstat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import pLimit from 'p-limit';
import type { Mark, Sight, Step } from '../model/escape.ts';
import { below, hasCode } from '../system/disk.ts';
import { repoPlace } from './branch.ts';
import type { Repo } from './inspect.ts';
import type { Change } from './porcelain.ts';
import { tryReadGit } from './repo.ts';
import { readStatus } from './status.ts';

export interface LookRequest {
  readonly repo: Repo;
  /** Epoch ms, of before the call. */
  readonly at: number;
  /** Folders in it that are no part of it: worktrees. */
  readonly except: readonly string[];
}

/** More than a person can look at; a build that nobody ignores, say. */
const mostMarks = 5_000;
const atOnce = 32;

/** Rejects when git cannot tell. Takes no lock and changes nothing. */
export async function lookAtCheckout({ repo, at, except }: LookRequest): Promise<Sight> {
  const place = { path: repo.mainRepoPath, env: repo.env };
  const { sha, branch, changes } = await readStatus(place);
  const isPart = ({ path }: Change) => {
    const whole = resolve(repo.mainRepoPath, path);
    return !except.some((folder) => folder === whole || below(folder, whole) !== undefined);
  };
  const limit = pLimit(atOnce);
  const seen = changes.filter(isPart).slice(0, mostMarks);
  const marks = await Promise.all(
    seen.map(async (change) => [change.path, await limit(() => markOf(repo.mainRepoPath, change))] as const),
  );
  return {
    at,
    ...(branch === undefined ? {} : { branch }),
    ...(sha === undefined ? {} : { head: sha }),
    marks: Object.fromEntries(marks),
  };
}

/** The time of the inode: no program sets that back, and a file that was moved here has that of the move. */
async function markOf(top: string, change: Change): Promise<Mark> {
  const path = join(top, change.path);
  try {
    const facts = await lstat(path);
    if (facts.isDirectory()) return { print: `folder ${lettersOf(change)}`, at: facts.mtimeMs };
    return { print: `${facts.mode.toString(8)} ${facts.size} ${facts.mtimeMs}`, at: facts.ctimeMs };
  } catch (error) {
    if (!hasCode(error, 'ENOENT') && !hasCode(error, 'ENOTDIR')) throw error;
    return { print: 'gone', ...(await folderTime(top, dirname(path))) };
  }
}

const lettersOf = (change: Change): string =>
  change.kind === 'tracked' ? change.index + change.worktree : change.kind;

/** When something last came or went there; of the nearest folder that is left. */
async function folderTime(top: string, folder: string): Promise<Pick<Mark, 'at'>> {
  const facts = await lstat(folder).catch(() => undefined);
  if (facts !== undefined) return { at: facts.mtimeMs };
  return folder === top ? {} : folderTime(top, dirname(folder));
}

const mostSteps = 200;

export interface Moves {
  readonly steps: readonly Step[];
  /** Paths in which the two commits differ. */
  readonly paths: ReadonlySet<string>;
  /** Paths that differed from the commit and do not any more, and when that came to be. */
  readonly undone: readonly { readonly path: string; readonly at?: number }[];
}

/** How the checkout went on since: its branch not by our landings, and not to what a remote has. */
export async function movesSince(repo: Repo, before: Sight, now: Sight): Promise<Moves> {
  const undone = await undoneSince(repo, before, now);
  const [from, to] = [before.head, now.head];
  const switched = before.branch === now.branch ? [] : await switchesSince(repo, before, now);
  if (to === undefined || from === to) return { steps: switched, paths: new Set(), undone };
  const paths = from === undefined ? [] : await pathsBetween(repo, from, to);
  const steps = before.branch === now.branch ? await stepsSince(repo, now, from) : switched;
  return { steps, paths: new Set(paths), undone };
}

async function undoneSince({ mainRepoPath }: Repo, before: Sight, now: Sight): Promise<Moves['undone']> {
  const gone = Object.keys(before.marks).filter((path) => !Object.hasOwn(now.marks, path));
  const limit = pLimit(atOnce);
  return Promise.all(
    gone.map(async (path) => {
      const whole = join(mainRepoPath, path);
      const facts = await limit(() => lstat(whole).catch(() => undefined));
      return {
        path,
        ...(facts === undefined ? await folderTime(mainRepoPath, dirname(whole)) : { at: facts.ctimeMs }),
      };
    }),
  );
}

/** Users switch branches too. */
async function switchesSince(repo: Repo, { at }: Sight, now: Sight): Promise<readonly Step[]> {
  const steps = (await recordsOf(repo, 'HEAD')).flatMap(decodeStep).filter((step) => (step.at ?? 0) + 1_000 > at);
  return steps.filter((step) => isAway(step, now) === true).map((step) => ({ ...step, isDoubtful: true as const }));
}

/** Whether a branch that was left is left still; undefined for what is no switch. */
function isAway({ subject }: Step, { branch }: Sight): boolean | undefined {
  const left = /^checkout: moving from (\S+) to /.exec(subject)?.[1];
  return left === undefined ? undefined : left !== branch;
}

async function recordsOf(repo: Repo, ref: string): Promise<readonly string[]> {
  const args = ['log', '-g', '-z', '--date=unix', `--format=${stepFormat}`, '-n', String(mostSteps), ref, '--'];
  const result = await tryReadGit(repoPlace(repo), args);
  return result.exitCode === 0 ? result.stdout.split('\0').filter((record) => record !== '') : [];
}

async function pathsBetween(repo: Repo, from: string, to: string): Promise<readonly string[]> {
  const args = ['diff-tree', '-r', '--name-only', '--no-renames', '-z', from, to];
  const result = await tryReadGit(repoPlace(repo), args);
  return result.exitCode === 0 ? result.stdout.split('\0').filter((path) => path !== '') : [];
}

async function stepsSince(repo: Repo, { branch }: Sight, from: string | undefined): Promise<readonly Step[]> {
  const ref = branch === undefined ? 'HEAD' : `refs/heads/${branch}`;
  const all = await recordsOf(repo, ref);
  const until = all.findIndex((record) => record.startsWith(`${from} `));
  const steps = all.slice(0, until < 0 ? undefined : until).flatMap(decodeStep);
  const foreign = await Promise.all(steps.map(async ({ commit }) => !(await isOnRemote(repo, commit))));
  return steps.filter((_, at) => foreign[at]);
}

const stepFormat = '%H %gd %gs';

/** `<commit> <ref>@{<seconds>} <what was done>`; nothing for a step of ours, or one to what was there before. */
export function decodeStep(record: string): readonly Step[] {
  const [, commit, seconds, subject = ''] = /^([0-9a-f]+) \S*@\{(\d+)\} ?(.*)$/s.exec(record) ?? [];
  if (commit === undefined || subject.startsWith('crewmux: ')) return [];
  return [{ commit, subject, at: Number(seconds) * 1_000 }];
}

async function isOnRemote(repo: Repo, commit: string): Promise<boolean> {
  const args = ['for-each-ref', '--count=1', `--contains=${commit}`, 'refs/remotes'];
  return (await tryReadGit(repoPlace(repo), args)).stdout.trim() !== '';
}

/** Whether a step still shows: the checkout's commit goes back to it and no remote has it, or it is still switched. */
export async function isStepThere(repo: Repo, now: Sight, step: Step): Promise<boolean> {
  const away = isAway(step, now);
  if (away !== undefined) return away;
  const { commit } = step;
  const args = ['merge-base', '--is-ancestor', commit, 'HEAD'];
  const result = await tryReadGit({ path: repo.mainRepoPath, env: repo.env }, args);
  return result.exitCode === 0 && !(await isOnRemote(repo, commit));
}
