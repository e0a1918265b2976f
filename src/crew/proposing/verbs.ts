// How a branch reaches the people who review it.
import type { PullRequestResult } from '../../wire/landing.ts';
import type { Run } from '../orders.ts';
import { type CrewContext, upToDate } from '../workers/roster.ts';
import type { ProposeOrder } from './proposal.ts';
import { openPullRequest } from './pull-request.ts';

export interface Proposing {
  /** Pushes a worker's branch and proposes it. */
  propose(order: ProposeOrder, run: Run): Promise<PullRequestResult>;
}

export const verbs = (context: CrewContext): Proposing => ({
  propose: (order, run) => upToDate(context, () => openPullRequest(context, order, run)),
});
