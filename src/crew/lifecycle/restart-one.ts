// Brings an ended worker back: same worktree, same conversation, or a new one.
import { refuseOptions } from '../../model/arg-word.ts';
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { readLastPrompt } from '../../store/last-prompt.ts';
import { exists } from '../../system/disk.ts';
import { ruledAs, startModeOf } from '../attention/permissions.ts';
import { sendMessage } from '../messages/send-message.ts';
import type { Run } from '../orders.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { whyStopped } from '../workers/failures.ts';
import { refuseOthers } from '../workers/ownership.ts';
import { cannotTell } from '../workers/pane-facts.ts';
import { agentEnvironment, privateOptionsOf } from '../workers/private-options.ts';
import { holdingTree } from '../workers/trees.ts';
import { findCommand, type LaunchOrder } from './launch.ts';
import { leftConversation, leftFolder } from './left-conversation.ts';
import { nameOfReturned, portsFor } from './names.ts';
import { projectFilesNamed } from './project-files.ts';
import {
  type Ended,
  type HowAsked,
  type LeftConversation,
  type PlannedRestart,
  plannedRestart,
} from './restart-plan.ts';
import { changedRole } from './role-order.ts';
import { holesNamed } from './sandbox-holes.ts';
import { failureOf, type Spawned } from './spawn.ts';
import { startAgent } from './start-agent.ts';
import { chooseSandbox } from './worker-sandbox.ts';
import { bringBackWorktree, fixBaseAgain, mustHaveFolder, savedWork } from './worker-worktree.ts';

/** How it is asked to come back, and on whose behalf. */
export interface Asked extends HowAsked {
  readonly run: Run;
}

export type Returned = Spawned & { readonly step: string };

/** Brings one worker back as the plan says; what keeps it from that is a failure with its step. */
export async function restartOne(context: CrewContext, { id }: WorkerRecord, asked: Asked): Promise<Returned> {
  const at = { step: 'check' };
  const record = () => context.roster.present(context.roster.record(id));
  try {
    const again = async () => {
      await context.log.catchUp();
      return restart(context, record(), { at, asked });
    };
    const { worktreePath } = record();
    // The lock keeps everybody from removing the worktree meanwhile.
    const warnings = await (worktreePath === undefined ? again() : holdingTree(context, worktreePath, again));
    asked.run.tell(`${record().name} is back`);
    return { record: context.roster.record(id), warnings, step: at.step };
  } catch (thrown) {
    return { failure: failureOf(record().name, at.step, thrown), step: at.step };
  }
}

/** All that the plan weighs of one worker. Changes nothing. */
export async function endedOf(context: CrewContext, record: WorkerRecord): Promise<Ended> {
  const { id, name, agentType } = record;
  const [folder, conversation, prompt] = await Promise.all([
    leftFolder(context, record),
    leftConversation(context, record),
    readLastPrompt(await context.home.workerDir(id)),
  ]);
  const stopped = whyStopped(context, record);
  const turn = context.roster.turn(id);
  const unseen = turn?.is === 'unknown' ? turn.evidence.detail : undefined;
  const lives = context.roster.lives(record);
  return { id, name, agentType, lives, ...defined({ unseen }), folder, conversation, prompt, stopped };
}

/** Throws what keeps it from coming back. */
function mustComeBack({ name, lives, unseen, folder, conversation }: Ended, planned: PlannedRestart): void {
  if (planned.action !== 'leave') return;
  const { reason, hint = '' } = planned;
  if (unseen !== undefined) throw cannotTell(name, unseen);
  if (lives)
    throw new CrewError(
      'worker_busy',
      `${name} is alive: a second agent on the same conversation would damage it.`,
      'Message it, or close it first.',
    );
  const isGone = folder.is !== 'gone' && conversation.is === 'gone';
  throw new CrewError(isGone ? 'unknown_session' : 'limit_reached', `${name} stays as it is: ${reason}.`, hint);
}

