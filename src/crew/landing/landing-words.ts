// The words of a landing: its commit messages, the reason for its end, and the conflicts with a prompt for the worker.

import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { counted } from '../../model/plural.ts';
import type { TestOutcome, TrainEnd } from '../../model/train.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { LandingConflict } from '../../wire/landing.ts';
import type { Repo } from '../../worktree/git/inspect.ts';
import type { Commits } from '../../worktree/git/path-changes.ts';
import { sidesOf, subjectsOf } from '../../worktree/landing/sides.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import type { BranchLanding } from './landing.ts';

export const leftoversMessage = ({ name, annotation }: Pick<WorkerRecord, 'name' | 'annotation'>): string =>
  `${annotation ?? 'Work in progress'}\n\nWhat ${name} had not committed yet.\n`;

/** The message of a squash: the only subject of the branch, or the label with all subjects below. */
export function landingMessage(
  { name, annotation, branch }: Pick<WorkerRecord, 'name' | 'annotation' | 'branch'>,
  subjects: readonly string[],
): string {
  const [only] = subjects;
  if (only !== undefined && subjects.length === 1) return `${only}\n`;
  const title = annotation ?? `Work of ${name} (${branch ?? 'its branch'})`;
  const list = subjects.map((subject) => `- ${subject}`).join('\n');
  return list === '' ? `${title}\n` : `${title}\n\n${list}\n`;
}

export const mergeMessage = (branch: string, target: string): string => `Merge branch '${branch}' into ${target}\n`;

export async function commitMessage(
  { repo, branch, target, owner, strategy, order }: BranchLanding,
  { from, to }: Commits,
) {
  if (order.message !== undefined) return `${order.message.trim()}\n`;
  if (strategy === 'merge') return mergeMessage(branch, target);
  return landingMessage({ ...owner, branch }, await subjectsOf(repo, from, to));
}

export const mergeLost = ({ branch }: BranchLanding) =>
  new CrewError(
    'invalid_argument',
    `${branch} has merge commits with changes of their own, which ff-only would drop.`,
    'Nothing was landed. Pass strategy: "squash" or "merge".',
  );

/** The conflicting files, with the commits of both sides and the worker that each landed commit came from. */
export async function conflictSides(
  context: CrewContext,
  repo: Repo,
  clash: { readonly target: string; readonly source: string; readonly files: readonly string[] },
): Promise<readonly LandingConflict[]> {
  const { files } = clash;
  if (files.length === 0) return [];
  const owners = await ownersOfLanded(context);
  const known = await sidesOf(repo, clash);
  const named = known.map(({ theirs, ...side }) => ({
    ...side,
    theirs: theirs.map((commit) => ({ ...commit, ...defined({ owner: owners.get(commit.sha) }) })),
  }));
  return [...named, ...files.slice(named.length).map((file) => ({ file, ours: [], theirs: [] }))];
}

async function ownersOfLanded({ log }: CrewContext): Promise<ReadonlyMap<string, string>> {
  const records = log.records();
  const owners = (await log.since(0)).flatMap(({ type, workerId, data }): [string, string][] => {
    const name = records.get(workerId)?.name;
    return type === 'landed' && typeof data.to === 'string' && name !== undefined ? [[data.to, name]] : [];
  });
  return new Map(owners);
}

/** A message for the worker of `branch`, complete as it is. */
export function conflictPrompt(target: string, branch: string, conflicts: readonly LandingConflict[]): string {
  const files = conflicts.map(({ file, theirs }) => {
    const by = theirs.map(({ subject, owner }) => `"${subject}"${owner === undefined ? '' : ` (${owner})`}`).join(', ');
    return `- ${file}${by === '' ? '' : `: changed on ${target} by ${by}`}`;
  });
  return [
    `Your branch ${branch} does not merge with ${target}: both changed these files.`,
    ...files,
    '',
    `Please merge ${target} into your branch in your own worktree (git merge ${target}), keep what both sides meant, run the tests, and commit. Do not touch any other worktree or branch.`,
  ].join('\n');
}

export interface LandingEnd {
  readonly as: TrainEnd;
  /** The number of conflicting files. */
  readonly conflicts: number;
  /** Paths that it must not change. */
  readonly outside: readonly string[];
  readonly touchSet: readonly string[];
  readonly tests: TestOutcome;
  /** They fail on the target without it too. */
  readonly isRed: boolean;
  readonly tries: number;
}

const mostNamed = 20;

function named(paths: readonly string[]): string {
  const more = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : '';
  return `${paths.slice(0, mostNamed).join(', ')}${more}`;
}

/** The reason for the end; undefined where the branch landed. */
export function endWords(
  { target, branch }: { readonly target: string; readonly branch: string },
  { as, conflicts, outside, touchSet, tests, isRed, tries }: LandingEnd,
): string | undefined {
  switch (as) {
    case 'nothing':
      return `${target} holds everything of ${branch} already; nothing was to be landed.`;
    case 'conflict':
      return `${branch} and ${target} do not agree on ${counted(conflicts, 'file')}; ${target} was not touched.`;
    case 'outside':
      return `${branch} changes ${named(outside)}, outside of its touch set (${named(touchSet)}); ${target} was not touched.`;
    case 'checks_failed':
      return `The tests ${isRed ? `failed, and fail on ${target} without it too` : tests === 'timed_out' ? 'did not end in time' : 'failed'}; ${target} was not touched.`;
    case 'target_moved':
      return `${target} moved under every one of ${tries} tries; call again.`;
    case 'dry_run':
      return `Nothing was moved: this was a dry run, and ${branch} would land on ${target}.`;
    case 'landed':
      return undefined;
  }
}
