// What an agent takes when it starts, and what crewmux does where it does not.
import type { Agent } from '../../agents/agent.ts';
import { CrewError } from '../../model/errors.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { Settings } from '../../settings/settings.ts';
import { refuseUndeniable, rulesOfWorker, unheldWords } from '../attention/permissions.ts';
import { sendMessage } from '../messages/deliver.ts';
import type { StartOrder } from '../orders.ts';
import type { CrewContext } from '../workers/roster.ts';

/** Parameters of spawn_workers that an agent may have no words for; a configuration can add those with a setting. */
const parameters = [
  { word: 'model', name: 'model', setting: 'model_args' },
  { word: 'skipPermissions', name: 'skip_permissions', setting: 'skip_permissions_args' },
  { word: 'resume', name: 'resume', setting: 'resume_args' },
  { word: 'fork', name: 'fork', setting: undefined },
  { word: 'permissionMode', name: 'permission_mode', setting: undefined },
  { word: 'mcpServers', name: 'mcp_config', setting: undefined },
  { word: 'appendSystemPrompt', name: 'append_system_prompt', setting: undefined },
] as const;

/** Throws `invalid_argument` for what its command line has no words for and its prompt does not take. Pure. */
export function checkAsked({ type, takes, planDelivery }: Agent, order: StartOrder, prompt?: string): void {
  const unknown = parameters.find(({ word }) => !takes.has(word) && order[word] !== undefined && order[word] !== false);
  if (unknown !== undefined) {
    const { name, setting } = unknown;
    const mend = setting === undefined ? '' : `, or set agents.${type}.${setting} in the configuration`;
    throw new CrewError(
      'invalid_argument',
      `The agent "${type}" is known by its configuration alone, which does not say how it takes ${name}.`,
      `Leave ${name} out${mend}.`,
    );
  }
  const plan =
    prompt === undefined || takes.has('prompt') ? undefined : planDelivery({ text: prompt, asCommand: false });
  if (plan !== undefined && 'refused' in plan) throw new CrewError('invalid_argument', plan.refused, plan.hint);
}

/** Asked for, or the default where the agent has words for it. */
export function skipsPermissions(agent: Agent, order: StartOrder, { defaults }: Settings): boolean {
  return order.skipPermissions ?? (agent.takes.has('skipPermissions') && defaults.skip_permissions);
}

/** Throws where the agent cannot be kept from what is denied; returns what else it does not know, worth a warning. */
export async function checkRules(
  context: CrewContext,
  agent: Agent,
  worker: {
    readonly name: string;
    readonly role: string | undefined;
    readonly projectPath: string;
    readonly skips: boolean;
    readonly hasWorktree: boolean;
  },
): Promise<readonly string[]> {
  const rules = await rulesOfWorker(context, worker);
  refuseUndeniable(agent, rules, worker);
  const words = unheldWords(agent, rules, worker);
  return words === undefined ? [] : [`${worker.name}: ${words}.`];
}

/** Types the first prompt into an agent that takes none on its command line; returns what is worth a warning. */
export async function typeFirstPrompt(
  context: CrewContext,
  record: WorkerRecord,
  first: { readonly agent: Agent; readonly prompt: string | undefined },
): Promise<readonly string[]> {
  const { agent, prompt: text } = first;
  if (agent.takes.has('prompt') || text === undefined) return [];
  const { is, evidence: shown } = context.roster.turn(record.id) ?? {};
  if (is === 'starting' || shown === undefined) {
    return [
      `${record.name} does not show that it is ready (${shown?.detail ?? 'nothing is known'}), so its first prompt was not typed. Look with read_worker_screen; mend agents.${agent.type} in the configuration if a prompt is there; then send it with message_workers.`,
    ];
  }
  const outcome = await sendMessage(context, record, { text, delivery: 'queue', asCommand: false });
  if (outcome.verdict === 'submitted') return [];
  const { verdict, evidence, hint = '' } = outcome;
  return [`${record.name}: its first prompt is ${verdict} (${evidence.source}: ${evidence.detail}). ${hint}`.trim()];
}
