// Brings ended workers back: same worktree, same conversation.

import { refuseOptions } from '../../model/arg-word.ts';
import { asCrewError, CrewError } from '../../model/errors.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { exists } from '../../system/disk.ts';
import { endProcesses, processTree } from '../../system/process.ts';
import type { SpawnFailure, SpawnResult } from '../../wire/starting.ts';
import { inspectFolder } from '../../worktree/inspect.ts';
import { readdWorktree } from '../../worktree/making/add.ts';
import { holdsFiles } from '../../worktree/salvage/salvage-commit.ts';
import { listSalvages } from '../../worktree/salvage/salvages.ts';
import { knownSalvages } from '../landing/restore.ts';
import { holdingTree } from '../landing/worktrees.ts';
import type { Run } from '../orders.ts';
import { agentEnvironment, ownPartOf } from '../workers/own-part.ts';
import { type CrewContext, paneRef } from '../workers/roster.ts';
import { findCommand } from './draft.ts';
import { gitOf, type Launch, paneRecord, prepareLaunch } from './launching.ts';
import { nameOfReturned } from './names.ts';
import { spawnResult } from './spawn.ts';
import { hasCrashed, startedOrDead, startTrouble } from './started.ts';
import { chooseSandbox } from './worker-sandbox.ts';

const wrapperGraceMs = 1_500;

type Restarted =
  | { readonly record: WorkerRecord; readonly warnings: readonly string[] }
  | { readonly failure: SpawnFailure };

export async function restartWorkers(context: CrewContext, ids: readonly string[], run: Run): Promise<SpawnResult> {
  const records = ids.map((id) => context.roster.present(context.roster.resolve(id)));
  const restarted = await Promise.all(records.map((record) => restartOne(context, record, run)));
  return spawnResult(context, restarted, 'auto');
}

async function restartOne(context: CrewContext, record: WorkerRecord, run: Run): Promise<Restarted> {
  const at = { step: 'check' };
  try {
    const again = async () => {
      await context.log.catchUp();
      return restart(context, context.roster.record(record.id), at);
    };
    const { worktreePath } = record;
    // Nobody of ours removes the worktree meanwhile.
    const warnings = await (worktreePath === undefined ? again() : holdingTree(context, worktreePath, again));
    run.tell(`${record.name} is back`);
    return { record: context.roster.record(record.id), warnings };
  } catch (thrown) {
    const { code, message, hint } = asCrewError(thrown);
    return { failure: { name: record.name, step: at.step, error: `${code}: ${message}`, hint } };
  }
}

async function restart(context: CrewContext, record: WorkerRecord, at: { step: string }): Promise<readonly string[]> {
  refuseIfAlive(context, record);
  refuseOptions({ 'The conversation to go on with': record.launch.agentSessionId });
  const command = await findCommand(record.launch.command, {
    agent: record.agentType,
    path: context.env.PATH ?? '',
    cwd: '/',
  });
  at.step = 'worktree';
  const broughtBack = await bringBackWorktree(context, record);
  await mustExist(record.projectPath, record);
  const agent = context.agentOf(record);
  const hasConversation = agent.keepsTranscript
    ? await exists(record.launch.transcriptPath)
    : agent.takes.has('resume');
  const name = nameOfReturned(context, record);
  const begin = () => begun(context, { before: record, name, command, hasConversation, broughtBack }, at);
  let trouble = await begin();
  if (hasCrashed(trouble)) trouble = await begin();
  if (trouble !== undefined) throw trouble;
  const now = context.roster.record(record.id);
  const saved = broughtBack ? await savedWork(context, now) : [];
  const renamed = name === record.name ? [] : [`${record.name} is ${name} now: another live worker has that name.`];
  if (hasConversation) return [...renamed, ...saved];
  const why = agent.keepsTranscript ? 'had no conversation yet' : `is a ${agent.type} worker without resume_args`;
  return [...renamed, ...saved, `${name} ${why}, so it begins a new one.`];
}

interface Beginning {
  /** As it was when it had ended. */
  readonly before: WorkerRecord;
  readonly name: string;
  readonly command: readonly string[];
  readonly hasConversation: boolean;
  readonly broughtBack: boolean;
}

