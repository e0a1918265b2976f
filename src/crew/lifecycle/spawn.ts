// Spawns a crew: each worker on its own, so that one failure is one worker's.
import { join } from 'node:path';
import type { PaneInfo } from '../../backends/terminal.ts';
import { defined } from '../../model/defined.ts';
import { asCrewError } from '../../model/errors.ts';
import { newNonce } from '../../model/ids.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { exists } from '../../system/disk.ts';
import { withLock } from '../../system/lock.ts';
import type { SpawnFailure, SpawnResult } from '../../wire/starting.ts';
import { type AddedWorktree, addWorktree } from '../../worktree/making/add.ts';
import { prepareWorktree } from '../../worktree/making/prepare.ts';
import { discardFresh, spawnFailed } from '../../worktree/removal/remove.ts';
import type { Salvage } from '../../worktree/salvage/salvage-commit.ts';
import { attentionFor } from '../attention/attention.ts';
import { noteSalvage } from '../landing/restore.ts';
import { enterTree } from '../landing/worktrees.ts';
import type { Run, StartOrders } from '../orders.ts';
import type { CrewContext } from '../workers/roster.ts';
import { transcriptIn } from '../workers/transcript-place.ts';
import { type Draft, draftWorker, environmentOfDraft, ownPartOf } from './draft.ts';
import { spawnGuidance } from './guidance.ts';
import { skipsPermissions, typeFirstPrompt } from './launch-limits.ts';
import { gitOf, type Launch, type LaunchOrder, paneRecord, prepareLaunch } from './launching.ts';
import { namesFor } from './names.ts';
import { hasCrashed, startedOrDead, startTrouble } from './started.ts';
import { type Undo, undoStack } from './undo.ts';

const namesTimeoutMs = 30_000;

type Spawned =
  | { readonly record: WorkerRecord; readonly warnings: readonly string[] }
  | { readonly failure: SpawnFailure };

export async function startWorkers(context: CrewContext, order: StartOrders, run: Run): Promise<SpawnResult> {
  const layout = order.layout ?? context.settingsFor(context.cwd).settings.defaults.layout;
  const placement = layout === 'auto' ? ('fill' as const) : { batch: newNonce() };
  // Two servers that spawn at once must not choose the same name.
  const drafted = await withLock(context.home.lockPath('names'), () => draftAll(context, order), {
    me: context.me,
    timeoutMs: namesTimeoutMs,
  });
  const spawned = await Promise.all(
    drafted.map((one) => ('failure' in one ? one : spawnOne(context, { draft: one, placement }, run))),
  );
  return spawnResult(context, spawned, layout);
}

/** Checks every worker and writes down which ones are to be made, before the world is touched. */
async function draftAll(
  context: CrewContext,
  { workers, here }: StartOrders,
): Promise<readonly (Draft | { readonly failure: SpawnFailure })[]> {
  await context.log.catchUp();
  const names = namesFor(context, workers);
  const drafted = await Promise.all(
    workers.map(async (order, index) => {
      const name = names[index] ?? newNonce();
      return draftWorker(context, { order, name, here }).catch((thrown: unknown) => ({
        failure: failureOf(name, 'check', thrown),
      }));
    }),
  );
  const drafts = drafted.flatMap((one) => ('failure' in one ? [] : [one]));
  const intents = drafts.map((draft) => ({
    type: 'worker_spawning' as const,
    workerId: draft.id,
    data: { name: draft.name },
    set: firstRecord(context, draft),
  }));
  if (intents.length > 0) await context.log.append(intents);
  return drafted;
}

function failureOf(name: string, step: string, thrown: unknown, left: readonly string[] = []): SpawnFailure {
  const { code, message, hint } = asCrewError(thrown);
  const rest = left.length === 0 ? '' : ` Left as it is: ${left.join('; ')}.`;
  return { name, step, error: `${code}: ${message}`, hint: `${hint}${rest}` };
}

