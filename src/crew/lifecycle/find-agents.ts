// Finds the agents in the panes of every tmux server of this user, ours or not.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Agent, AgentProcess, DecodedState } from '../../agents/agent.ts';
import { workerEnvironment } from '../../agents/environment.ts';
import type { PaneInfo } from '../../backends/terminal.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { type ProcessRef, processStart, treeOf } from '../../system/process.ts';
import { argvOf, environmentOf, openFilesOf } from '../../system/process-sight.ts';
import { allProcesses, type ProcessRow } from '../../system/process-table.ts';
import { passedIn } from '../environments.ts';
import type { CrewContext } from '../workers/roster.ts';
import { transcriptIn } from '../workers/transcript.ts';

export interface Found {
  readonly agent: Agent;
  readonly pane: PaneInfo;
  /** The agent's own, which need not be the pane's. */
  readonly self: ProcessRef;
  readonly seen: AgentProcess;
  /** What it was started with, as far as a worker may have it. */
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

/** Of agents that one of them started itself, in the same pane, only the outer one counts. */
export async function findAgents(context: CrewContext): Promise<readonly Found[]> {
  const [panes, rows, states] = await Promise.all([
    allPanes(context),
    allProcesses(),
    livingStates(context, workerEnvironment(context.serverEnv)),
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
  const sockets = ['default', context.serverEnv.TMUX?.split(',')[0] ?? ''].filter(
    (socket) => socket !== '' && socket !== context.socket,
  );
  const others = sockets.map((socket) =>
    context.panesOf(socket).catch((error: unknown) => {
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
      const told = states.find(({ state }) => state.pid === self.pid)?.agent;
      const agent = told ?? context.agents.find((one) => one.readProcess?.({ argv }) !== undefined);
      return agent && { agent, self, argv };
    }),
  );
  return found.filter((one) => one !== undefined);
}

/** Those that none of the others has started. Pure. */
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
  const env = workerEnvironment((await environmentOf(self.pid)) ?? context.serverEnv, {
    agentType: agent.type,
    passes: passedIn(context, pane.cwd),
  });
  const known = states.find((one) => one.agent === agent && one.state.pid === self.pid)?.state;
  const state = known ?? (await statesOf(agent, env)).find(({ pid }) => pid === self.pid);
  const openFiles = state === undefined ? await openFilesOf(self.pid) : undefined;
  const seen = agent.readProcess?.({ argv, ...(openFiles === undefined ? {} : { openFiles }) }) ?? {};
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
    record: recordOf(context, pane),
  };
}

async function livingStates(context: CrewContext, env: Readonly<Record<string, string>>): Promise<readonly State[]> {
  const lists = await Promise.all(
    context.agents.map(async (agent) => (await statesOf(agent, env)).map((state) => ({ agent, state }))),
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
    ({ processStart: told }, index) => starts[index] !== undefined && (told === undefined || told === starts[index]),
  );
}

const recordOf = (context: CrewContext, pane: PaneInfo): WorkerRecord | undefined =>
  context.roster
    .records()
    .find(
      (record) =>
        (record.phase === 'live' || record.phase === 'spawning') &&
        record.pane?.paneId === pane.ref.id &&
        record.pane.serverPid === pane.ref.serverPid &&
        record.pane.serverStartedAt === pane.ref.serverStartedAt,
    );
