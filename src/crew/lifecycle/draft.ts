// Checks the order for a new worker and settles all that its start needs, before crewmux makes anything.
import type { Agent } from '../../agents/agent.ts';
import { refuseOptions } from '../../model/arg-word.ts';
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { isUuid, newWorkerId } from '../../model/ids.ts';
import { checkName, workerColour } from '../../model/name.ts';
import { type AgentType, type Budget, isLiveOrSpawning, type WorkerRecord } from '../../model/worker.ts';
import type { Settings } from '../../settings/settings.ts';
import { beadWorkflow, type FoundTracker } from '../../trackers/tracker.ts';
import type { FolderFacts } from '../../worktree/git/inspect.ts';
import { type RuledOne, refuseUndeniable, rulesOfWorker, startModeOf, unheldWords } from '../attention/permissions.ts';
import { environmentOf } from '../environments.ts';
import { crewName, projectOf } from '../place.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import type { ResolveRole } from '../workers/roles.ts';
import { commandIn } from './launch.ts';
import { type Cast, castInRole } from './role-order.ts';
import { setupCommands, withSetup } from './setup-commands.ts';
import { refuseAlong, refuseOwnServer, refuseUnknownCost, type StartOrder, uncountedWords } from './start-order.ts';
import { chooseSandbox, type SandboxChoice, withoutSandbox } from './worker-sandbox.ts';
import { closedTracker, trackerFor } from './worker-tracker.ts';

export interface WorkerDraft {
  readonly id: string;
  readonly name: string;
  readonly colour: string;
  readonly order: StartOrder;
  readonly settings: Settings;
  readonly agent: Agent;
  /** Program and leading arguments, found and executable. */
  readonly command: readonly string[];
  /** The folder of the order, without symlinks. */
  readonly projectPath: string;
  readonly folder: FolderFacts | undefined;
  readonly crew: string;
  /** The environment of the agent, and of what makes its worktree ready. */
  readonly env: Readonly<Record<string, string>>;
  readonly model: string | undefined;
  readonly prompt: string | undefined;
  readonly skipPermissions: boolean;
  /** What its role gives it beside the order. */
  readonly role: Pick<Cast, 'roleKept' | 'standingPrompt' | 'tools' | 'maxParallel'>;
  /** Its mode, and whether crewmux chose it. */
  readonly mode: Pick<WorkerRecord, 'permissionMode' | 'choosesMode'>;
  readonly sandbox: SandboxChoice;
  readonly resume:
    | { readonly agentSessionId: string; readonly fork: boolean; readonly past?: WorkerRecord }
    | undefined;
  readonly warnings: readonly string[];
}

