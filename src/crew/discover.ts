// Finds the agents in every tmux server of this user, ours or not.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Agent, DecodedState } from '../agents/agent.ts';
import { workerEnvironment } from '../agents/environment.ts';
import type { PaneInfo } from '../backends/terminal.ts';
import { readEnd } from '../jsonl/slice.ts';
import type { WorkerRecord } from '../model/worker.ts';
import { processStart, treeOf } from '../state/process.ts';
import { allProcesses } from '../state/process-table.ts';
import type { DiscoveredView } from './api.ts';
import type { House } from './house.ts';

export interface Found {
  readonly agent: Agent;
  readonly pane: PaneInfo;
  readonly state: DecodedState;
  /** The record of a worker in that pane, whoever manages it. */
  readonly record: WorkerRecord | undefined;
}

const previewBytes = 64 * 1024;
const previewLength = 300;

export async function discoverWorkers(house: House, request: { readonly max_age: number }) {
  const oldest = house.clock.now() - request.max_age * 1_000;
  const found = (await findAgents(house)).filter(
    ({ state, record }) => record !== undefined || state.signal.at >= oldest,
  );
  const sessions = await Promise.all(found.map((one) => discoveredView(house, one)));
  return {
    sessions,
    count: sessions.length,
    unmanaged_count: sessions.filter((session) => !session.already_managed).length,
  };
}

/** Agents that show themselves by a state file and sit in a pane of a tmux server we may look at. */
export async function findAgents(house: House): Promise<readonly Found[]> {
  const agent = house.agentFor('claude');
  const panes = await allPanes(house);
  const rows = await allProcesses();
  const trees = panes.map((pane) => ({ pane, pids: new Set(treeOf(pane.pid, rows).map(({ pid }) => pid)) }));
  const states = await livingStates(house, agent);
  return states.flatMap((state) => {
    const at = trees.find(({ pids }) => pids.has(state.pid));
    return at === undefined ? [] : [{ agent, state, pane: at.pane, record: recordOf(house, at.pane) }];
  });
}

async function allPanes(house: House): Promise<readonly PaneInfo[]> {
  const own = house.terminal.list();
  const sockets = ['default', house.env.TMUX?.split(',')[0] ?? ''].filter(
    (socket) => socket !== '' && socket !== house.socket,
  );
  const others = sockets.map((socket) =>
    house.panesOf(socket).catch((error: unknown) => {
      house.logger.write('info', 'a tmux server could not be looked at', error);
      return [];
    }),
  );
  const lists = await Promise.all([own, ...others]);
  const byServer = new Map(
    lists.flat().map((pane) => [`${pane.ref.serverPid} ${pane.ref.serverStartedAt} ${pane.ref.id}`, pane]),
  );
  return [...byServer.values()].filter((pane) => !pane.dead);
}

async function livingStates(house: House, agent: Agent): Promise<readonly DecodedState[]> {
  const { stateDir } = agent.traces({ cwd: '/', agentSessionId: '', env: workerEnvironment(house.env) });
  if (stateDir === undefined) return [];
  const names = await readdir(stateDir).catch(() => []);
  const texts = await Promise.all(names.map((name) => readFile(join(stateDir, name), 'utf8').catch(() => '')));
  const states = texts.map((text) => agent.decodeState(text)).filter((state) => state !== undefined);
  const starts = await Promise.all(states.map(({ pid }) => processStart(pid)));
  // A killed agent leaves its file behind, and its pid to somebody else.
  return states.filter(
    ({ processStart: told }, index) => starts[index] !== undefined && (told === undefined || told === starts[index]),
  );
}

const recordOf = (house: House, pane: PaneInfo): WorkerRecord | undefined =>
  house.roster
    .records()
    .find(
      (record) =>
        (record.phase === 'live' || record.phase === 'spawning') &&
        record.pane?.paneId === pane.ref.id &&
        record.pane.serverPid === pane.ref.serverPid &&
        record.pane.serverStartedAt === pane.ref.serverStartedAt,
    );

async function discoveredView(house: House, { agent, pane, state, record }: Found): Promise<DiscoveredView> {
  const agentSessionId = state.agentSessionId ?? null;
  const managed = record !== undefined && (house.roster.isMine(record) || house.roster.isOthers(record));
  return {
    backend_id: `tmux:${pane.ref.id}`,
    tmux_pane_id: pane.ref.id,
    tmux_socket: pane.ref.socket,
    project_path: pane.cwd,
    agent_type: agent.type,
    agent_session_id: agentSessionId,
    status: state.signal.kind === 'state' ? state.signal.status : 'unknown',
    last_assistant_preview:
      agentSessionId === null ? null : await lastWords(house, agent, { cwd: pane.cwd, agentSessionId }),
    already_managed: managed,
    ...(record === undefined ? {} : { managed_by: `${record.name} (${record.id}), manager pid ${record.manager.pid}` }),
  };
}

async function lastWords(
  house: House,
  agent: Agent,
  at: { cwd: string; agentSessionId: string },
): Promise<string | null> {
  const { transcriptPath } = agent.traces({ ...at, env: workerEnvironment(house.env) });
  if (transcriptPath === undefined) return null;
  const lines = await readEnd(transcriptPath, previewBytes).catch(() => []);
  const last = lines
    .map((line) => agent.decodeLine(line).entry)
    .findLast((entry) => entry?.role === 'assistant' && entry.content !== '');
  return last === undefined ? null : last.content.slice(0, previewLength);
}
