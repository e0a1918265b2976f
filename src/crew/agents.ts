// Which agent a name means: built in, or described by the settings of a project.
import type { Agent } from '../agents/agent.ts';
import type { Clock } from '../model/clock.ts';
import { CrewError } from '../model/errors.ts';
import type { AgentType, BuiltInAgent, WorkerRecord } from '../model/worker.ts';
import { isBuiltIn } from '../model/worker.ts';
import { type AgentSettings, knownAgents, type Settings } from '../settings/settings.ts';

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

const rememberMs = 1_000;

/** The agent of any worker; its settings are read again once a second at most. */
export function rememberedAgents(sources: AgentSources, clock: Clock): (record: WorkerRecord) => Agent {
  const known = new Map<string, { readonly agent: Agent; readonly at: number }>();
  return (record) => {
    const key = JSON.stringify([record.agentType, record.mainRepoPath ?? record.projectPath]);
    const held = known.get(key);
    const now = clock.now();
    if (held !== undefined && now - held.at < rememberMs) return held.agent;
    const agent = agentOfWorker(sources, record);
    if (!isBuiltIn(record.agentType)) known.set(key, { agent, at: now });
    return agent;
  };
}

/** As its project describes it now; never throws. */
function agentOfWorker({ agents, configuredAgent, settingsFor }: AgentSources, record: WorkerRecord): Agent {
  const { agentType: type } = record;
  if (isBuiltIn(type)) return agents[type];
  const { settings } = settingsFor(record.mainRepoPath ?? record.projectPath);
  return configuredAgent(type, Object.hasOwn(settings.agents, type) ? settings.agents[type] : undefined);
}
