// Decides whether crewmux may remove a worktree. Any doubt keeps it.
import { counted } from '../../model/plural.ts';
import type { WorkState } from '../state/work-state.ts';

export interface RemovalFacts {
  readonly isSymlink: boolean;
  /** git lists it as a worktree of this repository. */
  readonly isRegistered: boolean;
  readonly isMain: boolean;
  /** The folder is gone; only git's note of it is left. */
  readonly isMissing: boolean;
  readonly isLocked: boolean;
  /** HEAD is on no branch. */
  readonly isDetached: boolean;
  /** Other worktrees inside this one. */
  readonly nestedWorktrees: readonly string[];
  /** Repositories in ignored folders. */
  readonly ignoredRepos: readonly string[];
  /** Why a salvage could not bring the worktree back exactly. */
  readonly unsavable: readonly string[];
  /** Undefined when it could not be read. */
  readonly state: WorkState | undefined;
}

/** A salvage takes a `saved` obstacle away. A `kept` one keeps the worktree, even from force. */
export interface Obstacle {
  readonly kind: 'saved' | 'kept';
  readonly reason: string;
}

const named = 5;

/** Empty when nothing would be lost. */
export function removalVerdict(facts: RemovalFacts): readonly Obstacle[] {
  const foreign = foreignReason(facts);
  if (foreign !== undefined) return [{ kind: 'kept', reason: foreign }];
  const kept: readonly Obstacle[] = [
    ...when(facts.isLocked, 'kept', 'it is locked'),
    ...when(
      facts.ignoredRepos.length > 0,
      'kept',
      `repositories of their own lie in ignored folders of it: ${facts.ignoredRepos.slice(0, named).join(', ')}`,
    ),
    ...when(facts.nestedWorktrees.length > 0, 'kept', `other worktrees lie in it: ${facts.nestedWorktrees.join(', ')}`),
    ...facts.unsavable.map((reason): Obstacle => ({ kind: 'kept', reason })),
  ];
  if (facts.isMissing) {
    return [...kept, ...when(facts.isDetached, 'kept', 'its folder is gone, and its commits may be on no branch')];
  }
  if (facts.state === undefined) return [...kept, { kind: 'kept', reason: 'its state cannot be read' }];
  return [...kept, ...workObstacles(facts.state)];
}

function foreignReason(facts: RemovalFacts): string | undefined {
  if (facts.isSymlink) return "it is a symlink, and what it points to may be anybody's";
  if (!facts.isRegistered) return 'git does not know it as a worktree of this repository';
  if (facts.isMain) return 'it is the main checkout of the repository';
  return undefined;
}

function workObstacles(state: WorkState): readonly Obstacle[] {
  return [
    ...when(
      state.nestedRepos.length > 0,
      'kept',
      `repositories of their own lie in it: ${state.nestedRepos.join(', ')}`,
    ),
    ...when(state.submodules, 'kept', 'it holds submodules, whose commits would go with it'),
    ...when(state.dirtyFiles > 0, 'saved', `${counted(state.dirtyFiles, 'file')} with uncommitted changes`),
    ...when(state.untrackedFiles > 0, 'saved', `${counted(state.untrackedFiles, 'untracked file')}`),
    ...when(state.unreachable, 'saved', 'commits that are on no branch'),
    ...when(state.operation !== undefined, 'saved', `an unfinished ${state.operation}`),
  ];
}

const when = (holds: boolean, kind: Obstacle['kind'], reason: string): readonly Obstacle[] =>
  holds ? [{ kind, reason }] : [];
