// Brings ended workers back: same worktree, same conversation.
import { refuseOptions } from '../../model/arg-word.ts';
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { exists } from '../../system/disk.ts';
import type { SpawnResult } from '../../wire/starting.ts';
import { ruledAs, startModeOf } from '../attention/permissions.ts';
import type { Run } from '../orders.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { agentEnvironment, privateOptionsOf } from '../workers/private-options.ts';
import { transcriptOf } from '../workers/transcript.ts';
import { holdingTree } from '../workers/trees.ts';
import { findCommand, type LaunchOrder } from './launch.ts';
import { nameOfReturned, portsFor } from './names.ts';
import { projectFilesNamed } from './project-files.ts';
import { changedRole } from './role-order.ts';
import { holesNamed } from './sandbox-holes.ts';
import { failureOf, type Spawned, spawnResult } from './spawn.ts';
import { startAgent } from './start-agent.ts';
import { chooseSandbox } from './worker-sandbox.ts';
import { bringBackWorktree, fixBaseAgain, mustHaveFolder, savedWork } from './worker-worktree.ts';

export async function restartWorkers(context: CrewContext, ids: readonly string[], run: Run): Promise<SpawnResult> {
  const records = ids.map((id) => context.roster.present(context.roster.resolve(id)));
  const restarted = await Promise.all(records.map((record) => restartOne(context, record, run)));
  return spawnResult(context, restarted, { layout: 'auto' });
}

async function restartOne(context: CrewContext, record: WorkerRecord, run: Run): Promise<Spawned> {
  const at = { step: 'check' };
  try {
    const again = async () => {
      await context.log.catchUp();
      return restart(context, context.roster.record(record.id), { at, run });
    };
    const { worktreePath } = record;
    // The lock keeps everybody from removing the worktree meanwhile.
    const warnings = await (worktreePath === undefined ? again() : holdingTree(context, worktreePath, again));
    run.tell(`${record.name} is back`);
    return { record: context.roster.record(record.id), warnings };
  } catch (thrown) {
    return { failure: failureOf(record.name, at.step, thrown) };
  }
}

async function restart(
  context: CrewContext,
  before: WorkerRecord,
  { at, run }: { readonly at: { step: string }; readonly run: Run },
): Promise<readonly string[]> {
  refuseIfAlive(context, before);
  refuseOptions({ 'The conversation to go on with': before.launch.agentSessionId });
  const { agentType: type, launch } = before;
  const command = await findCommand(launch.command, {
    agent: type,
    path: context.environment.git.PATH ?? '',
    cwd: '/',
  });
  at.step = 'worktree';
  await fixBaseAgain(context, before, run);
  const broughtBack = await bringBackWorktree(context, before);
  await mustHaveFolder(before);
  const agent = context.agents.of(before);
  const resumed = agent.keepsTranscript ? await hasBegun(context, before) : agent.takes.has('resume');
  const name = nameOfReturned(context, before);
  const port = (await portsFor(context, [before])).get(before.id);
  const permissionMode = await modeOf(context, before);
  const set = {
    ...{ name, permissionMode, manager: context.me, restarts: before.restarts + 1, source: 'restarted' as const },
    ...defined({ ownsWorktree: broughtBack || undefined, port }),
  };
  const now = await startAgent(context, {
    ...{ workerId: before.id, at, placement: 'fill' },
    order: (record) =>
      orderOf(context, { before, record: { ...record, name, permissionMode, ...defined({ port }) }, command, resumed }),
    event: () => ({ type: 'worker_restarted', data: { resumed }, set }),
  });
  const open = [...holesNamed(context, now), ...projectFilesNamed(context, now)];
  const saved = [...(broughtBack ? await savedWork(context, now) : []), ...open, ...changedRole(now)];
  const renamed = name === before.name ? [] : [`${before.name} is ${name} now: another live worker has that name.`];
  if (resumed) return [...renamed, ...saved];
  const why = agent.keepsTranscript ? 'had no conversation yet' : `is a ${agent.type} worker without resume_args`;
  return [...renamed, ...saved, `${name} ${why}, so it begins a new one.`];
}

/** Where nobody named it, the rules of now decide. */
async function modeOf(context: CrewContext, before: WorkerRecord): Promise<string> {
  if (before.choosesMode !== true) return before.permissionMode;
  const env = await agentEnvironment(context, before);
  const hasWorktree = before.worktreePath !== undefined;
  return startModeOf(context, context.agents.of(before), { ...ruledAs(before), hasWorktree, env });
}

/** An agent may leave lines in a transcript in which nobody has said anything; it resumes no such conversation. */
async function hasBegun(context: CrewContext, record: WorkerRecord): Promise<boolean> {
  const { messages, forkedFrom } = (await transcriptOf(context, record)).conversation.totals;
  return messages > 0 || forkedFrom !== undefined;
}

interface Returning {
  /** As it was when it had ended. */
  readonly before: WorkerRecord;
  readonly record: WorkerRecord;
  readonly command: readonly string[];
  readonly resumed: boolean;
}

async function orderOf(context: CrewContext, returning: Returning): Promise<LaunchOrder> {
  const { before, record, command, resumed } = returning;
  const { transcriptPath, agentSessionId, skipPermissions } = before.launch;
  const agent = context.agents.of(record);
  const own = await privateOptionsOf(context, before.launch);
  const { settings } = context.settingsFor(record.mainRepoPath ?? record.projectPath);
  const env = await agentEnvironment(context, before);
  const sandbox = await chooseSandbox({ context, agent, command, settings, asked: own.sandbox, env });
  const resume = resumed ? { agentSessionId, fork: false, transcriptPath } : undefined;
  // The id of a conversation is free again where no file has it.
  const isFree = !resumed && agentSessionId !== '' && !(await exists(transcriptPath));
  const freshId = isFree ? agentSessionId : undefined;
  const way = { resume, ...defined({ freshId }) };
  return { record, agent, command, skipPermissions, own, sandbox, prompt: undefined, ...way };
}

function refuseIfAlive(context: CrewContext, record: WorkerRecord): void {
  if (!context.roster.lives(record)) return;
  throw new CrewError(
    'worker_busy',
    `${record.name} is alive: a second agent on the same conversation would damage it.`,
    'Message it, or close it first.',
  );
}
