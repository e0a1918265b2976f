// Spawns a crew: each worker on its own, so that one failure is one worker's.
import { join } from 'node:path';
import type { PaneInfo } from '../../backends/terminal.ts';
import { asCrewError } from '../../model/errors.ts';
import { newNonce } from '../../model/ids.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { exists } from '../../system/disk.ts';
import { withLock } from '../../system/lock.ts';
import { type AddedWorktree, addWorktree } from '../../worktree/making/add.ts';
import { prepareWorktree } from '../../worktree/making/prepare.ts';
import { discardFresh, spawnFailed } from '../../worktree/removal/remove.ts';
import type { Salvage } from '../../worktree/salvage/salvage-commit.ts';
import type { CallContext, SpawnFailure, SpawnResult, WorkerRequest } from '../api.ts';
import type { House } from '../house.ts';
import { skipsPermissions, typeFirstPrompt } from '../screen/screen-only.ts';
import { noteSalvage } from '../trees/salvaged.ts';
import { enterTree } from '../trees/tree-lock.ts';
import { transcriptIn } from '../watching/transcript-place.ts';
import { type Draft, draftWorker, environmentOfDraft, ownPartOf } from './draft.ts';
import { spawnGuidance } from './guidance.ts';
import { gitOf, type Launch, type LaunchOrder, paneRecord, prepareLaunch } from './launching.ts';
import { namesFor } from './names.ts';
import { hasCrashed, startedOrDead, startTrouble } from './started.ts';
import { type Undo, undoStack } from './undo.ts';

export interface SpawnRequest {
  readonly workers: readonly WorkerRequest[];
  /** The configured one unless given. */
  readonly layout?: 'auto' | 'new';
}

const namesTimeoutMs = 30_000;

type Spawned =
  | { readonly record: WorkerRecord; readonly warnings: readonly string[] }
  | { readonly failure: SpawnFailure };

export async function spawnWorkers(house: House, request: SpawnRequest, call: CallContext): Promise<SpawnResult> {
  const layout = request.layout ?? house.settingsFor(house.cwd).settings.defaults.layout;
  const placement = layout === 'auto' ? ('fill' as const) : { batch: newNonce() };
  // Two servers that spawn at once must not choose the same name.
  const drafted = await withLock(house.home.lockPath('names'), () => draftAll(house, request.workers, call), {
    me: house.me,
    timeoutMs: namesTimeoutMs,
  });
  const spawned = await Promise.all(
    drafted.map((one) => ('failure' in one ? one : spawnOne(house, { draft: one, placement }, call))),
  );
  return spawnResult(house, spawned, layout);
}

/** Checks every worker and writes down which ones are to be made, before the world is touched. */
async function draftAll(
  house: House,
  workers: readonly WorkerRequest[],
  call: CallContext,
): Promise<readonly (Draft | { readonly failure: SpawnFailure })[]> {
  await house.log.catchUp();
  const names = namesFor(house, workers);
  const drafted = await Promise.all(
    workers.map(async (request, index) => {
      const name = names[index] ?? newNonce();
      return draftWorker(house, { request, name }, call).catch((thrown: unknown) => ({
        failure: failureOf(name, 'check', thrown),
      }));
    }),
  );
  const drafts = drafted.flatMap((one) => ('failure' in one ? [] : [one]));
  const intents = drafts.map((draft) => ({
    type: 'worker_spawning' as const,
    workerId: draft.id,
    data: { name: draft.name },
    set: firstRecord(house, draft),
  }));
  if (intents.length > 0) await house.log.append(intents);
  return drafted;
}

function failureOf(name: string, step: string, thrown: unknown, left: readonly string[] = []): SpawnFailure {
  const { code, message, hint } = asCrewError(thrown);
  const rest = left.length === 0 ? '' : ` Left as it is: ${left.join('; ')}.`;
  return { name, step, error: `${code}: ${message}`, hint: `${hint}${rest}` };
}

export function spawnResult(house: House, spawned: readonly Spawned[], layout: 'auto' | 'new'): SpawnResult {
  const alive = spawned.flatMap((one) => ('record' in one ? [one] : []));
  const sessions = alive.map(({ record }) => house.roster.view(house.roster.record(record.id)));
  const attention = alive.flatMap(({ record }) => house.roster.attention(house.roster.record(record.id)));
  const problems = alive.flatMap(({ record }) => house.settingsFor(record.mainRepoPath ?? record.projectPath).problems);
  return {
    sessions,
    layout,
    count: sessions.length,
    coordinator_guidance: spawnGuidance(sessions),
    failed: spawned.flatMap((one) => ('failure' in one ? [one.failure] : [])),
    warnings: [
      ...new Set(problems),
      ...alive.flatMap((one) => one.warnings),
      ...attention.map((need) => `${need.title}: ${need.detail.slice(0, 300)}. ${need.answer_with}`),
    ],
  };
}

