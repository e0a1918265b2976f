// Brings ended workers back: same worktree, same conversation.
import { access } from 'node:fs/promises';
import { refuseOptions } from '../../model/arg-word.ts';
import { asCrewError, CrewError } from '../../model/errors.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { endProcesses, processTree } from '../../system/process.ts';
import { inspectFolder } from '../../worktree/inspect.ts';
import { readdWorktree } from '../../worktree/making/add.ts';
import { holdsFiles } from '../../worktree/salvage/salvage-commit.ts';
import { listSalvages } from '../../worktree/salvage/salvages.ts';
import type { CallContext, SpawnFailure, SpawnResult } from '../api.ts';
import type { House } from '../house.ts';
import { knownSalvages } from '../trees/salvaged.ts';
import { holdingTree } from '../trees/tree-lock.ts';
import { paneRef } from '../watching/roster.ts';
import { findCommand } from './draft.ts';
import { agentEnvironment, gitOf, type Launch, ownPartOf, paneRecord, prepareLaunch } from './launching.ts';
import { nameOfReturned } from './names.ts';
import { spawnResult } from './spawn.ts';
import { hasCrashed, startedOrDead, startTrouble } from './started.ts';
import { chooseSandbox } from './worker-sandbox.ts';

const wrapperGraceMs = 1_500;

type Restarted =
  | { readonly record: WorkerRecord; readonly warnings: readonly string[] }
  | { readonly failure: SpawnFailure };

export async function restartWorkers(house: House, ids: readonly string[], call: CallContext): Promise<SpawnResult> {
  const records = ids.map((id) => house.roster.present(house.roster.resolve(id)));
  const restarted = await Promise.all(records.map((record) => restartOne(house, record, call)));
  return spawnResult(house, restarted, 'auto');
}

async function restartOne(house: House, record: WorkerRecord, call: CallContext): Promise<Restarted> {
  const at = { step: 'check' };
  try {
    const again = async () => {
      await house.log.catchUp();
      return restart(house, house.roster.record(record.id), at);
    };
    const { worktreePath } = record;
    // Nobody of ours removes the worktree meanwhile.
    const warnings = await (worktreePath === undefined ? again() : holdingTree(house, worktreePath, again));
    call.progress(`${record.name} is back`);
    return { record: house.roster.record(record.id), warnings };
  } catch (thrown) {
    const { code, message, hint } = asCrewError(thrown);
    return { failure: { name: record.name, step: at.step, error: `${code}: ${message}`, hint } };
  }
}

