// What is asked of a start of workers, and whether it can be held to the bound on its cost.
import type { Agent } from '../../agents/agent.ts';
import { CrewError } from '../../model/errors.ts';
import type { PresetName } from '../../model/rule.ts';
import { type AgentType, ownServerName, type TaskTag, type WorkerRecord } from '../../model/worker.ts';
import type { Settings } from '../../settings/settings.ts';
import { type Prices, priceOf } from '../../usage/prices.ts';

export interface StartOrder {
  /** `auto` is the project of whoever asks. */
  readonly project: string;
  readonly agentType?: AgentType;
  readonly name?: string;
  readonly annotation?: string;
  readonly bead?: string;
  readonly prompt?: string;
  readonly skipPermissions?: boolean;
  readonly useWorktree?: boolean;
  readonly worktree?: { readonly branch?: string; readonly base?: string };
  readonly role?: string;
  readonly model?: string;
  readonly permissionMode?: string;
  /** The past worker, or the agent's own id of a conversation, that goes on. */
  readonly resume?: string;
  readonly fork?: boolean;
  /** What the forked worker has not committed comes along, exactly or not at all. */
  readonly forkChanges?: boolean;
  readonly copyFiles?: readonly string[];
  readonly symlinkDirs?: readonly string[];
  readonly setupCommands?: readonly string[];
  readonly mcpServers?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly appendSystemPrompt?: string;
  readonly sandbox?: boolean;
  /** A preset of its own, before that of its role. */
  readonly preset?: PresetName;
  /** Prompts, over all its launches. */
  readonly maxTurns?: number;
  /** Refused where its cost cannot be known. */
  readonly maxCostUsd?: number;
  /** One that the configuration declares: it gives the name, and what the order leaves out. */
  readonly slot?: string;
  /** Takes a free slot of its role where there is one. */
  readonly fillsSlot?: true;
  /** The task it is started for, and the how manieth start for it; written into its record before it is made. */
  readonly task?: TaskTag;
}

export interface StartOrders {
  readonly workers: readonly StartOrder[];
  /** The configured one unless given. */
  readonly layout?: 'auto' | 'new';
  /** Where `auto` leads, before the server's own folder. */
  readonly here?: string;
  /** Whoever asks is told of news without a wait. */
  readonly wakes?: boolean;
}

interface CostBound {
  /** Of the worker, job or task. */
  readonly name: string;
  readonly agent: Pick<Agent, 'type' | 'tellsCost'>;
  readonly model: string | undefined;
  readonly prices: Prices;
}

type Costing = Omit<CostBound, 'name'>;

/** Throws `invalid_argument` where nobody could tell when a bound in dollars is reached. Pure. */
export function refuseUnknownCost({ name, ...of }: CostBound): void {
  const unknown = unknownCost(of);
  if (unknown === undefined) return;
  const { why, hint } = unknown;
  throw new CrewError('invalid_argument', `${name} has max_cost_usd, and ${why}, so nothing would hold it.`, hint);
}

/** Of a worker in a project that has such a bound for its day. Pure. */
export function uncountedWords({ name, ...of }: CostBound): string | undefined {
  const unknown = unknownCost(of);
  return unknown && `${name}: limits.max_cost_usd may pass unseen, since the worker ${unknown.why}.`;
}

function unknownCost({ agent: { type, tellsCost }, model, prices }: Costing) {
  if (tellsCost === 'itself' || (tellsCost === 'tokens' && model !== undefined && priceOf(model, prices)))
    return undefined;
  if (tellsCost === 'nothing')
    return {
      why: `has the agent ${type}, which does not tell what it costs`,
      hint: 'Leave max_cost_usd out; max_turns and timeout_minutes bound every agent.',
    };
  return model === undefined
    ? { why: `names no model for ${type}, which tells tokens alone`, hint: 'Name a model that has a price.' }
    : {
        why: `has the model ${model}, whose price is not known`,
        hint: 'Set the price in `prices` of the configuration, or leave max_cost_usd out.',
      };
}

/** Throws `invalid_argument` for a server of the order that has the name of the worker's own tools. */
export function refuseOwnServer(
  { mcpServers = {} }: Pick<StartOrder, 'mcpServers'>,
  { defaults }: Pick<Settings, 'defaults'>,
): void {
  if (!defaults.worker_tools || !Object.hasOwn(mcpServers, ownServerName)) return;
  throw new CrewError(
    'invalid_argument',
    `mcp_config has a server named "${ownServerName}", which is the name of the worker's own tools.`,
    'Give yours another name, or switch those off with defaults.worker_tools.',
  );
}

interface AlongAsked {
  /** Of the fork. */
  readonly name: string;
  readonly isFork: boolean;
  readonly past: Pick<WorkerRecord, 'name' | 'mainRepoPath' | 'worktreePath' | 'branch'> | undefined;
  readonly order: Pick<StartOrder, 'useWorktree' | 'worktree' | 'forkChanges'>;
  readonly mainRepoPath: string | undefined;
}

/** Throws `invalid_argument` where the order alone shows that no uncommitted work can come along. Pure. */
export function refuseAlong({ name, isFork, past, order, mainRepoPath }: AlongAsked): void {
  if (order.forkChanges !== true) return;
  const refused = (why: string, hint: string) =>
    new CrewError('invalid_argument', `fork_changes of ${name}: ${why}.`, hint);
  if (!isFork) throw refused('it forks nothing', 'Name in `resume` the worker to fork, and pass fork: true.');
  if (past === undefined)
    throw refused('no worker of crewmux has that conversation', 'Name the worker in `resume`, or leave it out.');
  if (past.worktreePath === undefined || past.branch === undefined)
    throw refused(`${past.name} has no worktree of its own`, 'Leave fork_changes out.');
  if (order.useWorktree !== true || past.mainRepoPath !== mainRepoPath)
    throw refused(`it gets no worktree of the repository of ${past.name}`, 'Spawn it in that repository.');
  if (order.worktree?.base !== undefined)
    throw refused(
      `the changes belong to the commit of ${past.name}, not to ${order.worktree.base}`,
      'Leave worktree.base out.',
    );
}