interface Order {
  readonly draft: Draft;
  readonly placement: 'fill' | { readonly batch: string };
}

async function spawnOne(house: House, { draft, placement }: Order, call: CallContext): Promise<Spawned> {
  const undo = undoStack();
  const at = { step: 'worktree' };
  try {
    const { record, missing } = await build(house, { draft, placement, undo, at });
    call.progress(`${record.name} is up`);
    return { record, warnings: [...draft.warnings, ...missing] };
  } catch (thrown) {
    const failure = failureOf(draft.name, at.step, thrown, await undo.run());
    await noteFailed(house, draft.id, `${failure.step}: ${failure.error}`);
    return { failure };
  }
}

async function noteFailed(house: House, workerId: string, endDetail: string): Promise<void> {
  if (!house.log.records().has(workerId)) return;
  await house.roster.unfollow(workerId);
  const set = { phase: 'closed' as const, endedAt: house.clock.now(), endDetail, pane: null };
  await house.log
    .append([{ type: 'worker_closed', workerId, data: { failed: endDetail }, set }])
    .catch((error: unknown) => house.logger.write('error', 'a failed spawn could not be noted', error));
}

interface Building {
  readonly draft: Draft;
  readonly placement: Order['placement'];
  readonly undo: Undo;
  readonly at: { step: string };
}

async function build(
  house: House,
  { draft, placement, undo, at }: Building,
): Promise<{ record: WorkerRecord; missing: readonly string[] }> {
  const missing = await placeWorker(house, draft, { undo, at });
  at.step = 'launch files';
  const launch = await prepareLaunch(house, await orderOf(house, draft, 1));
  at.step = 'pane';
  const pane = await house.terminal.open({ ...launch.open, placement });
  undo.push('pane', () => house.terminal.close(pane.ref));
  at.step = 'start';
  let trouble = await begun(house, draft, { launch, pane });
  if (hasCrashed(trouble)) {
    const again = await prepareLaunch(house, await orderOf(house, draft, 2));
    trouble = await begun(house, draft, { launch: again, pane: await house.terminal.respawn(pane.ref, again.open) });
  }
  if (trouble !== undefined) throw trouble;
  const untold = await typeFirstPrompt(house, house.roster.record(draft.id), draft);
  return { record: house.roster.record(draft.id), missing: [...missing, ...untold] };
}

const orderOf = async (house: House, draft: Draft, number: number): Promise<LaunchOrder> => ({
  record: house.roster.record(draft.id),
  number,
  agent: draft.agent,
  command: draft.command,
  skipPermissions: skips(draft),
  own: ownPartOf(draft),
  prompt: draft.prompt,
  isSandboxed: draft.isSandboxed,
  resume: await resumed(house, draft),
  ...(await gitOf(house, draft.id)),
});

/** Undefined once it has started, or stands before something that can be named. */
async function begun(house: House, { id, name }: Draft, { launch, pane }: { launch: Launch; pane: PaneInfo }) {
  const set = { phase: 'live' as const, launch: launch.record, pane: paneRecord(pane), endedAt: null, endDetail: null };
  await house.log.append([{ type: 'worker_started', workerId: id, data: { name, pane: pane.ref.id }, set }]);
  const record = house.roster.record(id);
  return startTrouble(house, record, await startedOrDead(house, record));
}

/** An agent that finds its transcript by itself goes by the place it works in now; of another it is the past worker's, or searched for. */
async function resumed(house: House, draft: Draft): Promise<LaunchOrder['resume']> {
  const { resume, agent } = draft;
  if (resume === undefined) return undefined;
  const { past, ...asked } = resume;
  const env = environmentOfDraft(house, draft);
  const traces = agent.traces({ cwd: '/', agentSessionId: asked.agentSessionId, env });
  if (traces.transcriptPath !== undefined) return asked;
  const transcriptPath = past?.launch.transcriptPath || (await transcriptIn(traces));
  return transcriptPath === undefined ? asked : { ...asked, transcriptPath };
}