async function restart(house: House, record: WorkerRecord, at: { step: string }): Promise<readonly string[]> {
  refuseIfAlive(house, record);
  refuseOptions({ 'The conversation to go on with': record.launch.agentSessionId });
  const command = await findCommand(record.launch.command, {
    agent: record.agentType,
    path: house.env.PATH ?? '',
    cwd: '/',
  });
  at.step = 'worktree';
  const broughtBack = await bringBackWorktree(house, record);
  await mustExist(record.projectPath, record);
  const agent = house.agentOf(record);
  const hasConversation = agent.screenOnly?.takes.resume ?? (await exists(record.launch.transcriptPath));
  const name = nameOfReturned(house, record);
  const begin = () => begun(house, { before: record, name, command, hasConversation, broughtBack }, at);
  let trouble = await begin();
  if (hasCrashed(trouble)) trouble = await begin();
  if (trouble !== undefined) throw trouble;
  const now = house.roster.record(record.id);
  const saved = broughtBack ? await savedWork(house, now) : [];
  const renamed = name === record.name ? [] : [`${record.name} is ${name} now: another live worker has that name.`];
  if (hasConversation) return [...renamed, ...saved];
  const why =
    agent.screenOnly === undefined ? 'had no conversation yet' : `is a ${agent.type} worker without resume_args`;
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
  house: House,
  { before, name, command, hasConversation, broughtBack }: Beginning,
  at: { step: string },
): Promise<CrewError | undefined> {
  at.step = 'launch files';
  const record = { ...house.roster.record(before.id), name };
  const { transcriptPath, agentSessionId, skipPermissions } = before.launch;
  const agent = house.agentOf(record);
  const own = await ownPartOf(house, before.launch);
  const { settings } = house.settingsFor(record.mainRepoPath ?? record.projectPath);
  const env = await agentEnvironment(house, before);
  const sandbox = await chooseSandbox({ agent, command, settings, asked: own.sandbox, env });
  const launch = await prepareLaunch(house, {
    record,
    number: record.launch.number + 1,
    agent,
    command,
    skipPermissions,
    own,
    isSandboxed: sandbox.isOn,
    ...(await gitOf(house, record.id)),
    prompt: undefined,
    resume: hasConversation ? { agentSessionId, fork: false, transcriptPath } : undefined,
  });
  at.step = 'pane';
  const pane = await openAgain(house, record, launch);
  at.step = 'record';
  const set = {
    name,
    phase: 'live' as const,
    launch: launch.record,
    pane: paneRecord(pane),
    manager: house.me,
    restarts: before.restarts + 1,
    source: 'restarted' as const,
    endedAt: null,
    ...(broughtBack ? { ownsWorktree: true } : {}),
    endDetail: null,
  };
  await house.log.append([{ type: 'worker_restarted', workerId: record.id, data: { resumed: hasConversation }, set }]);
  at.step = 'start';
  const now = house.roster.record(record.id);
  return startTrouble(house, now, await startedOrDead(house, now));
}

/** Its branch has what it committed; the rest lies where it was saved. */
async function savedWork(house: House, { id, name, mainRepoPath }: WorkerRecord): Promise<readonly string[]> {
  const repo = mainRepoPath && (await inspectFolder({ path: mainRepoPath, env: house.env }));
  const all = repo ? await listSalvages(repo) : [];
  const isOurs = await knownSalvages(house);
  const newest = all.find((one) => one.manifest.worker_id === id && holdsFiles(one.manifest) && isOurs(one));
  if (newest === undefined) return [];
  return [
    `${name} has its commits; what it had not committed was saved, and restore_work brings it back: ${newest.id}`,
  ];
}

function refuseIfAlive(house: House, record: WorkerRecord): void {
  const gone = house.roster.turn(record.id)?.is === 'gone';
  if (record.phase === 'dead' || record.phase === 'closed' || gone) return;
  throw new CrewError(
    'worker_busy',
    `${record.name} is alive: a second agent on the same conversation would damage it.`,
    'Message it, or close it first.',
  );
}

/** A closed worker's clean worktree was removed; its branch was kept, and everything is on it. */
async function bringBackWorktree(house: House, record: WorkerRecord): Promise<boolean> {
  const { worktreePath: path, branch, mainRepoPath } = record;
  if (path === undefined || branch === undefined || mainRepoPath === undefined || (await exists(path))) return false;
  const folder = await inspectFolder({ path: mainRepoPath, env: house.env });
  if (folder === undefined) return false;
  await readdWorktree(folder, { path, branch });
  return true;
}

/** In its dead pane where that still stands, else in a new one; a pane of ours in which only a wrapper is left goes. */
async function openAgain(house: House, record: WorkerRecord, launch: Launch) {
  if (record.pane !== undefined) {
    const ref = paneRef(record.pane);
    const pane = (await house.terminal.list()).find(
      (one) => one.ref.id === ref.id && one.ref.serverPid === ref.serverPid,
    );
    const isOurs = pane?.marks.worker === record.id;
    if (pane?.dead && isOurs) return house.terminal.respawn(ref, launch.open);
    if (pane !== undefined && isOurs) {
      await endProcesses(await processTree(pane.pid), { graceMs: wrapperGraceMs });
      await house.terminal.close(ref);
    }
  }
  return house.terminal.open({ ...launch.open, placement: 'fill' });
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

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
