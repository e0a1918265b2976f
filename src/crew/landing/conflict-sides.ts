// Conflicting files as they are told: which commits of each side, and which worker they came from.

import type { LandingConflict } from '../../wire/landing.ts';
import type { Repo } from '../../worktree/inspect.ts';
import { sidesOf } from '../../worktree/landing/sides.ts';
import type { CrewContext } from '../workers/roster.ts';

export interface Clashing {
  /** The commits of both sides. */
  readonly target: string;
  readonly source: string;
  readonly files: readonly string[];
}

export async function conflictSides(
  context: CrewContext,
  repo: Repo,
  clash: Clashing,
): Promise<readonly LandingConflict[]> {
  const { files } = clash;
  if (files.length === 0) return [];
  const owners = await landedBy(context);
  const known = await sidesOf(repo, clash);
  const named = known.map(({ file, ours, theirs }) => ({
    file,
    ours,
    theirs: theirs.map((commit) => {
      const owner = owners.get(commit.sha);
      return owner === undefined ? commit : { ...commit, owner };
    }),
  }));
  return [...named, ...files.slice(named.length).map((file) => ({ file, ours: [], theirs: [] }))];
}

/** Which worker a landed commit came from, by the log. */
async function landedBy(context: CrewContext): Promise<ReadonlyMap<string, string>> {
  const events = await context.log.since(0);
  return new Map(
    events.flatMap(({ type, workerId, data }) => {
      const name = context.log.records().get(workerId)?.name;
      return type === 'landed' && typeof data.to === 'string' && name !== undefined ? [[data.to, name]] : [];
    }),
  );
}
