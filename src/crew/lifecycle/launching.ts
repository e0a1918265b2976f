// Starts an agent in a pane: launch files, then the pane, then the record of it.
import { writeFile } from 'node:fs/promises';
import type { Agent, LaunchSpec } from '../../agents/agent.ts';
import type { OpenRequest, PaneInfo } from '../../backends/terminal.ts';
import { refuseOptions } from '../../model/arg-word.ts';
import { newUuid } from '../../model/ids.ts';
import type { Rules } from '../../model/rule.ts';
import type { LaunchRecord, PaneRecord, WorkerRecord } from '../../model/worker.ts';
import { tripwireWords } from '../../permissions/tripwire.ts';
import { inspectFolder } from '../../worktree/inspect.ts';
import { refuseUndeniable, ruledAs, rulesOfWorker } from '../attention/permissions.ts';
import { giveRules } from '../attention/rule-file.ts';
import { signalsPathOf } from '../workers/following.ts';
import { environmentFor, keepOwnPart, type OwnPart } from '../workers/own-part.ts';
import { labelOf } from '../workers/publish.ts';
import type { CrewContext } from '../workers/roster.ts';
import { ownTools } from './own-tools.ts';
import { standingInstructions } from './standing.ts';
import { sandboxOf } from './worker-sandbox.ts';

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
export async function prepareLaunch(context: CrewContext, order: LaunchOrder): Promise<Launch> {
  const { record, agent, own, resume } = order;
  refuseOptions({ 'The conversation to go on with': resume?.agentSessionId, 'The model': record.model });
  const dir = await context.home.launchDir(record.id, order.number);
  const rules = await launchRules(context, order);
  const plan = agent.launch({ ...(await specOf(context, order, dir)), rules });
  await keepOwnPart({ dir }, own);
  await giveRules(context, { record: context.roster.record(record.id), agent, launchDir: dir }, rules);
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
      startedAt: context.clock.now(),
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

async function specOf(context: CrewContext, order: LaunchOrder, launchDir: string): Promise<Omit<LaunchSpec, 'rules'>> {
  const { record, agent, own, resume, git } = order;
  const env = environmentFor(context, record, { ...passedEnv(context, agent), ...own.env });
  const sandbox = order.isSandboxed ? await sandboxOf(context, record, { agent, env, git }) : undefined;
  return {
    workerId: record.id,
    name: record.name,
    cwd: record.projectPath,
    launchDir,
    signalsPath: signalsPathOf({ dir: launchDir }),
    command: order.command,
    program: context.program,
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
    ...(agent.takes.has('appendSystemPrompt') ? await givenBy(context, order) : {}),
    ...(own.mcpServers === undefined ? {} : { mcpServers: own.mcpServers }),
  };
}

/** Throws where its agent cannot be held to what is denied. */
async function launchRules(context: CrewContext, { record, agent, skipPermissions }: LaunchOrder): Promise<Rules> {
  const now = context.roster.record(record.id);
  const rules = await rulesOfWorker(context, ruledAs(now));
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
const passedEnv = ({ serverEnv: env }: CrewContext, { passesEnv }: Agent): Readonly<Record<string, string>> =>
  Object.fromEntries(passesEnv.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));

/** Tools and words of ours; what the user adds stands last, and so may say otherwise. */
async function givenBy(context: CrewContext, { record, own, number }: LaunchOrder) {
  const { settings } = context.settingsFor(record.mainRepoPath ?? record.projectPath);
  const tools = await ownTools(context, record, number);
  const standing = standingInstructions({ record, hasTools: tools !== undefined });
  const parts = [settings.defaults.standing_instructions ? standing : '', own.appendSystemPrompt ?? ''];
  const told = parts.filter((part) => part !== '').join('\n\n');
  return {
    ...(told === '' ? {} : { appendSystemPrompt: told }),
    ...(tools === undefined ? {} : { ownTools: tools }),
  };
}

/** Git's folders as they are for the place the worker works in now. */
export async function gitOf(context: CrewContext, workerId: string): Promise<Pick<LaunchOrder, 'git'>> {
  const { projectPath: path } = context.roster.record(workerId);
  const folder = await inspectFolder({ path, env: context.env });
  return folder === undefined ? {} : { git: { gitDir: folder.gitDir, commonDir: folder.gitCommonDir } };
}

export const paneRecord = (pane: PaneInfo): PaneRecord => ({
  socket: pane.ref.socket,
  serverPid: pane.ref.serverPid,
  serverStartedAt: pane.ref.serverStartedAt,
  paneId: pane.ref.id,
  windowId: pane.windowId,
  session: pane.session,
  pid: pane.pid,
});
