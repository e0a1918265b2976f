// Starts an agent in a pane: launch files, then the pane, then the record of it.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Agent, LaunchSpec } from '../../agents/agent.ts';
import type { OpenRequest, PaneInfo } from '../../backends/terminal.ts';
import { refuseOptions } from '../../model/arg-word.ts';
import { newUuid } from '../../model/ids.ts';
import type { Rules } from '../../model/rule.ts';
import type { LaunchRecord, PaneRecord, WorkerRecord } from '../../model/worker.ts';
import { tripwireWords } from '../../permissions/tripwire.ts';
import { readJson, writeJson } from '../../system/atomic.ts';
import { inspectFolder } from '../../worktree/inspect.ts';
import { refuseUndeniable, ruledAs, rulesOfWorker } from '../attention/permissions.ts';
import { giveRules } from '../attention/rule-file.ts';
import { environmentOf } from '../environments.ts';
import type { House } from '../house.ts';
import { signalsPathOf } from '../watching/following.ts';
import { labelOf } from '../watching/publish.ts';
import { ownTools } from './own-tools.ts';
import { standingInstructions } from './standing.ts';
import { sandboxOf } from './worker-sandbox.ts';

/** What a launch needs beyond the record, and what a restart needs again. May hold secrets, so it stays out of the log. */
const ownPart = z.object({
  v: z.literal(1),
  env: z.record(z.string(), z.string()),
  mcpServers: z.record(z.string(), z.unknown()).exactOptional(),
  appendSystemPrompt: z.string().exactOptional(),
  /** What was asked of the sandbox for this worker. */
  sandbox: z.boolean().exactOptional(),
});
export type OwnPart = Omit<z.output<typeof ownPart>, 'v'>;

export interface LaunchOrder {
  readonly record: WorkerRecord;
  readonly number: number;
  readonly agent: Agent;
  readonly command: readonly string[];
  readonly skipPermissions: boolean;
  readonly own: OwnPart;
  readonly prompt: string | undefined;
  /** Its commands run in its agent's own sandbox. */
  readonly isSandboxed: boolean;
  /** Git's own folders for the worker's, where it is in a repository. */
  readonly git?: { readonly gitDir: string; readonly commonDir: string };
  readonly resume:
    | { readonly agentSessionId: string; readonly fork: boolean; readonly transcriptPath?: string }
    | undefined;
}

export interface Launch {
  readonly record: LaunchRecord;
  readonly open: Omit<OpenRequest, 'placement'>;
}

/**
 * Writes the launch's files and says what the pane is to run. The folder is the only thing made. What others wrote of
 * an agent, and would be an option on its command line, throws `invalid_argument` before.
 */
export async function prepareLaunch(house: House, order: LaunchOrder): Promise<Launch> {
  const { record, agent, own, resume } = order;
  refuseOptions({ 'The conversation to go on with': resume?.agentSessionId, 'The model': record.model });
  const dir = await house.home.launchDir(record.id, order.number);
  const rules = await launchRules(house, order);
  const plan = agent.launch({ ...(await specOf(house, order, dir)), rules });
  await keepOwnPart({ dir }, own);
  await giveRules(house, { record: house.roster.record(record.id), agent, launchDir: dir }, rules);
  for (const file of plan.files) await writeFile(file.path, file.content, { mode: 0o600 });
  // Unknown until the agent tells, where it chooses the id itself.
  const { agentSessionId = '' } = plan;
  const traces = agent.traces({ cwd: record.projectPath, agentSessionId, env: plan.env });
  return {
    record: {
      number: order.number,
      dir,
      command: order.command,
      agentSessionId,
      transcriptPath:
        resume?.transcriptPath !== undefined && !resume.fork ? resume.transcriptPath : (traces.transcriptPath ?? ''),
      ...(traces.stateDir === undefined ? {} : { stateDir: traces.stateDir }),
      skipPermissions: order.skipPermissions,
      sandbox: order.isSandboxed ? 'on' : 'off',
      startedAt: house.clock.now(),
      withPrompt: order.prompt !== undefined && agent.takes.has('prompt'),
    },
    open: {
      session: record.crew,
      cwd: record.projectPath,
      argv: plan.argv,
      env: plan.env,
      label: labelOf(record, 'starting'),
      marks: marksOf({ workerId: record.id, agentType: agent.type, agentSessionId }),
    },
  };
}

