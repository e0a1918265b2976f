// A role changes an order before anything is made of it: the call beats the role, and the role beats the defaults.
import type { Agent } from '../../agents/agent.ts';
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import type { RoleKept, WorkerRecord } from '../../model/worker.ts';
import { isAsItWas } from '../../settings/roles/find.ts';
import type { Role } from '../../settings/roles/role-file.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Context } from '../context.ts';
import type { ResolveRole, RoleNow } from '../workers/roles.ts';
import type { StartOrder } from './start-order.ts';

export interface Cast {
  /** With what the role adds. */
  readonly order: StartOrder;
  readonly agent: Agent;
  /** It runs without permission checks. */
  readonly skips: boolean;
  readonly roleKept?: RoleKept;
  readonly standingPrompt?: string;
  readonly tools?: readonly string[];
  readonly maxParallel?: number;
  /** The first prompt, with the standing prompt before it where the agent takes none. */
  readonly firstWords: (prompt: string | undefined) => string | undefined;
  readonly warnings: readonly string[];
}

interface Casting {
  readonly name: string;
  readonly settings: Settings;
  readonly folders: readonly string[];
  readonly resolveRole: ResolveRole;
}

/** Throws `invalid_argument` for a role that is not known, and for one whose model is for another agent. */
export async function castInRole(
  context: Pick<Context, 'agents'>,
  order: StartOrder,
  { name, settings, folders, resolveRole }: Casting,
): Promise<Cast> {
  const { found, warnings } = await resolveRole(order.role, folders);
  const { agent_type: usual, skip_permissions: skipsAll } = settings.defaults;
  const agent = context.agents.named(order.agentType ?? found?.role.agent ?? usual, folders[0]);
  const skips = order.skipPermissions ?? (agent.takes.has('skipPermissions') && skipsAll);
  if (found === undefined) return { order, agent, skips, warnings, firstWords: (prompt) => prompt };
  const { role } = found;
  const gives = agent.takes.has('appendSystemPrompt');
  return {
    order: withRole(order, role, agent),
    ...{ agent, skips, roleKept: keptOf(found) },
    ...defined({
      standingPrompt: gives ? role.text : undefined,
      tools: agent.takes.has('tools') ? role.tools : undefined,
      maxParallel: role.maxParallel,
    }),
    firstWords: (prompt) => (gives || prompt === undefined ? prompt : `${role.text}\n\n${prompt}`),
    warnings: [...warnings, ...lacking(role, { order, agent, skips }).map((words) => `${name}: ${words}`)],
  };
}

const keptOf = ({ source, sha256, role: { preset, deny } }: RoleNow): RoleKept => ({
  ...{ source, sha256, deny },
  ...defined({ preset }),
});

/** Pure. */
export function withRole(
  order: StartOrder,
  role: Role,
  agent: Pick<Agent, 'type' | 'takes' | 'foreignModel'>,
): StartOrder {
  const { takes } = agent;
  const model = order.model ?? modelOfRole(role, agent);
  const servers = takes.has('mcpServers') ? role.mcpServers : undefined;
  return {
    ...order,
    ...defined({
      model,
      permissionMode: order.permissionMode ?? (takes.has('permissionMode') ? modeOfRole(role) : undefined),
      sandbox: order.sandbox ?? role.sandbox,
      maxTurns: order.maxTurns ?? role.maxTurns,
      maxCostUsd: order.maxCostUsd ?? role.maxCostUsd,
      mcpServers: servers === undefined ? order.mcpServers : { ...servers, ...order.mcpServers },
    }),
  };
}

/** Throws where that is a model of another agent. Pure. */
export function modelOfRole(
  { name, model }: Pick<Role, 'name' | 'model'>,
  { type, takes, foreignModel }: Pick<Agent, 'type' | 'takes' | 'foreignModel'>,
): string | undefined {
  if (model === undefined || !takes.has('model')) return undefined;
  if (foreignModel?.test(model) !== true) return model;
  throw new CrewError(
    'invalid_argument',
    `The role ${name} has the model ${JSON.stringify(model)}, which ${type} does not know.`,
    `Pass a model of ${type}, or the agent_type that has this one.`,
  );
}

/** Only a person or a call takes all checks away. */
export const modeOfRole = ({ permissionMode }: Role): string | undefined =>
  permissionMode === 'bypassPermissions' ? undefined : permissionMode;

/** What the role says and this worker does not get. Pure. */
export function lacking(
  role: Role,
  {
    order,
    agent: { type, takes },
    skips,
  }: Pick<Cast, 'order' | 'skips'> & { readonly agent: Pick<Agent, 'type' | 'takes'> },
): readonly string[] {
  const { model, permissionMode, tools, mcpServers } = role;
  const isUnheard = permissionMode === 'bypassPermissions' && order.permissionMode === undefined && !skips;
  const missing = [
    ...(model !== undefined && order.model === undefined && !takes.has('model') ? ['model'] : []),
    ...(permissionMode !== undefined && !takes.has('permissionMode') ? ['permissionMode'] : []),
    ...(tools !== undefined && !takes.has('tools') ? ['tools'] : []),
    ...(mcpServers !== undefined && !takes.has('mcpServers') ? ['mcpServers'] : []),
  ];
  const whose = `the role ${role.name}`;
  return [
    ...(missing.length === 0 ? [] : [`${type} has no words for ${missing.join(', ')} of ${whose}; it goes without.`]),
    ...(isUnheard
      ? [
          `permissionMode "bypassPermissions" of ${whose} does not count without skip_permissions of the call or your defaults.`,
        ]
      : []),
    ...(takes.has('appendSystemPrompt') ? [] : [standsBefore(order, whose, type)]),
  ];
}

const standsBefore = ({ prompt, bead }: StartOrder, whose: string, type: string): string =>
  prompt === undefined && bead === undefined
    ? `${type} takes no system prompt, and without a first prompt it gets no word of ${whose}.`
    : `${type} takes no system prompt, so the text of ${whose} stands before its first prompt.`;

interface InRole {
  readonly name: string;
  readonly crew: string;
  readonly order: Pick<StartOrder, 'role' | 'task'>;
  readonly role: Pick<Cast, 'maxParallel'>;
}

interface Beside {
  readonly drafted: readonly InRole[];
  readonly living: readonly Pick<WorkerRecord, 'name' | 'crew' | 'role'>[];
}

/** A person may want more than the role lets tasks have; those wait in their queue instead. Pure. */
export function pastParallel(
  { crew, order: { role, task }, role: { maxParallel } }: InRole,
  { drafted, living }: Beside,
): readonly string[] {
  if (maxParallel === undefined || task !== undefined) return [];
  const all = [...living, ...drafted.map(({ order, ...one }) => ({ ...one, role: order.role }))];
  const names = all.filter((one) => one.role === role && one.crew === crew).map(({ name }) => name);
  return names.length <= maxParallel
    ? []
    : [
        `The role ${role} has max_parallel ${maxParallel}, and ${names.length} of its workers live now: ${names.join(', ')}. It holds back tasks and jobs alone.`,
      ];
}

/** Of a worker that came back with its role as it was. */
export function changedRole({
  name,
  role = '',
  roleKept,
}: Pick<WorkerRecord, 'name' | 'role' | 'roleKept'>): readonly string[] {
  if (roleKept === undefined || isAsItWas(roleKept, role)) return [];
  return [
    `${name} keeps its role ${role} as it was when it began: ${roleKept.source} has changed since. A new worker gets it as it is now.`,
  ];
}
