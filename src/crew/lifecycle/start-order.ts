// What is asked of a start of workers, and whether its agent can be held to the bound on its cost.
import type { Agent } from '../../agents/agent.ts';
import { CrewError } from '../../model/errors.ts';
import type { PresetName } from '../../model/rule.ts';
import { type AgentType, ownServerName, type TaskTag } from '../../model/worker.ts';
import type { Settings } from '../../settings/settings.ts';

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
  readonly copyFiles?: readonly string[];
  readonly symlinkDirs?: readonly string[];
  readonly setupCommands?: readonly string[];
  readonly mcpServers?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly appendSystemPrompt?: string;
  readonly sandbox?: boolean;
  /** A preset of its own, before that of its role. */
  readonly preset?: PresetName;
  /** Refused where its agent tells no cost. */
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

interface Bound {
  /** Of the job or task. */
  readonly name: string;
  readonly agent: Pick<Agent, 'type' | 'tellsCost'>;
}

/** Throws `invalid_argument` where an agent never tells its cost; warns of those that tell it late. */
export function costWarnings(bound: readonly Bound[]): readonly string[] {
  const unheld = bound.find(({ agent }) => agent.tellsCost === 'never');
  if (unheld !== undefined) {
    const { name, agent } = unheld;
    throw new CrewError(
      'invalid_argument',
      `${name} has max_cost_usd, and its agent ${agent.type} does not tell what it costs, so nothing would hold it.`,
      'Leave max_cost_usd out; max_turns and timeout_minutes bound every agent.',
    );
  }
  const late = bound.filter(({ agent }) => agent.tellsCost === 'late').map(({ name }) => name);
  if (late.length === 0) return [];
  return [
    `The max_cost_usd of ${late.join(', ')} is looked at late: the agent tells its cost when its conversation is cleared or ends. max_turns counts at once.`,
  ];
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
