// Worktrees that were made for workers stay tied to where they were made, whatever a worker does to their links.
import { dirname } from 'node:path';
import type { Disposer } from '../../model/clock.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { movedLink, pinWorktree } from '../../worktree/git-link.ts';
import type { CrewContext } from '../workers/roster.ts';

/** From now on git is kept to the folders that the log knows, and a link that leads elsewhere is an Attention. */
export function keepLinks(context: CrewContext): Disposer {
  const pin = ({ worktreePath, worktreeGitDir: gitDir, phase }: WorkerRecord) => {
    if (worktreePath === undefined || gitDir === undefined || phase === 'closed') return;
    pinWorktree(worktreePath, { gitDir, commonDir: dirname(dirname(gitDir)) });
  };
  for (const record of context.roster.records()) pin(record);
  const unlisten = context.log.onEvents((events) => {
    for (const { set, workerId } of events)
      if (set?.worktreeGitDir !== undefined && workerId !== undefined) pin(context.roster.record(workerId));
  });
  const unwatch = context.roster.onChange(({ workerId, before, after }) => {
    if (before.is === 'working' && after.is !== 'working') look(context, workerId);
  });
  return () => {
    unlisten();
    unwatch();
  };
}

function look(context: CrewContext, workerId: string): void {
  const { worktreePath } = context.roster.record(workerId);
  const words = worktreePath === undefined ? undefined : movedLink(worktreePath);
  const known = context.roster.movedTrees.get(workerId);
  if (words === undefined) context.roster.movedTrees.delete(workerId);
  else if (known?.words !== words) context.roster.movedTrees.set(workerId, { words, at: context.clock.now() });
}
