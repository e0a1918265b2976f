// Asks an agent one question without a pane: it reads the project, changes nothing, and is gone with its answer.
import { writeFile } from 'node:fs/promises';
import type { Agent, Headless, QuestionSpec } from '../../agents/agent.ts';
import { refuseOptions } from '../../model/arg-word.ts';
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { newNonce, newUuid } from '../../model/ids.ts';
import { rulesWithout } from '../../model/rule.ts';
import { presets } from '../../permissions/presets.ts';
import type { Settings } from '../../settings/settings.ts';
import { type RunResult, run } from '../../system/exec.ts';
import { inspectFolder } from '../../worktree/git/inspect.ts';
import { presetUseOf, refuseUndeniable, rulesOfWorker } from '../attention/permissions.ts';
import { environmentOf } from '../environments.ts';
import { modelOf } from '../lifecycle/draft.ts';
import { commandIn } from '../lifecycle/launch.ts';
import { projectStand } from '../lifecycle/project-files.ts';
import { modelOfRole } from '../lifecycle/role-order.ts';
import { chooseSandbox } from '../lifecycle/worker-sandbox.ts';
import { projectOf } from '../place.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { type RoleNow, roleResolver } from '../workers/roles.ts';
import { type ExpertConversation, knownConversation } from './conversations.ts';
import { expertSandbox } from './expert-sandbox.ts';
import { type Heard, heardIn } from './heard.ts';
import { beginRun, endRun, forgetRun, markOf } from './runs.ts';

export interface ExpertOrder {
  readonly question: string;
  readonly role?: string;
  readonly agentType?: string;
  readonly model?: string;
  /** `auto` is the project of whoever asks. */
  readonly project: string;
  readonly here?: string;
  /** The conversation to go on with. */
  readonly resume?: string;
  readonly timeoutMs: number;
}

/** An order that can be carried out. */
export interface Expert {
  readonly id: string;
  readonly order: ExpertOrder;
  readonly agent: Agent;
  readonly headless: Headless;
  readonly settings: Settings;
  readonly command: readonly string[];
  readonly project: string;
  /** Undefined outside of a repository. */
  readonly mainRepoPath: string | undefined;
  readonly repoPath: string;
  readonly env: Readonly<Record<string, string>>;
  readonly model: string | undefined;
  readonly role: string | undefined;
  /** Undefined for one that rules alone make. */
  readonly inRole: RoleNow | undefined;
  /** What of its role does not count. */
  readonly warnings: readonly string[];
  readonly before: ExpertConversation | undefined;
}

/** Starts nothing. Throws for what an expert cannot be. */
export async function expertFor(context: CrewContext, order: ExpertOrder): Promise<Expert> {
  refuseOptions({ 'The conversation to go on with': order.resume, 'The model': order.model });
  const before = order.resume === undefined ? undefined : await knownConversation(context, order.resume);
  const asked = order.project === 'auto' ? before?.project : undefined;
  const project = await projectOf(context, asked ?? order.project, order.here);
  const { settings } = context.settingsFor(project);
  const folder = await inspectFolder({ path: project, env: context.environment.git });
  const mainRepoPath = folder?.mainRepoPath;
  const repoPath = mainRepoPath ?? project;
  const role = order.role ?? before?.role;
  const { found: inRole, warnings } = await roleResolver(context)(role, [project, repoPath]);
  const agentType = order.agentType ?? before?.agentType ?? inRole?.role.agent ?? settings.defaults.agent_type;
  refuseOther(before, { agentType, project, role });
  const agent = context.agents.named(agentType, project);
  const { headless } = agent;
  if (headless === undefined)
    throw new CrewError(
      'invalid_argument',
      `crewmux knows no way to ask ${agentType} a question without a pane.`,
      'Pass agent_type "claude" or "codex".',
    );
  const command = await commandIn(context, agentType, { settings, projectPath: project });
  const env = environmentOf(context, { agentType, projectPath: repoPath });
  const model = modelOf({ agent, settings, asked: order.model ?? (inRole && modelOfRole(inRole.role, agent)) });
  const found = { agent, headless, settings, command, project, mainRepoPath, repoPath, env };
  return { id: newNonce(), order, ...found, model, role, inRole, warnings, before };
}