const skips = ({ agent, request, settings }: Draft): boolean => skipsPermissions(agent, request, settings);

function firstRecord(house: House, draft: Draft): WorkerRecord {
  const { request, settings } = draft;
  const { takes } = draft.agent;
  const model = request.model ?? (takes.has('model') ? settings.defaults.model : undefined);
  return {
    id: draft.id,
    name: draft.name,
    agentType: draft.agent.type,
    phase: 'spawning',
    crew: draft.crew,
    projectPath: draft.projectPath,
    ...(draft.folder === undefined ? {} : { mainRepoPath: draft.folder.mainRepoPath }),
    ownsWorktree: false,
    ...(request.annotation === undefined ? {} : { annotation: request.annotation }),
    ...(request.bead === undefined ? {} : { bead: request.bead }),
    ...(request.role === undefined ? {} : { role: request.role }),
    ...(model === undefined ? {} : { model }),
    permissionMode: skips(draft)
      ? 'bypassPermissions'
      : takes.has('permission_mode')
        ? (request.permission_mode ?? settings.defaults.permission_mode ?? 'manual')
        : 'unknown',
    colour: draft.colour,
    source: 'spawned',
    manager: house.me,
    createdAt: house.clock.now(),
    restarts: 0,
    launch: {
      number: 0,
      dir: join(house.home.root, 'none'),
      command: draft.command,
      agentSessionId: '',
      transcriptPath: '',
      skipPermissions: skips(draft),
      startedAt: house.clock.now(),
      withPrompt: draft.prompt !== undefined,
    },
  };
}

/** Gives the worker its worktree and says so in its record; returns what is worth a warning. */
async function placeWorker(
  house: House,
  draft: Draft,
  { undo, at }: Pick<Building, 'undo' | 'at'>,
): Promise<readonly string[]> {
  const { request, folder, settings } = draft;
  if (!request.use_worktree || folder === undefined) {
    await enterTree(house, draft);
    return [];
  }
  const worktree = await addWorktree({
    folder,
    root: settings.worktrees.dir,
    name: {
      workerName: draft.name,
      workerId: draft.id,
      ...(request.bead === undefined ? {} : { bead: request.bead }),
      ...(request.annotation === undefined ? {} : { annotation: request.annotation }),
    },
    ...(request.worktree?.branch === undefined ? {} : { branch: request.worktree.branch }),
    ...(request.worktree?.base === undefined ? {} : { base: request.worktree.base }),
  });
  const saved = { workerId: draft.id, path: worktree.path, reason: spawnFailed };
  undo.push('worktree', async () => {
    const onSaved = (salvage: Salvage) => noteSalvage(house, { ...saved, salvage });
    const { removed, reason } = await discardFresh({ repo: folder, ...worktree, workerId: draft.id, onSaved });
    if (!removed) throw new Error(reason ?? worktree.path);
  });
  await house.log.append([
    { type: 'worker_spawning', workerId: draft.id, data: { worktree: worktree.path }, set: placeOf(draft, worktree) },
  ]);
  at.step = 'setup';
  const { missing } = await prepareWorktree({
    repo: folder,
    worktreePath: worktree.path,
    copyFiles: [...(await allowances(draft)), ...(request.copy_files ?? settings.worktrees.copy_files)],
    symlinkDirs: request.symlink_dirs ?? settings.worktrees.symlink_dirs,
    setupCommands: request.setup_commands ?? settings.worktrees.setup_commands,
    env: environmentOfDraft(house, draft),
  });
  return missing.map((path) => `${draft.name}: ${path} is not in ${folder.mainRepoPath}, so it was not brought along.`);
}

/** What the user has allowed the agent in this project goes along; without it every worker would ask again. */
async function allowances({ agent, folder }: Draft): Promise<readonly string[]> {
  if (folder === undefined || folder.isBare) return [];
  const there = await Promise.all(agent.localFiles.map((path) => exists(join(folder.mainRepoPath, path))));
  return agent.localFiles.filter((_, index) => there[index]);
}

const placeOf = ({ folder }: Draft, worktree: AddedWorktree) => ({
  projectPath: join(worktree.path, folder?.subfolder ?? ''),
  worktreePath: worktree.path,
  worktreeGitDir: worktree.gitDir,
  ownsWorktree: true,
  ownsBranch: worktree.branchCreated,
  branch: worktree.branch,
  base: worktree.base,
});
