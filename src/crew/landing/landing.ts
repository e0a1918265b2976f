import type { MergeStrategy } from '../../model/train.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { FolderFacts } from '../../worktree/inspect.ts';
import type { LandOrder, Run } from '../orders.ts';
import type { CrewContext } from '../workers/roster.ts';
import type { LandingNotes } from './landing-journal.ts';

/** One landing: whose, where, and how. */
export interface Landing {
  readonly context: CrewContext;
  readonly record: WorkerRecord;
  readonly branch: string;
  readonly repo: FolderFacts;
  readonly target: string;
  /** Where the worktree of the worker still is. */
  readonly worktree: string | undefined;
  readonly strategy: MergeStrategy;
  readonly order: LandOrder;
  readonly run: Run;
  /** The repository's own folder for landings. */
  readonly dir: string;
  readonly notes: LandingNotes;
}
