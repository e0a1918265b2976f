// Finds the agents in the panes of every tmux server of this user, crewmux's or not, as discover_workers lists them.

import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Agent, AgentProcess, DecodedLine, DecodedState, ScreenReading } from '../../agents/agent.ts';
import { workerEnvironment } from '../../agents/environment.ts';
import type { PaneInfo } from '../../backends/terminal.ts';
import { readEnd } from '../../jsonl/slice.ts';
import { defined } from '../../model/defined.ts';
import type { Signal } from '../../model/turn.ts';
import { isLiveOrSpawning, type Status, type WorkerRecord } from '../../model/worker.ts';
import { type ProcessRef, processStart, treeOf } from '../../system/process.ts';
import { allProcesses, type ProcessRow } from '../../system/process-table.ts';
import { argvOf, environmentOf, openFilesOf } from '../../system/process-traces.ts';
import { initialTurn, reduceTurn } from '../../turn/reduce-turn.ts';
import type { DiscoveredView } from '../../wire/starting.ts';
import { passedIn } from '../environments.ts';
import { type CrewContext, hasPane } from '../workers/crew-context.ts';
import { transcriptIn } from '../workers/transcript.ts';
import { statusOf } from '../workers/view.ts';

const endBytes = 256 * 1024;
const previewLength = 300;

export async function discoverWorkers(context: CrewContext, query: { readonly maxAgeSeconds: number }) {
  const oldest = context.clock.now() - query.maxAgeSeconds * 1_000;
  const all = await findAgents(context);
  const ages = await Promise.all(all.map(lastHeard));
  const found = all.filter(({ record }, index) => record !== undefined || (ages[index] ?? oldest) >= oldest);
  const sessions = await Promise.all(found.map((one) => discoveredView(context, one)));
  return {
    sessions,
    count: sessions.length,
    unmanaged_count: sessions.filter((session) => !session.already_managed).length,
  };
}

/** Undefined where neither state file nor transcript is known; such an agent is of no age. */
export async function lastHeard({ state, transcriptPath }: Found): Promise<number | undefined> {
  if (state !== undefined) return state.signal.at;
  return transcriptPath === undefined ? undefined : (await stat(transcriptPath).catch(() => undefined))?.mtimeMs;
}

async function discoveredView(context: CrewContext, found: Found): Promise<DiscoveredView> {
  const { agent, pane, record, agentSessionId, seen } = found;
  const managed = record !== undefined && (context.roster.isMine(record) || context.roster.isOthers(record));
  const lines = await lastLines(found);
  const { refused } = seen;
  return {
    backend_id: `tmux:${pane.ref.id}`,
    tmux_pane_id: pane.ref.id,
    tmux_socket: pane.ref.socket,
    project_path: pane.cwd,
    agent_type: agent.type,
    agent_session_id: agentSessionId ?? null,
    status: await statusNow(context, found, lines),
    last_assistant_preview: lastWords(lines),
    already_managed: managed,
    ...defined({
      managed_by: record && `${record.name} (${record.id}), manager pid ${record.manager.pid}`,
      not_adoptable: refused === undefined || managed ? undefined : `${refused.reason}. ${refused.hint}`,
    }),
  };
}

async function statusNow(context: CrewContext, found: Found, lines: readonly DecodedLine[]): Promise<string> {
  const { agent, pane, record, state, seen } = found;
  const turn = record === undefined ? undefined : context.roster.turn(record.id);
  if (record !== undefined && turn !== undefined) return statusOf(record, turn);
  const screen = await context.tmux.screenOf(pane.ref).then(agent.readScreen, () => undefined);
  // A prompt without a conversation belongs to the start; beside a conversation that cannot be read it means nothing.
  const isSeen = seen.refused === undefined && found.agentSessionId !== undefined;
  const transcript = isSeen ? lines.flatMap(({ signals }) => signals) : undefined;
  return statusAt({ state, transcript, screen });
}

async function lastLines({ agent, transcriptPath }: Found): Promise<readonly DecodedLine[]> {
  if (transcriptPath === undefined) return [];
  const lines = await readEnd(transcriptPath, endBytes).catch(() => []);
  return lines.map((line) => agent.decodeLine(line));
}

function lastWords(lines: readonly DecodedLine[]): string | null {
  const last = lines.map(({ entry }) => entry).findLast((entry) => entry?.role === 'assistant' && entry.content !== '');
  return last === undefined ? null : last.content.slice(0, previewLength);
}

interface OneLook {
  readonly state: DecodedState | undefined;
  /** The signals at the end of its transcript; undefined where nobody knows which transcript is its own. */
  readonly transcript: readonly Signal[] | undefined;
  readonly screen: ScreenReading | undefined;
}

/** The status of an agent that nobody follows; a prompt on its screen alone does not make it idle. Pure. */
export function statusAt(look: OneLook): Status | 'unknown' {
  const { is } = signalsOf(look).reduce(reduceTurn, initialTurn(0));
  return is === 'starting' || is === 'gone' ? 'unknown' : is;
}

function signalsOf({ state, transcript, screen }: OneLook): readonly Signal[] {
  const at = Number.MAX_SAFE_INTEGER;
  const dialog = screen?.dialog;
  const seen: readonly Signal[] = dialog === undefined ? [] : [{ from: 'screen', kind: 'dialog', dialog, at }];
  if (state !== undefined) return [state.signal, ...seen];
  if (transcript === undefined || seen.length > 0) return [...(transcript ?? []), ...seen];
  const { ready, queued = [], background = 0 } = screen ?? {};
  if (ready !== true) return transcript;
  return [...transcript, { from: 'screen', kind: 'prompt', queued: queued.length, background, at }];
}