/** Rejects with what is wrong and how to put it right, before it makes anything. */
export async function draftWorker(
  context: CrewContext,
  named: {
    readonly order: StartOrder;
    readonly name: string;
    readonly here: string | undefined;
    /** What git says of a folder, which several orders may name. */
    readonly inspect: (path: string) => Promise<FolderFacts | undefined>;
    readonly resolveRole: ResolveRole;
  },
): Promise<WorkerDraft> {
  const name = checkName(named.name);
  const id = freshId(context);
  const projectPath = await projectOf(context, named.order.project, named.here);
  const { settings } = context.settingsFor(projectPath);
  const folder = await named.inspect(projectPath);
  const mainPath = folder?.mainRepoPath ?? projectPath;
  const folders = [projectPath, mainPath];
  const cast = await castInRole(context, named.order, { name, settings, folders, resolveRole: named.resolveRole });
  const { agent, skips } = cast;
  const { role, preset, model: asked } = cast.order;
  const own = { id, role, preset, roleRules: cast.roleKept };
  const model = modelOf({ agent, settings, asked });
  const costing = { name, agent, model, prices: settings.prices };
  if (cast.order.maxCostUsd !== undefined) refuseUnknownCost(costing);
  const command = await commandIn(context, agent.type, { settings, projectPath });
  const wantsWorktree = cast.order.useWorktree ?? settings.defaults.use_worktree;
  const hasWorktree = wantsWorktree && folder !== undefined;
  const order = { ...cast.order, useWorktree: hasWorktree };
  checkWorktree(order, folder, projectPath);
  refuseOwnServer(order, settings);
  const tracker = await trackerFor(context, order, { folder, projectPath, settings });
  const prompt = cast.firstWords(firstPrompt(order, tracker));
  checkAsked(agent, order, prompt);
  const resume = resumeOf(context, order, agent.type);
  const env = environmentOf(context, { agentType: agent.type, projectPath: mainPath, own: order.env });
  const chosen = await chooseSandbox({ context, agent, command, settings, asked: order.sandbox, env });
  const sandbox = await withSetup(chosen, { env, commands: hasWorktree ? setupCommands({ order, settings }) : [] });
  const { fork: isFork = false, past } = resume ?? {};
  refuseAlong({ name, isFork, past, order, mainRepoPath: folder?.mainRepoPath });
  refuseOptions({ 'The conversation to go on with': resume?.agentSessionId });
  const warnings = [
    ...cast.warnings,
    ...uncounted(settings, costing),
    ...withoutSandbox(context, { name, agent, sandbox }),
    ...(sandbox.isOn ? await closedTracker(name, tracker, mainPath) : []),
    ...(await checkRules(context, agent, { name, ...own, projectPath, hasWorktree, skips })),
    ...(wantsWorktree && folder === undefined ? [withoutRepository(name, projectPath)] : []),
    ...(prompt === undefined && order.resume === undefined ? [withoutPrompt(name)] : []),
  ];
  return {
    ...{ id, name, colour: workerColour(name, liveColours(context)) },
    ...{ order, settings, agent, command, projectPath, folder, env, model, prompt, resume, warnings },
    crew: crewName(settings.tmux.session_prefix, mainPath),
    role: cast,
    skipPermissions: skips,
    mode: await modeOf(context, agent, { own, order, settings, projectPath, hasWorktree, env, skips }),
    sandbox,
  };
}

function uncounted({ limits }: Settings, costing: Parameters<typeof uncountedWords>[0]): readonly string[] {
  const words = limits.max_cost_usd === undefined ? undefined : uncountedWords(costing);
  return words === undefined ? [] : [words];
}

const withoutPrompt = (name: string): string =>
  `${name} has neither prompt nor bead: it is idle and waits for message_workers.`;

const withoutRepository = (name: string, path: string): string =>
  `${name}: ${path} is not a git repository, so it works there without a worktree.`;

/** What bounds the worker, by its order with what its role adds. Pure. */
export function budgetOf({ maxTurns, maxCostUsd }: Pick<StartOrder, 'maxTurns' | 'maxCostUsd'>): Budget | undefined {
  if (maxTurns === undefined && maxCostUsd === undefined) return undefined;
  return defined({ maxTurns, maxCostUsd });
}

/** Undefined where the agent chooses it. The configured one is for the agents that may have it. */
export function modelOf({
  agent: { takes, foreignModel },
  settings: { defaults },
  asked,
}: {
  readonly agent: Pick<Agent, 'takes' | 'foreignModel'>;
  readonly settings: { readonly defaults: Pick<Settings['defaults'], 'model'> };
  readonly asked: string | undefined;
}): string | undefined {
  const { model } = defaults;
  return asked ?? (takes.has('model') && !(model && foreignModel?.test(model)) ? model : undefined);
}

/** The mode that is named, else the one that its place and its rules make safe. */
async function modeOf(
  context: CrewContext,
  agent: Agent,
  at: Pick<WorkerDraft, 'order' | 'settings' | 'projectPath' | 'env'> & {
    readonly own: Pick<RuledOne, 'id' | 'role' | 'roleRules' | 'preset'>;
    readonly hasWorktree: boolean;
    readonly skips: boolean;
  },
): Promise<WorkerDraft['mode']> {
  if (at.skips) return { permissionMode: 'bypassPermissions' };
  if (!agent.takes.has('permissionMode')) return { permissionMode: 'unknown' };
  const { own, order, settings, skips: _, ...place } = at;
  const named = order.permissionMode ?? settings.defaults.permission_mode;
  if (named !== undefined) return { permissionMode: named };
  return { permissionMode: await startModeOf(context, agent, { ...place, ...own }), choosesMode: true };
}

