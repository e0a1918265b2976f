// Makes this server the manager of a worker whose manager is gone, or of an agent that a person started.
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { newWorkerId } from '../../model/ids.ts';
import { workerColour } from '../../model/name.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { commandOf } from '../../settings/settings.ts';
import type { WorkerView } from '../../wire/worker.ts';
import { inspectFolder } from '../../worktree/git/inspect.ts';
import { notePlace } from '../attention/permissions.ts';
import { crewName } from '../place.ts';
import { watchStart } from '../screen/dialog-watch.ts';
import { lookOnce } from '../screen/screen-look.ts';
import { accountKey } from '../workers/accounts.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { cannotTell, paneRecord } from '../workers/pane-facts.ts';
import { keepPrivateOptions } from '../workers/private-options.ts';
import { showOnPane } from '../workers/publish.ts';
import { lastActivityOf } from '../workers/view.ts';
import { type Found, findAgents, lastHeard } from './discover.ts';
import { nameOfAdopted } from './names.ts';

export interface AdoptOrder {
  readonly worker?: string;
  readonly paneId?: string;
  readonly agentSessionId?: string;
  readonly name?: string;
  readonly force: boolean;
  /** An agent that has been silent for longer is not taken. */
  readonly maxAgeSeconds?: number;
}

export interface Adopted {
  readonly success: boolean;
  readonly message: string;
  readonly session: WorkerView;
}

export async function adoptWorker(context: CrewContext, order: AdoptOrder): Promise<Adopted> {
  if (order.worker !== undefined) return takeOver(context, context.roster.resolve(order.worker), order);
  const found = await findOne(context, order);
  if (found.record !== undefined) return takeOver(context, found.record, order);
  refuseIfSilent(context, order, {
    name: `The ${found.agent.type} in pane ${found.pane.ref.id}`,
    heardAt: await lastHeard(found),
  });
  return takeIn(context, found, order);
}

async function takeOver(context: CrewContext, record: WorkerRecord, order: AdoptOrder): Promise<Adopted> {
  const { force, name: wanted } = order;
  if (context.roster.isOthers(record) && !force) {
    throw new CrewError(
      'owned_by_another',
      `${record.name} is managed by another server that is alive (pid ${record.manager.pid}).`,
      'Leave it to that one, or pass force: true; it is told.',
    );
  }
  const turn = context.roster.turn(record.id);
  if (turn?.is === 'unknown' && !force) throw cannotTell(record.name, turn.evidence.detail);
  refuseIfSilent(context, order, {
    name: record.name,
    heardAt: lastActivityOf(record, turn),
  });
  const name = nameOfAdopted(context, { id: record.id, asked: wanted, own: record.name });
  const data = { from: record.manager.pid, by: context.me.pid, forced: context.roster.isOthers(record) };
  await context.log.append([{ type: 'worker_adopted', workerId: record.id, data, set: { manager: context.me, name } }]);
  if (record.phase === 'live') context.roster.follow(context.roster.record(record.id));
  return adopted(
    context,
    record.id,
    `${name} is managed by this server now, with its worktree, branch and conversation.`,
  );
}

function refuseIfSilent(
  { clock }: CrewContext,
  { maxAgeSeconds }: AdoptOrder,
  { name, heardAt }: { readonly name: string; readonly heardAt: number | undefined },
): void {
  const silentMs = clock.now() - (heardAt ?? Number.POSITIVE_INFINITY);
  if (maxAgeSeconds === undefined || silentMs <= maxAgeSeconds * 1_000) return;
  throw new CrewError(
    'invalid_argument',
    `${name} has been silent for ${Math.round(silentMs / 1_000)} s, longer than the max_age of ${maxAgeSeconds} s.`,
    'Pass a larger max_age, or none to take it whatever its age.',
  );
}

