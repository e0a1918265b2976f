// How branches come together: a worker's into its target, and its base into it.
import type { SyncResult } from '../../wire/landing.ts';
import type { Run } from '../orders.ts';
import { type CrewContext, upToDate } from '../workers/crew-context.ts';
import { type CheckOrder, type CheckOutcome, runCheck } from './check.ts';
import { type LandOutcome, landWorker } from './land.ts';
import type { LandOrder } from './landing.ts';
import { type SyncOrder, syncWorker } from './sync.ts';

export interface Landing {
  /** Lands a worker's branch on its target. */
  land(order: LandOrder, run: Run): Promise<LandOutcome>;
  /** Brings what the base has gained into a worker's branch. */
  sync(order: SyncOrder, run: Run): Promise<SyncResult>;
  /** Runs a command on a project as it is committed, a minute at most, as the tests of a landing are run. */
  check(order: CheckOrder, run: Run): Promise<CheckOutcome>;
}

export const verbs = (context: CrewContext): Landing => ({
  land: (order, run) => upToDate(context, () => landWorker(context, order, run)),
  sync: (order, run) => upToDate(context, () => syncWorker(context, order, run)),
  check: (order, run) => runCheck(context, order, run),
});
