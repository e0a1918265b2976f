// Worktrees that were made for workers stay tied to where they were made, whatever a worker does to their links.
import { dirname } from 'node:path';
import type { Disposer } from '../../model/clock.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { movedLink, pinWorktree } from '../../worktree/git-link.ts';
import type { House } from '../house.ts';

/** From now on git is kept to the folders that the log knows, and a link that leads elsewhere is an Attention. */
export function keepLinks(house: House): Disposer {
  const pin = ({ worktreePath, worktreeGitDir: gitDir, phase }: WorkerRecord) => {
    if (worktreePath === undefined || gitDir === undefined || phase === 'closed') return;
    pinWorktree(worktreePath, { gitDir, commonDir: dirname(dirname(gitDir)) });
  };
  for (const record of house.roster.records()) pin(record);
  const unlisten = house.log.onEvents((events) => {
    for (const { set, workerId } of events)
      if (set?.worktreeGitDir !== undefined && workerId !== undefined) pin(house.roster.record(workerId));
  });
  const unwatch = house.roster.onChange(({ workerId, before, after }) => {
    if (before.is === 'working' && after.is !== 'working') look(house, workerId);
  });
  return () => {
    unlisten();
    unwatch();
  };
}

function look(house: House, workerId: string): void {
  const { worktreePath } = house.roster.record(workerId);
  const words = worktreePath === undefined ? undefined : movedLink(worktreePath);
  const known = house.roster.movedTrees.get(workerId);
  if (words === undefined) house.roster.movedTrees.delete(workerId);
  else if (known?.words !== words) house.roster.movedTrees.set(workerId, { words, at: house.clock.now() });
}