async function specOf(house: House, order: LaunchOrder, launchDir: string): Promise<Omit<LaunchSpec, 'rules'>> {
  const { record, agent, own, resume, git } = order;
  const env = environmentFor(house, record, { ...passedEnv(house, agent), ...own.env });
  const sandbox = order.isSandboxed ? await sandboxOf(house, record, { agent, env, git }) : undefined;
  return {
    workerId: record.id,
    name: record.name,
    cwd: record.projectPath,
    launchDir,
    signalsPath: signalsPathOf({ dir: launchDir }),
    command: order.command,
    program: house.program,
    agentSessionId: newUuid(),
    skipPermissions: order.skipPermissions,
    tripwire: tripwireWords,
    env,
    // How an adopted agent was started may not be known; it comes back as the careful default has it.
    ...(record.permissionMode === 'unknown' ? {} : { permissionMode: record.permissionMode }),
    ...(git === undefined ? {} : { git }),
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(resume === undefined ? {} : { resume }),
    ...(order.prompt === undefined ? {} : { prompt: order.prompt }),
    ...(record.model === undefined ? {} : { model: record.model }),
    ...(agent.takes.has('append_system_prompt') ? await givenBy(house, order) : {}),
    ...(own.mcpServers === undefined ? {} : { mcpServers: own.mcpServers }),
  };
}

/** Throws where its agent cannot be held to what is denied. */
async function launchRules(house: House, { record, agent, skipPermissions }: LaunchOrder): Promise<Rules> {
  const now = house.roster.record(record.id);
  const rules = await rulesOfWorker(house, ruledAs(now));
  refuseUndeniable(agent, rules, { skips: skipPermissions, hasWorktree: now.worktreePath !== undefined });
  return rules;
}

const marksOf = (agent: {
  readonly workerId: string;
  readonly agentType: string;
  readonly agentSessionId: string;
}) => ({
  worker: agent.workerId,
  agent: agent.agentType,
  ...(agent.agentSessionId === '' ? {} : { agent_session: agent.agentSessionId }),
});

/** What a configured agent needs besides: its keys, above all. */
const passedEnv = ({ serverEnv: env }: House, { passesEnv }: Agent): Readonly<Record<string, string>> =>
  Object.fromEntries(passesEnv.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));

/** Tools and words of ours; what the user adds stands last, and so may say otherwise. */
async function givenBy(house: House, { record, own, number }: LaunchOrder) {
  const { settings } = house.settingsFor(record.mainRepoPath ?? record.projectPath);
  const tools = await ownTools(house, record, number);
  const standing = standingInstructions({ record, hasTools: tools !== undefined });
  const parts = [settings.defaults.standing_instructions ? standing : '', own.appendSystemPrompt ?? ''];
  const told = parts.filter((part) => part !== '').join('\n\n');
  return {
    ...(told === '' ? {} : { appendSystemPrompt: told }),
    ...(tools === undefined ? {} : { ownTools: tools }),
  };
}

/** Git's folders as they are for the place the worker works in now. */
export async function gitOf(house: House, workerId: string): Promise<Pick<LaunchOrder, 'git'>> {
  const { projectPath: path } = house.roster.record(workerId);
  const folder = await inspectFolder({ path, env: house.env });
  return folder === undefined ? {} : { git: { gitDir: folder.gitDir, commonDir: folder.gitCommonDir } };
}

/** Keeps the private part of a launch for the next one. */
export const keepOwnPart = ({ dir }: Pick<LaunchRecord, 'dir'>, own: OwnPart): Promise<void> =>
  writeJson(join(dir, 'own.json'), { v: 1, ...own });

/** The private part of an earlier launch; empty when it is gone. */
export async function ownPartOf(house: House, launch: LaunchRecord): Promise<OwnPart> {
  await mkdir(launch.dir, { recursive: true, mode: 0o700 });
  const found = await readJson(join(launch.dir, 'own.json'), ownPart, (message) => house.logger.write('warn', message));
  return found ?? { env: {} };
}

/** The environment in which the agent of a launch runs, or other programs of that agent for it. */
export const agentEnvironment = async (house: House, record: WorkerRecord): Promise<Readonly<Record<string, string>>> =>
  environmentFor(house, record, (await ownPartOf(house, record.launch)).env);

const environmentFor = (
  house: House,
  { agentType, mainRepoPath, projectPath }: WorkerRecord,
  own: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  environmentOf(house, { agentType, projectPath: mainRepoPath ?? projectPath, own });

export const paneRecord = (pane: PaneInfo): PaneRecord => ({
  socket: pane.ref.socket,
  serverPid: pane.ref.serverPid,
  serverStartedAt: pane.ref.serverStartedAt,
  paneId: pane.ref.id,
  windowId: pane.windowId,
  session: pane.session,
  pid: pane.pid,
});
