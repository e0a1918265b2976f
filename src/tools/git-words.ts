// The short sentences in which answers speak of branches and worktrees.
import { counted } from '../model/plural.ts';
import type { WorkerGit } from '../wire/examine.ts';
import type { WorktreeView } from '../wire/worktrees.ts';

/** The states a reader must not miss; nothing for those that are as they should be. */
export const worktreeLine = (one: WorktreeView): string =>
  `${one.path}: ${[
    one.branch ?? (one.registered ? 'no branch' : 'unknown to git'),
    one.worker === undefined ? 'no worker' : `worker ${one.worker}`,
    when(one.in_use_by !== undefined, `in use by ${one.in_use_by?.join(', ')}`),
    when(one.dirty && one.unreadable === undefined && one.symlink_to === undefined, 'uncommitted work'),
    when(one.registered && one.base !== undefined, `${one.ahead} ahead, ${one.behind} behind ${one.base}`),
    when(one.merged && one.ahead > 0, 'merged'),
    when(one.detached, 'detached'),
    when(one.unreachable === true, 'commits on no branch'),
    when(one.operation !== undefined, `unfinished ${one.operation}`),
    when(one.locked, withReason('locked', one.lock_reason)),
    when(one.prunable, withReason('prunable', one.prune_reason)),
    when(one.orphan, 'orphan'),
    when(one.foreign, 'not made by crewmux'),
    when(one.symlink_to !== undefined, `a symlink to ${one.symlink_to}, not followed`),
    when(one.unreadable !== undefined, `its state cannot be told: ${one.unreadable}`),
    when(one.removed, 'removed'),
  ]
    .filter((part) => part !== '')
    .join(', ')}`;

export const gitLine = (git: WorkerGit): string =>
  `${[
    `Branch ${git.branch ?? '(none)'}: ${git.ahead} ahead, ${git.behind} behind${git.base === null ? '' : ` ${git.base}`}`,
    counted(git.dirty_files, 'uncommitted file'),
    when(git.merged && git.ahead > 0, 'merged'),
    when(git.detached, 'detached'),
    when(git.unreachable, 'commits on no branch'),
    when(git.operation !== undefined, `unfinished ${git.operation}`),
    when(git.locked, withReason('locked', git.lock_reason)),
  ]
    .filter((part) => part !== '')
    .join(', ')}.`;

const when = (holds: boolean, words: string): string => (holds ? words : '');
const withReason = (state: string, reason: string | undefined): string =>
  reason === undefined ? state : `${state} (${reason})`;