function refuseOther(
  before: ExpertConversation | undefined,
  now: Record<'agentType' | 'project', string> & { readonly role: string | undefined },
): void {
  if (before === undefined) return;
  const words = { agentType: 'agent_type', project: 'project_path', role: 'role' } as const;
  for (const key of ['agentType', 'project', 'role'] as const) {
    if (before[key] === now[key]) continue;
    throw new CrewError(
      'invalid_argument',
      `That conversation has ${words[key]} ${JSON.stringify(before[key] ?? 'none')}, not ${JSON.stringify(now[key])}.`,
      `Leave ${words[key]} out, or leave resume out to begin a conversation.`,
    );
  }
}

/** What has come of a run, whether it ended by itself or not. */
export interface Said {
  readonly heard: Heard;
  readonly ran: RunResult;
}

/** When the promise settles, every process of the run has ended. Undefined for one that is called off before it begins. */
export async function answerOf(context: CrewContext, expert: Expert, signal: AbortSignal): Promise<Said | undefined> {
  const dir = await beginRun(context, expert);
  try {
    const plan = expert.headless.ask(await specOf(context, expert, { dir, signal }));
    if (signal.aborted) return undefined;
    for (const { path, content } of plan.files) await writeFile(path, content, { mode: 0o600 });
    const ran = await runMarked(expert, { argv: plan.argv, env: plan.env, signal });
    const heard = heardIn(ran.stdout.split('\n').map((line) => expert.headless.readLine(line)));
    return { heard, ran };
  } finally {
    await forgetRun(context, expert);
  }
}

interface Running {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** A command of an agent may leave the group of its agent; the mark in its environment still finds it. */
async function runMarked(expert: Expert, { argv, env, signal }: Running): Promise<RunResult> {
  const [program = '', ...words] = argv;
  const { name, value } = markOf(expert);
  return run(program, words, {
    ...{ cwd: expert.project, env: { ...env, [name]: value }, wholeTree: 'always', signal },
    guard: {
      beforeStart: async () => undefined,
      async afterEnd() {
        await endRun(expert);
      },
    },
  });
}

interface Place {
  readonly dir: string;
  readonly signal: AbortSignal;
}

async function specOf(context: CrewContext, expert: Expert, { dir, signal }: Place): Promise<QuestionSpec> {
  const { agent, settings, command, env, project, repoPath, role, inRole, model, order, id } = expert;
  const choice = await chooseSandbox({ context, agent, command, settings, asked: inRole?.role.sandbox, env });
  const presetUse = presetUseOf({ isSandboxed: choice.isOn, skips: false });
  const rules = await rulesOfWorker(context, {
    ...{ id, role, roleRules: inRole?.rules, projectPath: repoPath, preset: 'explore', presetUse },
  });
  // It is held to its preset by what it can do at all.
  refuseUndeniable(agent, rulesWithout(rules, presets.explore), { skips: false, hasWorktree: false });
  const { leftOut } = await projectStand(
    context,
    { projectPath: project, ...defined({ mainRepoPath: expert.mainRepoPath }) },
    agent,
  );
  return {
    ...{ mark: markOf(expert).value, question: order.question, cwd: project, repoPath, dir, command, rules, env },
    agentSessionId: newUuid(),
    servers: await serversOf(expert, signal),
    ...defined({ resume: order.resume, model, leftOut, standingPrompt: inRole?.role.text, tools: inRole?.role.tools }),
    ...(choice.isOn && { sandbox: await expertSandbox(context, { id, project, repoPath, env }) }),
  };
}

/** An expert whose servers are not known would start them, so it does not start. */
async function serversOf(expert: Expert, signal: AbortSignal): Promise<readonly string[]> {
  const { agent, headless, command, project: cwd, repoPath, env } = expert;
  if (headless.servers === undefined) return [];
  const ran = await runMarked(expert, { argv: headless.servers.argv({ command, cwd, repoPath }), env, signal });
  const names = ran.exitCode === 0 ? headless.servers.namesIn(ran.stdout) : undefined;
  if (names !== undefined || signal.aborted) return names ?? [];
  throw new CrewError(
    'agent_failed',
    `${agent.type} did not tell which MCP servers it has, and an expert has none. ${lastWordsOf(ran)}`,
    'Run `codex mcp list --json` in a terminal to see why.',
  );
}

/** The end of what a program says on its way out. */
export const lastWordsOf = ({ stderr, exitCode, signal, startError }: RunResult): string =>
  stderr.trim().split('\n').slice(-5).join('\n') || startError || `It ended with ${signal ?? `code ${exitCode}`}.`;
