// Which agent a name means: built in, or described by the settings of a project.
import type { Agent } from '../agents/agent.ts';
import { CrewError } from '../model/errors.ts';
import type { AgentType, BuiltInAgent, WorkerRecord } from '../model/worker.ts';
import { isBuiltIn } from '../model/worker.ts';
import { type AgentSettings, knownAgents, type Settings } from '../settings.ts';

export interface AgentSources {
  readonly agents: Readonly<Record<BuiltInAgent, Agent>>;
  /** Makes an agent of its description; without one it knows nothing of what it looks at. */
  readonly configuredAgent: (name: AgentType, settings: AgentSettings | undefined) => Agent;
  readonly settingsFor: (projectPath: string) => { readonly settings: Settings };
}

/** Throws `invalid_argument` with the agents there are. */
export function agentNamed({ agents, configuredAgent, settingsFor }: AgentSources, type: AgentType, project: string) {
  if (isBuiltIn(type)) return agents[type];
  const { settings } = settingsFor(project);
  const described = Object.hasOwn(settings.agents, type) ? settings.agents[type] : undefined;
  if (described !== undefined) return configuredAgent(type, described);
  throw new CrewError(
    'invalid_argument',
    `There is no agent "${type}" for ${project}. Known: ${knownAgents(settings).join(', ')}.`,
    `Pass one of those as agent_type, or describe "${type}" under agents in the configuration.`,
  );
}

/** The agent of a worker as its project describes it now; never throws. */
export function agentOfWorker({ agents, configuredAgent, settingsFor }: AgentSources, record: WorkerRecord): Agent {
  const { agentType: type } = record;
  if (isBuiltIn(type)) return agents[type];
  const { settings } = settingsFor(record.mainRepoPath ?? record.projectPath);
  return configuredAgent(type, Object.hasOwn(settings.agents, type) ? settings.agents[type] : undefined);
}