/** Its prompt, its bead, or both; undefined for a worker that waits for a message. */
const firstPrompt = (
  { bead, prompt, annotation }: StartOrder,
  tracker: FoundTracker | undefined,
): string | undefined =>
  bead === undefined ? prompt : beadWorkflow({ bead, ...defined({ tracker, annotation, prompt }) });

/** Parameters of a spawn that an agent may have no words for; a configuration can add those with a setting. */
const parameters = [
  { word: 'model', name: 'model', setting: 'model_args' },
  { word: 'skipPermissions', name: 'skip_permissions', setting: 'skip_permissions_args' },
  { word: 'resume', name: 'resume', setting: 'resume_args' },
  { word: 'fork', name: 'fork', setting: undefined },
  { word: 'permissionMode', name: 'permission_mode', setting: undefined },
  { word: 'mcpServers', name: 'mcp_config', setting: undefined },
  { word: 'appendSystemPrompt', name: 'append_system_prompt', setting: undefined },
] as const;

/** Throws `invalid_argument` where the agent's command line has no words for a part of the order. Pure. */
function checkAsked({ type, takes, planDelivery }: Agent, order: StartOrder, prompt?: string): void {
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

/** Throws where the agent does not keep to a rule that denies something; resolves to a warning of its other gaps. */
async function checkRules(
  context: CrewContext,
  agent: Agent,
  worker: {
    readonly name: string;
    readonly skips: boolean;
    readonly hasWorktree: boolean;
  } & RuledOne,
): Promise<readonly string[]> {
  const rules = await rulesOfWorker(context, worker);
  refuseUndeniable(agent, rules, worker);
  const words = unheldWords(agent, rules, worker);
  return words === undefined ? [] : [`${worker.name}: ${words}.`];
}

function checkWorktree(order: StartOrder, folder: FolderFacts | undefined, projectPath: string): void {
  if (order.worktree === undefined || folder !== undefined) return;
  throw new CrewError(
    'not_a_repository',
    `A worktree was asked for, but ${projectPath} is not in a git repository.`,
    'Run `git init` there and commit once, or leave `worktree` out.',
  );
}

function freshId(context: CrewContext): string {
  const known = context.log.records();
  for (;;) {
    const id = newWorkerId();
    if (!known.has(id)) return id;
  }
}

const liveColours = (context: CrewContext): readonly string[] =>
  context.roster
    .records()
    .filter(isLiveOrSpawning)
    .map((record) => record.colour);

function resumeOf(context: CrewContext, order: StartOrder, agentType: AgentType): WorkerDraft['resume'] {
  const { resume, fork = false } = order;
  if (resume === undefined) {
    if (!fork) return undefined;
    throw new CrewError(
      'invalid_argument',
      'fork is given without resume.',
      'Name in `resume` the conversation to fork.',
    );
  }
  if (isUuid(resume)) {
    const all = context.roster.records().map((record) => context.roster.present(record));
    const past = all.findLast((record) => record.launch.agentSessionId === resume);
    return { agentSessionId: resume, fork, ...defined({ past }) };
  }
  const past = context.roster.present(context.roster.resolve(resume));
  if (past.agentType !== agentType) {
    throw new CrewError(
      'invalid_argument',
      `${past.name} is a ${past.agentType} worker; its conversation cannot go on in ${agentType}.`,
      `Pass agent_type: "${past.agentType}".`,
    );
  }
  if (context.roster.lives(past) && !fork) {
    throw new CrewError(
      'worker_busy',
      `${past.name} is alive and has that conversation open.`,
      'Message it, or pass fork: true.',
    );
  }
  const { agentSessionId } = past.launch;
  if (agentSessionId !== '') return { agentSessionId, fork, past };
  throw new CrewError(
    'invalid_argument',
    `${past.name} has no conversation yet: it was never asked anything.`,
    'Leave resume out.',
  );
}
