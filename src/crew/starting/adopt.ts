// Takes on a worker whose manager is gone, or an agent nobody started for us.

import { CrewError } from '../../model/errors.ts';
import { newWorkerId } from '../../model/ids.ts';
import { checkName, pickNames, workerColour } from '../../model/name.ts';
import type { WorkerRecord, WorkerView } from '../../model/worker.ts';
import { commandOf } from '../../settings/settings.ts';
import { inspectFolder } from '../../worktree/inspect.ts';
import { notePlace } from '../attention/permissions.ts';
import type { House } from '../house.ts';
import { watchAdopted } from '../screen/screen-look.ts';
import { showOnPane } from '../watching/publish.ts';
import { crewName } from './draft.ts';
import { type Found, findAgents } from './find-agents.ts';
import { keepOwnPart, paneRecord } from './launching.ts';

export interface AdoptRequest {
  readonly session_id?: string;
  readonly tmux_pane_id?: string;
  readonly agent_session_id?: string;
  readonly session_name?: string;
  readonly force: boolean;
}

export interface Adopted {
  readonly success: boolean;
  readonly message: string;
  readonly session: WorkerView;
}

export async function adoptWorker(house: House, request: AdoptRequest): Promise<Adopted> {
  if (request.session_id !== undefined) return takeOver(house, house.roster.resolve(request.session_id), request);
  const found = await findOne(house, request);
  if (found.record !== undefined) return takeOver(house, found.record, request);
  return takeIn(house, found, request);
}

async function takeOver(house: House, record: WorkerRecord, { force, session_name }: AdoptRequest): Promise<Adopted> {
  if (house.roster.isOthers(record) && !force) {
    throw new CrewError(
      'owned_by_another',
      `${record.name} is managed by another server that is alive (pid ${record.manager.pid}).`,
      'Leave it to that one, or pass force: true; it is told.',
    );
  }
  const name = session_name === undefined ? record.name : freeName(house, session_name, record.id);
  const data = { from: record.manager.pid, forced: house.roster.isOthers(record) };
  await house.log.append([{ type: 'worker_adopted', workerId: record.id, data, set: { manager: house.me, name } }]);
  if (record.phase === 'live') house.roster.follow(house.roster.record(record.id));
  return adopted(
    house,
    record.id,
    `${name} is managed by this server now, with its worktree, branch and conversation.`,
  );
}

async function findOne(house: House, request: AdoptRequest): Promise<Found> {
  const { tmux_pane_id, agent_session_id } = request;
  if (tmux_pane_id === undefined && agent_session_id === undefined) {
    throw new CrewError(
      'invalid_argument',
      'None of session_id, tmux_pane_id and agent_session_id is given.',
      'Call discover_workers and pass one of the ids it shows.',
    );
  }
  const paneId = tmux_pane_id?.replace(/^tmux:/, '');
  const matches = (await findAgents(house)).filter(
    ({ pane, agentSessionId }) =>
      (paneId === undefined || pane.ref.id === paneId) &&
      (agent_session_id === undefined || agentSessionId === agent_session_id),
  );
  const [only, ...more] = matches;
  if (only === undefined) {
    throw new CrewError(
      'unknown_worker',
      `No agent was found ${paneId === undefined ? `with the conversation ${agent_session_id}` : `in pane ${paneId}`}.`,
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

async function takeIn(house: House, found: Found, { session_name }: AdoptRequest): Promise<Adopted> {
  const { pane, agent, state, self } = found;
  refuseIfHeldElsewhere(found);
  await house.terminal.know(pane.ref.socket);
  const id = newWorkerId();
  const name = session_name === undefined ? themedName(house, id) : freeName(house, session_name, id);
  const record = await adoptedRecord(house, found, { id, name });
  await keepOwnPart(record.launch, { env: surroundings(house, found) });
  const data = { pane: pane.ref.id, socket: pane.ref.socket, pid: self.pid };
  await house.log.append([{ type: 'worker_adopted', workerId: id, data, set: record }]);
  await notePlace(house, record);
  const following = house.roster.follow(record);
  if (state !== undefined) following.apply(state.signal);
  await following.drain();
  await watchAdopted(house, record, following);
  await showOnPane(house, record, following.state.is);
  return adopted(
    house,
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

/** What sets its environment apart from ours; it is started with that again. */
const surroundings = (house: House, { env }: Found): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(env).filter(([name, value]) => house.serverEnv[name] !== value));

async function adoptedRecord(
  house: House,
  { pane, agent, seen, env, self, agentSessionId = '', transcriptPath = '' }: Found,
  named: { id: string; name: string },
): Promise<WorkerRecord> {
  const folder = await inspectFolder({ path: pane.cwd, env: house.env }).catch(() => undefined);
  const { settings } = house.settingsFor(pane.cwd);
  const { stateDir } = agent.traces({ cwd: pane.cwd, agentSessionId, env });
  const isLinked = folder?.worktreeRoot !== undefined && folder.worktreeRoot !== folder.mainRepoPath;
  return {
    ...named,
    agentType: agent.type,
    phase: 'live',
    crew: crewName(settings.tmux.session_prefix, folder?.mainRepoPath ?? pane.cwd),
    projectPath: pane.cwd,
    ...(folder === undefined ? {} : { mainRepoPath: folder.mainRepoPath }),
    ...(isLinked && folder.worktreeRoot !== undefined ? { worktreePath: folder.worktreeRoot } : {}),
    ...(folder?.head.branch === undefined ? {} : { branch: folder.head.branch }),
    ownsWorktree: false,
    ...(seen.model === undefined ? {} : { model: seen.model }),
    permissionMode: seen.permissionMode ?? 'unknown',
    colour: workerColour(named.name, []),
    source: 'adopted',
    manager: house.me,
    createdAt: house.clock.now(),
    restarts: 0,
    launch: {
      number: 1,
      dir: await house.home.launchDir(named.id, 1),
      command: commandOf(settings, agent.type) ?? [],
      agentSessionId,
      transcriptPath,
      ...(stateDir === undefined ? {} : { stateDir }),
      process: self,
      skipPermissions: seen.skipPermissions ?? false,
      // Its whole transcript counts: it was not we who began it.
      startedAt: 0,
      withPrompt: false,
    },
    pane: paneRecord(pane),
  };
}

const liveNames = (house: House, exceptId: string): readonly string[] =>
  house.roster
    .records()
    .filter((record) => record.id !== exceptId && (record.phase === 'live' || record.phase === 'spawning'))
    .map((record) => record.name);

function freeName(house: House, asked: string, id: string): string {
  const name = checkName(asked);
  if (!liveNames(house, id).some((other) => other.toLowerCase() === name.toLowerCase())) return name;
  throw new CrewError('name_taken', `The name "${name}" is in use.`, 'Choose another name, or leave it out.');
}

const themedName = (house: House, id: string): string =>
  pickNames({ taken: liveNames(house, id), count: 1, seed: id })[0] ?? id;

const adopted = (house: House, id: string, message: string): Adopted => ({
  success: true,
  message,
  session: house.roster.view(house.roster.record(id)),
});
