// Prepares the launch of an agent: finds its program, writes the launch's files and says what the pane runs.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Agent, LaunchSpec } from '../../agents/agent.ts';
import type { PaneRequest } from '../../backends/terminal.ts';
import { refuseOptions } from '../../model/arg-word.ts';
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { newUuid } from '../../model/ids.ts';
import type { Rules } from '../../model/rule.ts';
import { type AgentType, isBuiltIn, type LaunchRecord, type WorkerRecord } from '../../model/worker.ts';
import { tripwireWords } from '../../permissions/tripwire.ts';
import { readPlainFile } from '../../settings/project-file.ts';
import { commandOf, type Settings } from '../../settings/settings.ts';
import { statusLinePath } from '../../store/launch-place.ts';
import { signalsPath } from '../../store/question-line.ts';
import { findProgram, unlessMissing } from '../../system/disk.ts';
import { movedLink } from '../../worktree/git/git-link.ts';
import { inspectFolder } from '../../worktree/git/inspect.ts';
import { presetUseOf, refuseUndeniable, ruledAs, rulesOfWorker } from '../attention/permissions.ts';
import { giveRules } from '../attention/rule-file.ts';
import { accountKey } from '../workers/accounts.ts';
import { projectOf } from '../workers/budget.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { environmentFor, keepPrivateOptions, type PrivateOptions } from '../workers/private-options.ts';
import { labelOf } from '../workers/publish.ts';
import { keepTips } from '../workers/tips.ts';
import { carryQuestions } from './carried-questions.ts';
import { launchStand } from './project-files.ts';
import { canMoveBranches, heldHoles, sandboxRecord } from './sandbox-holes.ts';
import { instructionsAndTools } from './worker-instructions.ts';
import { type SandboxChoice, sandboxOf } from './worker-sandbox.ts';

export interface LaunchOrder {
  readonly record: WorkerRecord;
  readonly agent: Agent;
  readonly command: readonly string[];
  readonly skipPermissions: boolean;
  readonly own: PrivateOptions;
  readonly prompt: string | undefined;
  readonly sandbox: SandboxChoice;
  readonly resume:
    | { readonly agentSessionId: string; readonly fork: boolean; readonly transcriptPath?: string }
    | undefined;
  /** The id for a new conversation, where the agent lets us choose it; a new one otherwise. */
  readonly freshId?: string;
}

export interface Launch {
  readonly record: LaunchRecord;
  readonly open: Omit<PaneRequest, 'placement'>;
}

/**
 * Makes the folder of a worker's next launch with its files, and nothing else. Throws `invalid_argument` before that
 * where an id or a model would be an option on the agent's command line.
 */
export async function prepareLaunch(context: CrewContext, order: LaunchOrder): Promise<Launch> {
  const { record, agent, resume } = order;
  refuseOptions({ 'The conversation to go on with': resume?.agentSessionId, 'The model': record.model });
  const number = record.launch.number + 1;
  const dir = await context.home.launchDir(record.id, number);
  const rules = await launchRules(context, order);
  const spec = { ...(await specOf(context, order, dir)), rules };
  const holes = await heldHoles(order, spec);
  if (canMoveBranches(holes)) await keepTips(context, record);
  const plan = agent.launch(spec);
  await keepPrivateOptions({ dir }, order.own);
  await giveRules(context, { record: context.roster.record(record.id), agent, launchDir: dir }, rules);
  for (const file of plan.files) {
    if (file.isProgram) await mkdir(dirname(file.path), { recursive: true, mode: 0o700 });
    await writeFile(file.path, file.content, { mode: file.isProgram ? 0o700 : 0o600 });
  }
  if (record.launch.number > 0 && resume?.fork === false) await carryQuestions({ from: record.launch.dir, to: dir });
  // An agent that chooses the id itself reports it later.
  const { agentSessionId = '' } = plan;
  const traces = agent.traces({ cwd: record.projectPath, agentSessionId, env: plan.env });
  return {
    record: {
      number,
      dir,
      command: order.command,
      agentSessionId,
      transcriptPath:
        resume?.transcriptPath !== undefined && !resume.fork ? resume.transcriptPath : (traces.transcriptPath ?? ''),
      ...defined({ stateDir: traces.stateDir }),
      account: accountKey(agent, spec.env),
      skipPermissions: order.skipPermissions,
      ...sandboxRecord(order, holes),
      startedAt: context.clock.now(),
      withPrompt: order.prompt !== undefined && agent.takes.has('prompt'),
    },
    open: {
      session: record.crew,
      cwd: record.projectPath,
      argv: plan.argv,
      env: plan.env,
      label: labelOf(record, 'starting'),
      marks: {
        worker: record.id,
        project: projectOf(record),
        agent: agent.type,
        ...defined({ agent_session: agentSessionId || undefined }),
      },
    },
  };
}