export function spawnResult(context: CrewContext, spawned: readonly Spawned[], layout: 'auto' | 'new'): SpawnResult {
  const alive = spawned.flatMap((one) => ('record' in one ? [one] : []));
  const sessions = alive.map(({ record }) => context.roster.view(context.roster.record(record.id)));
  const attention = alive.flatMap(({ record }) => attentionFor(context, context.roster.record(record.id)));
  const problems = alive.flatMap(
    ({ record }) => context.settingsFor(record.mainRepoPath ?? record.projectPath).problems,
  );
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

async function spawnOne(context: CrewContext, { draft, placement }: Order, run: Run): Promise<Spawned> {
  const undo = undoStack();
  const at = { step: 'worktree' };
  try {
    const { record, missing } = await build(context, { draft, placement, undo, at });
    run.tell(`${record.name} is up`);
    return { record, warnings: [...draft.warnings, ...missing] };
  } catch (thrown) {
    const failure = failureOf(draft.name, at.step, thrown, await undo.run());
    await noteFailed(context, draft.id, `${failure.step}: ${failure.error}`);
    return { failure };
  }
}

async function noteFailed(context: CrewContext, workerId: string, endDetail: string): Promise<void> {
  if (!context.log.records().has(workerId)) return;
  await context.roster.unfollow(workerId);
  const set = { phase: 'closed' as const, endedAt: context.clock.now(), endDetail, pane: null };
  await context.log
    .append([{ type: 'worker_closed', workerId, data: { failed: endDetail }, set }])
    .catch((error: unknown) => context.logger.write('error', 'a failed spawn could not be noted', error));
}

interface Building {
  readonly draft: Draft;
  readonly placement: Order['placement'];
  readonly undo: Undo;
  readonly at: { step: string };
}

async function build(
  context: CrewContext,
  { draft, placement, undo, at }: Building,
): Promise<{ record: WorkerRecord; missing: readonly string[] }> {
  const missing = await placeWorker(context, draft, { undo, at });
  at.step = 'launch files';
  const launch = await prepareLaunch(context, await orderOf(context, draft, 1));
  at.step = 'pane';
  const pane = await context.terminal.open({ ...launch.open, placement });
  undo.push('pane', () => context.terminal.close(pane.ref));
  at.step = 'start';
  let trouble = await begun(context, draft, { launch, pane });
  if (hasCrashed(trouble)) {
    const again = await prepareLaunch(context, await orderOf(context, draft, 2));
    trouble = await begun(context, draft, {
      launch: again,
      pane: await context.terminal.respawn(pane.ref, again.open),
    });
  }
  if (trouble !== undefined) throw trouble;
  const untold = await typeFirstPrompt(context, context.roster.record(draft.id), draft);
  return { record: context.roster.record(draft.id), missing: [...missing, ...untold] };
}

const orderOf = async (context: CrewContext, draft: Draft, number: number): Promise<LaunchOrder> => ({
  record: context.roster.record(draft.id),
  number,
  agent: draft.agent,
  command: draft.command,
  skipPermissions: skips(draft),
  own: ownPartOf(draft),
  prompt: draft.prompt,
  isSandboxed: draft.isSandboxed,
  resume: await resumed(context, draft),
  ...(await gitOf(context, draft.id)),
});

/** Undefined once it has started, or stands before something that can be named. */
async function begun(context: CrewContext, { id, name }: Draft, { launch, pane }: { launch: Launch; pane: PaneInfo }) {
  const set = { phase: 'live' as const, launch: launch.record, pane: paneRecord(pane), endedAt: null, endDetail: null };
  await context.log.append([{ type: 'worker_started', workerId: id, data: { name, pane: pane.ref.id }, set }]);
  const record = context.roster.record(id);
  return startTrouble(context, record, await startedOrDead(context, record));
}

/** An agent that finds its transcript by itself goes by the place it works in now; of another it is the past worker's, or searched for. */
async function resumed(context: CrewContext, draft: Draft): Promise<LaunchOrder['resume']> {
  const { resume, agent } = draft;
  if (resume === undefined) return undefined;
  const { past, ...asked } = resume;
  const env = environmentOfDraft(context, draft);
  const traces = agent.traces({ cwd: '/', agentSessionId: asked.agentSessionId, env });
  if (traces.transcriptPath !== undefined) return asked;
  const transcriptPath = past?.launch.transcriptPath || (await transcriptIn(traces));
  return transcriptPath === undefined ? asked : { ...asked, transcriptPath };
}

const skips = ({ agent, order, settings }: Draft): boolean => skipsPermissions(agent, order, settings);

function firstRecord(context: CrewContext, draft: Draft): WorkerRecord {
  const { order, settings } = draft;
  const { takes } = draft.agent;
  const model = order.model ?? (takes.has('model') ? settings.defaults.model : undefined);
  return {
    id: draft.id,
    name: draft.name,
    agentType: draft.agent.type,
    phase: 'spawning',
    crew: draft.crew,
    projectPath: draft.projectPath,
    ownsWorktree: false,
    ...defined({ mainRepoPath: draft.folder?.mainRepoPath, model }),
    ...defined({ annotation: order.annotation, bead: order.bead, role: order.role }),
    permissionMode: skips(draft)
      ? 'bypassPermissions'
      : takes.has('permissionMode')
        ? (order.permissionMode ?? settings.defaults.permission_mode ?? 'manual')
        : 'unknown',
    colour: draft.colour,
    source: 'spawned',
    manager: context.me,
    createdAt: context.clock.now(),
    restarts: 0,
    launch: {
      number: 0,
      dir: join(context.home.root, 'none'),
      command: draft.command,
      agentSessionId: '',
      transcriptPath: '',
      skipPermissions: skips(draft),
      startedAt: context.clock.now(),
      withPrompt: draft.prompt !== undefined,
    },
  };
}

/** Gives the worker its worktree and says so in its record; returns what is worth a warning. */
async function placeWorker(
  context: CrewContext,
  draft: Draft,
  { undo, at }: Pick<Building, 'undo' | 'at'>,
): Promise<readonly string[]> {
  const { order, folder, settings } = draft;
  if (!order.useWorktree || folder === undefined) {
    await enterTree(context, draft);
    return [];
  }
  const worktree = await addWorktree({
    folder,
    root: settings.worktrees.dir,
    name: {
      workerName: draft.name,
      workerId: draft.id,
      ...defined({ bead: order.bead, annotation: order.annotation }),
    },
    ...defined({ branch: order.worktree?.branch, base: order.worktree?.base }),
  });
  const saved = { workerId: draft.id, path: worktree.path, reason: spawnFailed };
  undo.push('worktree', async () => {
    const onSaved = (salvage: Salvage) => noteSalvage(context, { ...saved, salvage });
    const { removed, reason } = await discardFresh({ repo: folder, ...worktree, workerId: draft.id, onSaved });
    if (!removed) throw new Error(reason ?? worktree.path);
  });
  await context.log.append([
    { type: 'worker_spawning', workerId: draft.id, data: { worktree: worktree.path }, set: placeOf(draft, worktree) },
  ]);
  at.step = 'setup';
  const { missing } = await prepareWorktree({
    repo: folder,
    worktreePath: worktree.path,
    copyFiles: [...(await allowances(draft)), ...(order.copyFiles ?? settings.worktrees.copy_files)],
    symlinkDirs: order.symlinkDirs ?? settings.worktrees.symlink_dirs,
    setupCommands: order.setupCommands ?? settings.worktrees.setup_commands,
    env: environmentOfDraft(context, draft),
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