async function restart(
  context: CrewContext,
  before: WorkerRecord,
  { at, asked }: { readonly at: { step: string }; readonly asked: Asked },
): Promise<readonly string[]> {
  const { run } = asked;
  refuseOthers(context, before);
  const ended = await endedOf(context, before);
  const planned = plannedRestart(ended, asked);
  // It says more of a folder that is gone, and of who could go on there.
  if (ended.folder.is === 'gone' && !ended.lives) await mustHaveFolder(before);
  mustComeBack(ended, planned);
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
  const name = nameOfReturned(context, before);
  const port = (await portsFor(context, [before])).get(before.id);
  const permissionMode = await modeOf(context, before);
  const set = {
    ...{ name, permissionMode, manager: context.me, restarts: before.restarts + 1, source: 'restarted' as const },
    ...defined({ ownsWorktree: broughtBack || undefined, port }),
    // With its name, another has its slot.
    ...(name !== before.name && { slot: null }),
    ...(before.lostTurn && { lostTurn: { ...before.lostTurn, told: true as const } }),
  };
  const isFresh = planned.action === 'fresh';
  const { conversation, prompt } = ended;
  const way = { before, command, conversation, isFresh };
  const now = await startAgent(context, {
    ...{ workerId: before.id, at, placement: 'fill' },
    order: (record) =>
      orderOf(context, { ...record, name, permissionMode, ...defined({ port, lostTurn: before.lostTurn }) }, way),
    event: () => ({ type: 'worker_restarted', data: { resumed: !isFresh }, set }),
  });
  return [
    ...(name === before.name ? [] : [`${before.name} is ${name} now: another live worker has that name.`]),
    ...(broughtBack ? await savedWork(context, now) : []),
    ...[...holesNamed(context, now), ...projectFilesNamed(context, now), ...changedRole(now)],
    ...(isFresh ? [`${name}: ${planned.reason}.`] : []),
    ...(asked.fresh && prompt !== undefined ? await promptedAnew(context, now, prompt) : []),
  ];
}

/** What is in the way of its last prompt keeps that for later; resolves to a warning of it. */
async function promptedAnew(context: CrewContext, record: WorkerRecord, text: string): Promise<readonly string[]> {
  const order = { text, delivery: 'queue', asCommand: false, keep: true } as const;
  const { verdict, evidence, hint = '' } = await sendMessage(context, record, order);
  if (verdict === 'submitted') return [];
  return [`${record.name}: its last prompt is ${verdict} (${evidence.source}: ${evidence.detail}). ${hint}`.trim()];
}

/** Where nobody named it, the rules of now decide. */
async function modeOf(context: CrewContext, before: WorkerRecord): Promise<string> {
  if (before.choosesMode !== true) return before.permissionMode;
  const env = await agentEnvironment(context, before);
  const hasWorktree = before.worktreePath !== undefined;
  return startModeOf(context, context.agents.of(before), { ...ruledAs(before), hasWorktree, env });
}

interface Returning {
  /** As it was when it had ended. */
  readonly before: WorkerRecord;
  readonly command: readonly string[];
  readonly conversation: LeftConversation;
  readonly isFresh: boolean;
}

async function orderOf(
  context: CrewContext,
  record: WorkerRecord,
  { before, command, conversation, isFresh }: Returning,
): Promise<LaunchOrder> {
  const { agentSessionId, skipPermissions, transcriptPath: usual } = before.launch;
  const agent = context.agents.of(record);
  const own = await privateOptionsOf(context, before.launch);
  const { settings } = context.settingsFor(record.mainRepoPath ?? record.projectPath);
  const env = await agentEnvironment(context, before);
  const sandbox = await chooseSandbox({ context, agent, command, settings, asked: own.sandbox, env });
  const transcriptPath = conversation.is === 'there' ? conversation.path : usual;
  const resume = isFresh ? undefined : { agentSessionId, fork: false, transcriptPath };
  // The id of a conversation is free again where nobody has said anything in it and no file has it.
  const isFree = conversation.is === 'unbegun' && agentSessionId !== '' && !(await exists(usual));
  const freshId = isFresh && isFree ? agentSessionId : undefined;
  const way = { resume, ...defined({ freshId }) };
  return { record, agent, command, skipPermissions, own, sandbox, prompt: undefined, ...way };
}