async function specOf(context: CrewContext, order: LaunchOrder, launchDir: string): Promise<Omit<LaunchSpec, 'rules'>> {
  const { record, agent, own, resume, prompt } = order;
  const git = await gitOf(context, record);
  const env = environmentFor(context, record, { ...passedEnv(context, agent), ...own.env });
  const sandbox = order.sandbox.isOn ? await sandboxed(context, record, { agent, env, git }) : undefined;
  return {
    workerId: record.id,
    name: record.name,
    cwd: record.projectPath,
    launchDir,
    signalsPath: signalsPath(launchDir),
    command: order.command,
    program: context.program,
    agentSessionId: order.freshId ?? newUuid(),
    skipPermissions: order.skipPermissions,
    tripwire: tripwireWords,
    env,
    // An adopted agent whose mode nobody knows comes back in its default mode, the careful one.
    ...defined({ permissionMode: record.permissionMode === 'unknown' ? undefined : record.permissionMode }),
    ...defined({ git, sandbox, resume, prompt, model: record.model, mcpServers: own.mcpServers, tools: own.tools }),
    ...defined({ status: await statusOf(agent, { cwd: record.projectPath, env, launchDir }) }),
    ...(agent.takes.has('appendSystemPrompt') &&
      (await instructionsAndTools(context, record, {
        branches: sandbox?.walls?.branches,
        ofRole: own.standingPrompt,
        ofUser: own.appendSystemPrompt,
      }))),
  };
}

/** Undefined where a file is there that cannot be read. */
async function statusOf(
  { statusLine }: Agent,
  { launchDir, ...at }: { readonly cwd: string; readonly env: LaunchSpec['env']; readonly launchDir: string },
): Promise<LaunchSpec['status']> {
  if (statusLine === undefined) return undefined;
  const { user, project, local } = statusLine.filesFor(at);
  const [ofUser, ofProject, ofLocal] = [
    await unlessMissing(readFile(user, 'utf8')).then(
      (text) => text ?? '',
      () => undefined,
    ),
    ...[project, local].map((path) => {
      const { held } = readPlainFile(at.cwd, path);
      return held.is === 'read' ? held.text : held.is === 'missing' ? '' : undefined;
    }),
  ];
  if (ofUser === undefined || ofProject === undefined || ofLocal === undefined) return undefined;
  return { path: statusLinePath(launchDir), user: ofUser, project: ofProject, local: ofLocal };
}

async function sandboxed(
  context: CrewContext,
  record: WorkerRecord,
  at: Parameters<typeof sandboxOf>[2],
): Promise<LaunchSpec['sandbox']> {
  const [sandbox, { leftOut, holes }] = await Promise.all([
    sandboxOf(context, record, at),
    launchStand(context, context.roster.record(record.id), at.agent),
  ]);
  return { ...sandbox, ...defined({ leftOut }), holes: [...sandbox.holes, ...holes] };
}

/** Throws where the agent does not keep to a rule that denies something. */
async function launchRules(context: CrewContext, order: LaunchOrder): Promise<Rules> {
  const { record, agent, skipPermissions: skips } = order;
  const now = context.roster.record(record.id);
  const presetUse = presetUseOf({ isSandboxed: order.sandbox.isOn, skips });
  const rules = await rulesOfWorker(context, { ...ruledAs(now), presetUse });
  refuseUndeniable(agent, rules, { skips, hasWorktree: now.worktreePath !== undefined });
  return rules;
}

/** The server's variables that a configured agent names, its keys above all. */
const passedEnv = (
  { environment: { server: env } }: CrewContext,
  { passesEnv }: Agent,
): Readonly<Record<string, string>> =>
  Object.fromEntries(passesEnv.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));

/** Git's folders for the place where the worker works now; undefined outside a repository. */
async function gitOf(
  context: CrewContext,
  { projectPath: path, worktreePath, worktreeGitDir: gitDir }: WorkerRecord,
): Promise<LaunchSpec['git']> {
  // Git is asked, and refuses, where the worktree is tied to another place than at its making.
  if (worktreePath !== undefined && gitDir !== undefined && movedLink(worktreePath) === undefined)
    return { gitDir, commonDir: dirname(dirname(gitDir)) };
  const folder = await inspectFolder({ path, env: context.environment.git });
  return folder && { gitDir: folder.gitDir, commonDir: folder.gitCommonDir };
}

/** The command of an agent in a project; throws as `findCommand`. */
export const commandIn = (
  { environment }: CrewContext,
  agent: AgentType,
  { settings, projectPath }: { readonly settings: Settings; readonly projectPath: string },
): Promise<readonly string[]> =>
  findCommand(commandOf(settings, agent) ?? [], { agent, path: environment.git.PATH ?? '', cwd: projectPath });

/** Finds the program as a shell would; throws `agent_missing`, before anybody makes a pane for it. */
export async function findCommand(
  command: readonly string[],
  at: { readonly agent: AgentType; readonly path: string; readonly cwd: string },
): Promise<readonly string[]> {
  const [program = '', ...args] = command;
  const found = await findProgram(program, at);
  if (found !== undefined) return [found, ...args];
  throw new CrewError(
    'agent_missing',
    program.includes('/')
      ? `${resolve(at.cwd, program)} is no program that can be run.`
      : `There is no program "${program}" in the PATH of this server.`,
    isBuiltIn(at.agent)
      ? `Install it, or set commands in the configuration (crewmux config set commands.${at.agent} /path/to/${at.agent}).`
      : `Install it, or mend agents.${at.agent}.command in the configuration.`,
  );
}
