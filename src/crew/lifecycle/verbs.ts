// How workers come, change and go.
import { CrewError } from '../../model/errors.ts';
import { rarely } from '../../system/once.ts';
import type { AdoptResult, CloseOutcome, DiscoverResult, RestartPlan, SpawnResult } from '../../wire/starting.ts';
import type { AnnotateResult } from '../../wire/worker.ts';
import type { PlanBranch, Run } from '../orders.ts';
import { type PlaceQuery, type ProjectPlace, placeOf } from '../place.ts';
import { type CrewContext, upToDate } from '../workers/crew-context.ts';
import { refuseOthers } from '../workers/ownership.ts';
import { borderStatus, showOnPane } from '../workers/publish.ts';
import { type AdoptOrder, adoptWorker } from './adopt.ts';
import { type AccountsQuery, type AgentAccounts, agentAccounts } from './agent-accounts.ts';
import { asksAhead, type StartAhead } from './asking-ahead.ts';
import { closeWorkers } from './close.ts';
import { discoverWorkers } from './discover.ts';
import { type FactsAhead, type FactsAheadQuery, factsAhead } from './facts-ahead.ts';
import { openPlanBranch, type PlanBranchOrder } from './plan-branch.ts';
import { takeOverOrphans } from './recover.ts';
import { planRestart, type RestartOrder, restartWorkers } from './restart.ts';
import { type RoleFacts, type RoleQuery, roleFacts } from './role-facts.ts';
import { startWorkers } from './spawn.ts';
import type { StartOrders } from './start-order.ts';

interface Workers {
  readonly workers: readonly string[];
}

export interface Lifecycle {
  /** Starts workers. One that cannot be started leaves nothing behind, and the others go on. */
  start(orders: StartOrders, run: Run): Promise<SpawnResult>;
  /** One after the other. Those that must stay as they are are among the failures. */
  restart(order: RestartOrder, run: Run): Promise<SpawnResult>;
  /** What a restart would do. Changes nothing. */
  restartPlan(order: RestartOrder): Promise<RestartPlan>;
  close(order: Workers & { readonly force: boolean }, run: Run): Promise<Readonly<Record<string, CloseOutcome>>>;
  adopt(order: AdoptOrder): Promise<AdoptResult>;
  discover(query: { readonly maxAgeSeconds: number }): Promise<DiscoverResult>;
  annotate(order: { readonly worker: string; readonly annotation: string }): Promise<AnnotateResult>;
  /** Takes over the workers of servers that are gone, or only these orphans of them, and `workers`, whoever has them. */
  takeOver(workers: readonly string[], orphans?: readonly string[]): Promise<void>;
}

/** What whoever gives tasks asks before any worker is started. */
export interface Planning {
  /** The project of whoever asks where it is `auto`, and the name of its crew. Rejects where there is no folder. */
  place(query: PlaceQuery): Promise<ProjectPlace>;
  /**
   * Warnings of workers that will ask somebody about everyday work, for what is not started yet. Throws where one has a
   * bound in cost and its agent tells none.
   */
  asksAhead(query: StartAhead): Promise<readonly string[]>;
  /** What of a project's settings and files may hold work up in it; reads alone. */
  factsAhead(query: FactsAheadQuery): Promise<FactsAhead>;
  /** What the accounts of agents allow in a project, from memory unless other agents are asked for. */
  accounts(query: AccountsQuery): AgentAccounts;
  /** What a role says of the start of its workers, as of at most a second ago. */
  roleFacts(query: RoleQuery): Promise<RoleFacts>;
  /** Makes the branch of a plan, or finds the one that was made under this id. Rejects outside of a repository. */
  openPlanBranch(order: PlanBranchOrder): Promise<PlanBranch>;
}

const rememberMs = 1_000;

export function verbs(context: CrewContext): Lifecycle & Planning {
  const known = rarely<Promise<RoleFacts>>(context.clock, rememberMs);
  return {
    start: (orders, run) => upToDate(context, () => startWorkers(context, orders, run)),
    restart: (order, run) => upToDate(context, () => restartWorkers(context, order, run)),
    restartPlan: (order) => upToDate(context, () => planRestart(context, order)),
    close: (order, run) => upToDate(context, () => closeWorkers(context, order, run)),
    adopt: (order) => upToDate(context, () => adoptWorker(context, order)),
    discover: (query) => upToDate(context, () => discoverWorkers(context, query)),
    annotate: (order) => upToDate(context, () => annotate(context, order)),
    takeOver: (workers, orphans) => upToDate(context, () => takeOverOrphans(context, workers, orphans)),
    place: (query) => placeOf(context, query),
    asksAhead: (query) => asksAhead(context, query),
    factsAhead: (query) => factsAhead(context, query),
    accounts: (query) => agentAccounts(context, query),
    roleFacts: (query) => known(JSON.stringify(query), () => roleFacts(context, query)),
    openPlanBranch: (order) => openPlanBranch(context, order),
  };
}

async function annotate(
  context: CrewContext,
  { worker, annotation }: { readonly worker: string; readonly annotation: string },
) {
  const record = context.roster.resolve(worker);
  refuseOthers(context, record);
  if (record.phase === 'closed') {
    throw new CrewError(
      'worker_dead',
      `${record.name} is closed.`,
      'Only workers that are not closed can be annotated.',
    );
  }
  await context.log.append([
    { type: 'worker_annotated', workerId: record.id, data: { annotation }, set: { annotation } },
  ]);
  const turn = context.roster.turn(record.id);
  await showOnPane(context, context.roster.record(record.id), turn === undefined ? record.phase : borderStatus(turn));
  return { success: true, session_id: worker, annotation };
}
