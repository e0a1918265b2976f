// What a landing says: to git's history, to the manager, and to the worker who is to solve a conflict.
import type { TestOutcome, TrainEnd } from '../../model/train.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { LandingConflict } from '../../wire/landing.ts';

export const leftoversMessage = ({ name, annotation }: Pick<WorkerRecord, 'name' | 'annotation'>): string =>
  `${annotation ?? 'Work in progress'}\n\nWhat ${name} had not committed yet.\n`;

/** One commit for all of a branch: its own subject where it has but one, else the label with the subjects below. */
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

/** A message the worker can act on as it stands. */
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

export interface End {
  readonly as: TrainEnd;
  /** Files on which the two sides do not agree. */
  readonly conflicts: number;
  readonly tests: TestOutcome;
  readonly tries: number;
}

/** Why a landing ended as it did; nothing to say of one that landed. */
export function endWords(
  { target, branch }: { readonly target: string; readonly branch: string },
  { as, conflicts, tests, tries }: End,
): string | undefined {
  switch (as) {
    case 'nothing':
      return `${target} holds everything of ${branch} already; nothing was to be landed.`;
    case 'conflict':
      return `${branch} and ${target} do not agree on ${conflicts} ${conflicts === 1 ? 'file' : 'files'}; ${target} was not touched.`;
    case 'checks_failed':
      return `The tests ${tests === 'timed_out' ? 'did not end in time' : 'failed'}; ${target} was not touched.`;
    case 'target_moved':
      return `${target} moved under every one of ${tries} tries; call again.`;
    case 'dry_run':
      return `Nothing was moved: this was a dry run, and ${branch} would land on ${target}.`;
    case 'landed':
      return undefined;
  }
}
