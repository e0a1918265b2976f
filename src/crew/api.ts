// What work, tools and the command line may ask of the crew. They see this type and nothing else of the crew.
import type { BoardFacts, CrewRow } from '../draw/board-text.ts';
import type { Disposer } from '../model/clock.ts';
import type { DoctorResult } from '../wire/doctor.ts';
import type { SessionsQuery, SessionsResult } from '../wire/sessions.ts';
import type { Asking } from './asking/verbs.ts';
import type { Attention } from './attention/verbs.ts';
import type { Comparing } from './comparing/verbs.ts';
import type { Keeping } from './keeping/verbs.ts';
import type { Landing } from './landing/verbs.ts';
import type { Lifecycle, Planning } from './lifecycle/verbs.ts';
import type { Messages } from './messages/verbs.ts';
import type { Run } from './orders.ts';
import type { Proposing } from './proposing/verbs.ts';
import type { Feed } from './queries/feed.ts';
import type { CrewSummary } from './queries/summary.ts';
import type { Queries } from './queries/verbs.ts';
import type { WaitOrder, WaitOutcome } from './queries/wait.ts';

export type { JobEvent } from '../model/event.ts';
export type { Asking } from './asking/verbs.ts';
export type { UnansweredRequest } from './attention/asked.ts';
export type { Attention } from './attention/verbs.ts';
export type { BranchFacts, Comparing } from './comparing/verbs.ts';
export type { Keeping } from './keeping/verbs.ts';
export type { LandOutcome } from './landing/land.ts';
export type { LandOrder } from './landing/landing.ts';
export type { Landing } from './landing/verbs.ts';
export type { AgentAccounts } from './lifecycle/agent-accounts.ts';
export type { FactsAhead } from './lifecycle/facts-ahead.ts';
export type { RoleFacts } from './lifecycle/role-facts.ts';
export type { StartOrder } from './lifecycle/start-order.ts';
export type { Lifecycle, Planning } from './lifecycle/verbs.ts';
export type { Messages, Outcomes } from './messages/verbs.ts';
export type { AnswerOrder, PlanBranch, Run } from './orders.ts';
export type { ProposedPlan } from './proposing/proposal.ts';
export type { Proposing } from './proposing/verbs.ts';
export type { Feed } from './queries/feed.ts';
export type { WorkerSpan } from './queries/reports.ts';
export type { Needs } from './queries/status.ts';
export type { CrewSummary, Glimpse } from './queries/summary.ts';
export type { Queries } from './queries/verbs.ts';
export type { WaitOrder, WaitOutcome } from './queries/wait.ts';
export type { WholeRequest } from './queries/whole-request.ts';
export type { Work } from './queries/work.ts';

/** A worker is named by its id, its terminal's id or its name. */
export interface Crew
  extends Queries,
    Feed,
    Lifecycle,
    Planning,
    Keeping,
    Proposing,
    Landing,
    Comparing,
    Attention,
    Messages,
    Asking {
  /** Lets go of everything within a second; workers go on. */
  dispose(): Promise<void>;
}

/** What can be read of a crew without a server of one's own. */
export interface CrewView
  extends Pick<
      Queries,
      'list' | 'examine' | 'logs' | 'wholeRequest' | 'happened' | 'status' | 'work' | 'usage' | 'usageOf' | 'whoIs'
    >,
    Pick<Feed, 'onChange'>,
    Pick<Comparing, 'diff' | 'conflicts'>,
    Pick<Lifecycle, 'restartPlan'>,
    Pick<Planning, 'place'>,
    Pick<Crew, 'dispose'> {
  /** Cheap, for a person who looks often. */
  crewSummary(): Promise<CrewSummary>;
  /** As `wait` of the crew, and without a server too; nothing that it shows counts as told to a manager. */
  wait(order: WaitOrder, run: Run): Promise<WaitOutcome>;
  /** Shows the crew now, and again at each change. */
  watch(show: (facts: BoardFacts<CrewRow>) => void): Disposer;
}

/** Looks at the machine, and needs no crew: where one cannot be opened, this says why. */
export interface Examiner {
  /** Changes nothing; resolves within some five seconds, whatever it finds. */
  doctor(): Promise<DoctorResult>;
  /** Every session of the agents of this user; reads alone. */
  agentSessions(query: SessionsQuery & { readonly here?: string }): Promise<SessionsResult>;
}
