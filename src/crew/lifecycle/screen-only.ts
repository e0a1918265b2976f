// What an agent takes when it starts, and what crewmux does where it does not.
import { type Agent, type LaunchWord, launchWords } from '../../agents/agent.ts';
import { CrewError } from '../../model/errors.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { Settings } from '../../settings/settings.ts';
import { refuseUndeniable, rulesOfWorker, unheldWords } from '../attention/permissions.ts';
import { sendMessage } from '../messages/send-message.ts';
import type { StartOrder } from '../orders.ts';
import type { CrewContext } from '../workers/roster.ts';

/** Settings of a configured agent that say how it takes a word. */
const configurable: ReadonlySet<string> = new Set(['model', 'skip_permissions', 'resume']);

/** Throws `invalid_argument` for what its command line has no words for and its prompt does not take. Pure. */
export function checkAsked({ type, takes, planDelivery }: Agent, order: StartOrder, prompt?: string): void {
  const parameter = launchWords.find((word) => word !== 'prompt' && !takes.has(word) && isAsked(order[wordOf[word]]));
  if (parameter !== undefined) {
    const mend = configurable.has(parameter) ? `, or set agents.${type}.${parameter}_args in the configuration` : '';
    throw new CrewError(
      'invalid_argument',
      `The agent "${type}" is known by its configuration alone, which does not say how it takes ${parameter}.`,
      `Leave ${parameter} out${mend}.`,
    );
  }
  const plan =
    prompt === undefined || takes.has('prompt') ? undefined : planDelivery({ text: prompt, asCommand: false });
  if (plan !== undefined && 'refused' in plan) throw new CrewError('invalid_argument', plan.refused, plan.hint);
}

/** The field of an order for each word. */
const wordOf = {
  model: 'model',
  skip_permissions: 'skipPermissions',
  resume: 'resume',
  fork: 'fork',
  permission_mode: 'permissionMode',
  mcp_config: 'mcpServers',
  append_system_prompt: 'appendSystemPrompt',
  prompt: 'prompt',
} as const satisfies Record<LaunchWord, keyof StartOrder>;

const isAsked = (value: unknown): boolean => value !== undefined && value !== false;

/** Asked for, or the default where the agent has words for it. */
export function skipsPermissions(agent: Agent, order: StartOrder, { defaults }: Settings): boolean {
  return order.skipPermissions ?? (agent.takes.has('skip_permissions') && defaults.skip_permissions);
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