export interface Found {
  readonly agent: Agent;
  readonly pane: PaneInfo;
  /** The agent's own, which need not be the pane's. */
  readonly self: ProcessRef;
  readonly seen: AgentProcess;
  /** The part of its environment that a worker may have. */
  readonly env: Readonly<Record<string, string>>;
  readonly state: DecodedState | undefined;
  readonly agentSessionId: string | undefined;
  readonly transcriptPath: string | undefined;
  /** The record of a worker in that pane, whoever manages it. */
  readonly record: WorkerRecord | undefined;
}

type Candidate = Pick<Found, 'agent' | 'self'> & { readonly argv: readonly string[] };
interface State {
  readonly agent: Agent;
  readonly state: DecodedState;
}

/** Leaves out agents that another agent in the same pane has started. */
export async function findAgents(context: CrewContext): Promise<readonly Found[]> {
  const [panes, rows, states] = await Promise.all([
    allPanes(context),
    allProcesses(),
    livingStates(context, workerEnvironment(context.environment.server)),
  ]);
  const found = await Promise.all(
    panes.map(async (pane) => {
      const inPane = await candidatesIn(context, treeOf(pane.pid, rows), states);
      return Promise.all(outermost(inPane, rows).map((one) => lookAt(context, { ...one, pane }, states)));
    }),
  );
  return found.flat();
}

async function allPanes(context: CrewContext): Promise<readonly PaneInfo[]> {
  const own = context.terminal.list();
  const sockets = ['default', context.environment.server.TMUX?.split(',')[0] ?? ''].filter(
    (socket) => socket !== '' && socket !== context.tmux.socket,
  );
  const others = sockets.map((socket) =>
    context.tmux.panesOf(socket).catch((error: unknown) => {
      context.logger.write('info', 'a tmux server could not be looked at', error);
      return [];
    }),
  );
  const lists = await Promise.all([own, ...others]);
  const byServer = new Map(
    lists.flat().map((pane) => [`${pane.ref.serverPid} ${pane.ref.serverStartedAt} ${pane.ref.id}`, pane]),
  );
  return [...byServer.values()].filter((pane) => !pane.dead);
}

async function candidatesIn(
  context: CrewContext,
  tree: readonly ProcessRef[],
  states: readonly State[],
): Promise<readonly Candidate[]> {
  const found = await Promise.all(
    tree.map(async (self) => {
      const argv = await argvOf(self.pid).catch(() => []);
      const ofState = states.find(({ state }) => state.pid === self.pid)?.agent;
      const agent = ofState ?? context.agents.builtIn.find((one) => one.readProcess?.({ argv }) !== undefined);
      return agent && { agent, self, argv };
    }),
  );
  return found.filter((one) => one !== undefined);
}

/** The candidates that none of the others has started. Pure. */
export function outermost<T extends { readonly self: { readonly pid: number } }>(
  candidates: readonly T[],
  rows: readonly Pick<ProcessRow, 'pid' | 'parent'>[],
): readonly T[] {
  const parents = new Map(rows.map(({ pid, parent }) => [pid, parent]));
  const pids = new Set(candidates.map(({ self }) => self.pid));
  const hasOuter = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && parent !== pid && (pids.has(parent) || hasOuter(parent));
  };
  return candidates.filter(({ self }) => !hasOuter(self.pid));
}

async function lookAt(
  context: CrewContext,
  { agent, pane, self, argv }: Candidate & { readonly pane: PaneInfo },
  states: readonly State[],
): Promise<Found> {
  const env = workerEnvironment((await environmentOf(self.pid)) ?? context.environment.server, {
    agentType: agent.type,
    passes: passedIn(context, pane.cwd),
  });
  const known = states.find((one) => one.agent === agent && one.state.pid === self.pid)?.state;
  const state = known ?? (await statesOf(agent, env)).find(({ pid }) => pid === self.pid);
  const openFiles = state === undefined ? await openFilesOf(self.pid) : undefined;
  const seen = agent.readProcess?.({ argv, ...defined({ openFiles }) }) ?? {};
  const agentSessionId = state?.agentSessionId ?? seen.agentSessionId;
  const place = { cwd: pane.cwd, agentSessionId: agentSessionId ?? '', env };
  return {
    agent,
    pane,
    self,
    seen,
    env,
    state,
    agentSessionId,
    transcriptPath:
      seen.transcriptPath ?? (agentSessionId === undefined ? undefined : await transcriptIn(agent.traces(place))),
    record: context.roster.records().find((one) => isLiveOrSpawning(one) && hasPane(one, pane.ref)),
  };
}

async function livingStates(context: CrewContext, env: Readonly<Record<string, string>>): Promise<readonly State[]> {
  const lists = await Promise.all(
    context.agents.builtIn.map(async (agent) => (await statesOf(agent, env)).map((state) => ({ agent, state }))),
  );
  return lists.flat();
}

async function statesOf(agent: Agent, env: Readonly<Record<string, string>>): Promise<readonly DecodedState[]> {
  const { stateDir } = agent.traces({ cwd: '/', agentSessionId: '', env });
  if (stateDir === undefined) return [];
  const names = await readdir(stateDir).catch(() => []);
  const texts = await Promise.all(names.map((name) => readFile(join(stateDir, name), 'utf8').catch(() => '')));
  const states = texts.map((text) => agent.decodeState(text)).filter((state) => state !== undefined);
  const starts = await Promise.all(states.map(({ pid }) => processStart(pid)));
  // A killed agent leaves its file behind, and its pid to somebody else.
  return states.filter(
    ({ processStart: noted }, index) => starts[index] !== undefined && (noted === undefined || noted === starts[index]),
  );
}
