// Which agents a project has, and which of their accounts a limit holds.
import { type AgentType, builtInAgents } from '../../model/worker.ts';
import { commandOf } from '../../settings/settings.ts';
import { hasProgram } from '../../system/disk.ts';
import type { LimitGate } from '../../turn/account.ts';
import { environmentOf } from '../environments.ts';
import { accountKey, accountLimit } from '../workers/accounts.ts';
import type { CrewContext } from '../workers/crew-context.ts';

export interface AgentAccounts {
  /** The agent of whoever names none. */
  readonly usual: AgentType;
  /** The built-in ones besides that are installed; none unless they were asked for. */
  readonly others: readonly AgentType[];
  /** The limit of the account of each agent that has one now. */
  readonly limits: ReadonlyMap<AgentType, LimitGate>;
}

export interface AccountsQuery {
  readonly project: string;
  /** Each of them is looked for on the disk. */
  readonly withOthers: boolean;
}

export function agentAccounts(
  context: CrewContext,
  { project: projectPath, withOthers }: AccountsQuery,
): AgentAccounts {
  const { settings } = context.settingsFor(projectPath);
  const usual = settings.defaults.agent_type;
  const path = context.environment.git.PATH ?? '';
  const isInstalled = (type: AgentType) => {
    const [program] = commandOf(settings, type) ?? [];
    return program !== undefined && hasProgram(program, { path, cwd: projectPath });
  };
  const others = withOthers ? builtInAgents.filter((type) => type !== usual && isInstalled(type)) : [];
  const limits = new Map<AgentType, LimitGate>();
  for (const type of new Set([usual, ...builtInAgents])) {
    const agent = context.agents.of({ agentType: type, projectPath });
    const account = accountKey(agent, environmentOf(context, { agentType: type, projectPath }));
    const limit = accountLimit(context, account);
    if (limit !== undefined) limits.set(type, limit);
  }
  return { usual, others, limits };
}