async function findOne(context: CrewContext, order: AdoptOrder): Promise<Found> {
  const { agentSessionId: conversation } = order;
  if (order.paneId === undefined && conversation === undefined) {
    throw new CrewError(
      'invalid_argument',
      'None of session_id, tmux_pane_id and agent_session_id is given.',
      'Call discover_workers and pass one of the ids it shows.',
    );
  }
  const paneId = order.paneId?.replace(/^tmux:/, '');
  const matches = (await findAgents(context)).filter(
    ({ pane, agentSessionId }) =>
      (paneId === undefined || pane.ref.id === paneId) &&
      (conversation === undefined || agentSessionId === conversation),
  );
  const [only, ...more] = matches;
  if (only === undefined) {
    throw new CrewError(
      'unknown_worker',
      `No agent was found ${paneId === undefined ? `with the conversation ${conversation}` : `in pane ${paneId}`}.`,
      'Call discover_workers for what there is; an agent outside tmux cannot be adopted.',
    );
  }
  if (more.length === 0) return only;
  const places = matches
    .map(
      ({ pane, agentSessionId }) => `${pane.ref.id} on ${pane.ref.socket} (${agentSessionId ?? 'no conversation yet'})`,
    )
    .join(', ');
  throw new CrewError('ambiguous_worker', `Several agents match: ${places}.`, 'Pass agent_session_id.');
}

async function takeIn(context: CrewContext, found: Found, { name: wanted }: AdoptOrder): Promise<Adopted> {
  const { pane, agent, state, self } = found;
  refuseIfHeldElsewhere(found);
  await context.terminal.know(pane.ref.socket);
  const id = newWorkerId();
  const name = nameOfAdopted(context, { id, asked: wanted });
  const record = await adoptedRecord(context, found, { id, name });
  await keepPrivateOptions(record.launch, { env: ownVariables(context, found) });
  const data = { pane: pane.ref.id, socket: pane.ref.socket, pid: self.pid };
  await context.log.append([{ type: 'worker_adopted', workerId: id, data, set: record }]);
  await notePlace(context, record);
  const following = context.roster.follow(record);
  if (state !== undefined) following.apply(state.signal);
  await following.drain();
  if (agent.onScreen.tells === 'dialogs') await lookOnce(context, record, following);
  if (following.state.is === 'starting') watchStart(context, record, following);
  await showOnPane(context, record, following.state.is);
  return adopted(
    context,
    id,
    `${name} was adopted where it runs (${agent.type} in pane ${pane.ref.id}); nothing of it was changed.`,
  );
}

function refuseIfHeldElsewhere({ agent, pane, seen: { refused } }: Found): void {
  if (refused === undefined) return;
  throw new CrewError(
    'invalid_argument',
    `The ${agent.type} in pane ${pane.ref.id} cannot be adopted: ${refused.reason}.`,
    refused.hint,
  );
}

/** The variables in which its environment differs from the server's; a restart sets them again. */
const ownVariables = (context: CrewContext, { env }: Found): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(env).filter(([name, value]) => context.environment.server[name] !== value));

async function adoptedRecord(
  context: CrewContext,
  { pane, agent, seen, env, self, agentSessionId = '', transcriptPath = '' }: Found,
  named: { id: string; name: string },
): Promise<WorkerRecord> {
  const folder = await inspectFolder({ path: pane.cwd, env: context.environment.git }).catch(() => undefined);
  const { settings } = context.settingsFor(pane.cwd);
  const { stateDir } = agent.traces({ cwd: pane.cwd, agentSessionId, env });
  return {
    ...named,
    agentType: agent.type,
    phase: 'live',
    crew: crewName(settings.tmux.session_prefix, folder?.mainRepoPath ?? pane.cwd),
    projectPath: pane.cwd,
    ownsWorktree: false,
    ...defined({
      mainRepoPath: folder?.mainRepoPath,
      worktreePath: folder?.worktreeRoot === folder?.mainRepoPath ? undefined : folder?.worktreeRoot,
      branch: folder?.head.branch,
      model: seen.model,
    }),
    permissionMode: seen.permissionMode ?? 'unknown',
    colour: workerColour(named.name, []),
    source: 'adopted',
    manager: context.me,
    createdAt: context.clock.now(),
    restarts: 0,
    launch: {
      number: 1,
      dir: await context.home.launchDir(named.id, 1),
      command: commandOf(settings, agent.type) ?? [],
      agentSessionId,
      transcriptPath,
      ...defined({ stateDir }),
      account: accountKey(agent, env),
      process: self,
      skipPermissions: seen.skipPermissions ?? false,
      // Its whole transcript counts: crewmux did not begin it.
      startedAt: 0,
      withPrompt: false,
    },
    pane: await paneRecord(pane),
  };
}

const adopted = (context: CrewContext, id: string, message: string): Adopted => ({
  success: true,
  message,
  session: context.roster.view(context.roster.record(id)),
});
