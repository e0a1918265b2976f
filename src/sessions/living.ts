// Which sessions a process has open, by the agents' state files and by open files.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentSessions, SessionState } from '../agents/agent-sessions.ts';
import { isMissing } from '../model/errors.ts';
import { plainText } from '../system/plain-file.ts';
import { allProcesses } from '../system/process-table.ts';
import { openFilesOf, processesLike } from '../system/process-traces.ts';

export interface Living {
  /** Of processes that run, each proven by its start time where its file has one. */
  readonly states: readonly LivingState[];
  /** Since when each process runs of which no file says what session it has. */
  readonly nameless: readonly Holder[];
  /** Sessions that a process holds open, by id. */
  readonly held: ReadonlyMap<string, Holder>;
  /** Processes may have sessions open that cannot be seen. */
  readonly isBlind: boolean;
  /** State files that could not be understood. */
  readonly odd: number;
}

export interface Holder {
  readonly pid: number;
  /** Epoch ms. */
  readonly since: number;
}

export interface LivingState extends SessionState {
  readonly session: NonNullable<SessionState['session']>;
}

export async function readLiving(agent: AgentSessions, states: string | undefined): Promise<Living> {
  const [told, holders] = await Promise.all([readStates(agent, states), readHeld(agent)]);
  return { ...told, held: holders.held, isBlind: told.isBlind || holders.isBlind };
}

async function readStates(agent: AgentSessions, folder: string | undefined) {
  const none = { states: [], nameless: [], odd: 0, isBlind: false };
  if (folder === undefined) return none;
  const names = await readdir(folder).catch((error: unknown) => (isMissing(error) ? [] : undefined));
  if (names === undefined) return { ...none, isBlind: true };
  const rows = new Map((await allProcesses()).filter((row) => !row.isZombie).map(({ pid, start }) => [pid, start]));
  const files = await Promise.all(names.map((name) => stateFile(agent, join(folder, name))));
  // A killed agent leaves its file behind, and its pid to somebody else.
  const living = files.filter(({ state }) => {
    const start = state && rows.get(state.pid);
    return start !== undefined && (state?.processStart ?? start) === start;
  });
  const states = living.flatMap(({ state }) =>
    state?.session === undefined ? [] : [{ ...state, session: state.session }],
  );
  const named = new Set(states.map(({ pid }) => pid));
  return {
    states,
    nameless: living.flatMap(({ state, since }) =>
      state === undefined || named.has(state.pid) ? [] : [{ pid: state.pid, since }],
    ),
    odd: files.filter(({ state, path }) => state === undefined && path.endsWith('.json')).length,
    isBlind: false,
  };
}

async function stateFile(agent: AgentSessions, path: string) {
  const [text, stats] = await Promise.all([plainText(path), stat(path).catch(() => undefined)]);
  return { path, state: agent.stateIn(path, text), since: stats?.mtimeMs ?? 0 };
}

async function readHeld(agent: AgentSessions) {
  const pids = agent.mayHold === undefined ? [] : await processesLike(agent.mayHold);
  const files = await Promise.all(pids.map(openFilesOf));
  const held = files.flatMap((open, at) =>
    (open ?? []).flatMap(({ path, modifiedAt: since }) => {
      const [id, pid] = [agent.heldBy(path), pids[at]];
      return id === undefined || pid === undefined ? [] : [[id, { pid, since }] as const];
    }),
  );
  return { held: new Map(held), isBlind: files.includes(undefined) };
}