/** Undefined once it has started, or stands before something that can be named. */
async function begun(
  context: CrewContext,
  { before, name, command, hasConversation, broughtBack }: Beginning,
  at: { step: string },
): Promise<CrewError | undefined> {
  at.step = 'launch files';
  const record = { ...context.roster.record(before.id), name };
  const { transcriptPath, agentSessionId, skipPermissions } = before.launch;
  const agent = context.agentOf(record);
  const own = await ownPartOf(context, before.launch);
  const { settings } = context.settingsFor(record.mainRepoPath ?? record.projectPath);
  const env = await agentEnvironment(context, before);
  const sandbox = await chooseSandbox({ agent, command, settings, asked: own.sandbox, env });
  const launch = await prepareLaunch(context, {
    record,
    number: record.launch.number + 1,
    agent,
    command,
    skipPermissions,
    own,
    isSandboxed: sandbox.isOn,
    ...(await gitOf(context, record.id)),
    prompt: undefined,
    resume: hasConversation ? { agentSessionId, fork: false, transcriptPath } : undefined,
  });
  at.step = 'pane';
  const pane = await openAgain(context, record, launch);
  at.step = 'record';
  const set = {
    name,
    phase: 'live' as const,
    launch: launch.record,
    pane: paneRecord(pane),
    manager: context.me,
    restarts: before.restarts + 1,
    source: 'restarted' as const,
    endedAt: null,
    ...(broughtBack ? { ownsWorktree: true } : {}),
    endDetail: null,
  };
  await context.log.append([
    { type: 'worker_restarted', workerId: record.id, data: { resumed: hasConversation }, set },
  ]);
  at.step = 'start';
  const now = context.roster.record(record.id);
  return startTrouble(context, now, await startedOrDead(context, now));
}

/** Its branch has what it committed; the rest lies where it was saved. */
async function savedWork(context: CrewContext, { id, name, mainRepoPath }: WorkerRecord): Promise<readonly string[]> {
  const repo = mainRepoPath && (await inspectFolder({ path: mainRepoPath, env: context.env }));
  const all = repo ? await listSalvages(repo) : [];
  const isOurs = await knownSalvages(context);
  const newest = all.find((one) => one.manifest.worker_id === id && holdsFiles(one.manifest) && isOurs(one));
  if (newest === undefined) return [];
  return [
    `${name} has its commits; what it had not committed was saved, and restore_work brings it back: ${newest.id}`,
  ];
}

function refuseIfAlive(context: CrewContext, record: WorkerRecord): void {
  const gone = context.roster.turn(record.id)?.is === 'gone';
  if (record.phase === 'dead' || record.phase === 'closed' || gone) return;
  throw new CrewError(
    'worker_busy',
    `${record.name} is alive: a second agent on the same conversation would damage it.`,
    'Message it, or close it first.',
  );
}

/** A closed worker's clean worktree was removed; its branch was kept, and everything is on it. */
async function bringBackWorktree(context: CrewContext, record: WorkerRecord): Promise<boolean> {
  const { worktreePath: path, branch, mainRepoPath } = record;
  if (path === undefined || branch === undefined || mainRepoPath === undefined || (await exists(path))) return false;
  const folder = await inspectFolder({ path: mainRepoPath, env: context.env });
  if (folder === undefined) return false;
  await readdWorktree(folder, { path, branch });
  return true;
}

/** In its dead pane where that still stands, else in a new one; a pane of ours in which only a wrapper is left goes. */
async function openAgain(context: CrewContext, record: WorkerRecord, launch: Launch) {
  if (record.pane !== undefined) {
    const ref = paneRef(record.pane);
    const pane = (await context.terminal.list()).find(
      (one) => one.ref.id === ref.id && one.ref.serverPid === ref.serverPid,
    );
    const isOurs = pane?.marks.worker === record.id;
    if (pane?.dead && isOurs) return context.terminal.respawn(ref, launch.open);
    if (pane !== undefined && isOurs) {
      await endProcesses(await processTree(pane.pid), { graceMs: wrapperGraceMs });
      await context.terminal.close(ref);
    }
  }
  return context.terminal.open({ ...launch.open, placement: 'fill' });
}

async function mustExist(path: string, record: WorkerRecord): Promise<void> {
  if (await exists(path)) return;
  throw new CrewError(
    'worktree_failed',
    `The folder ${record.name} worked in is gone: ${path}.`,
    record.branch === undefined
      ? 'Spawn a new worker in the project.'
      : `Spawn a new worker with worktree {"branch": ${JSON.stringify(record.branch)}} and resume ${JSON.stringify(record.id)}.`,
  );
}
