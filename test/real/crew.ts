// The built server with real workers behind it, as its client sees it, and with the fake model's truth beside it.
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { messageOf } from '../../src/model/errors.ts';
import { listOutput } from '../../src/wire/worker.ts';
import { type CrewClient, clientOver, type Outcome, paneOf, type Spawned, type Worker } from '../support/client.ts';
import { type Connection, connect, type Fields, isAlive } from '../support/mcp.ts';
import { eventually } from '../support/sandbox.ts';
import { type ClaudeHome, makeClaudeHome } from './claude-home.ts';
import { busySpans, type End, falseIdles, type Sample, type Sent } from './truth.ts';

export type { Outcome, Worker } from '../support/client.ts';

export interface RealCrew extends Omit<CrewClient, 'spawn'> {
  readonly home: ClaudeHome;
  readonly repo: string;
  /** The program of this crew, its hooks and its workers' own server: a copy of the built one. */
  readonly program: string;
  spawn(...workers: Fields[]): Promise<Spawned>;
  message(to: Worker, text: string, more?: Fields): Promise<Outcome>;
  interrupt(of: Worker): Promise<string>;
  /** Spawns one worker in the crew's repository, which has started; fails if it is not there. */
  one(config: Fields): Promise<Worker>;
  /** Undefined as long as no worker has this name. */
  named(name: string): Promise<Worker | undefined>;
  /** Resolves once the worker is seen in this status. */
  until(id: string, status: Worker['status'], ceilingMs?: number): Promise<Worker>;
  /** Waits until the worker is idle; throws the whole answer when the wait ends in any other way. */
  idle(of: Worker): Promise<Worker>;
  /** What a person does at the pane. */
  keys(at: Worker, ...keys: string[]): void;
  screen(at: Worker): string;
  /** Tells the judge that a person or a signal has just ended the worker's turn. */
  ended(of: Worker): void;
  /** Every time the worker was called idle while it was at work, so far. */
  falseIdles(of: Worker): string[];
  samples(of: Worker): readonly Sample[];
  readonly serverPid: () => number;
  /** Kills the server without a word, if it still lives, and starts its successor. */
  replaceServer(): Promise<void>;
  /** Ends the server and starts one that remembers nothing. */
  forget(): Promise<void>;
  dispose(): Promise<void>;
}

/** Claude Code alone, unless a home with more agents is made. */
export async function openRealCrew(makeHome: () => Promise<ClaudeHome> = makeClaudeHome): Promise<RealCrew> {
  const home = await makeHome();
  const repo = home.repo('project');
  const program = programIn(home);
  const launch = () => connectTo(home, { repo, program });
  const connection = await launch();
  const nothing = { samples: new Map(), latest: new Map(), sent: [], ends: [] };
  const client = clientOver(() => state.connection);
  const state: State = { home, repo, connection, client, ...nothing, stopped: false };
  const sampler = sample(state);
  const ended = (of: Worker, from = performance.now()) =>
    void state.ends.push({ cwd: of.project_path, from, to: performance.now() });
  return {
    home,
    repo,
    program,
    ...client,
    spawn: (...workers) => spawn(state, workers),
    async one(config) {
      const worker = firstOf(await spawn(state, [config]));
      return worker.status === 'starting' ? started(state, worker) : worker;
    },
    named: async (name) => (await client.list()).find((worker) => worker.name === name),
    until: (id, status, ceilingMs) => until(state, { id, status }, ceilingMs),
    message: (to, text, more = {}) => message(state, to, { text, more }),
    idle: (of) => idle(state, of),
    async interrupt(to) {
      const from = performance.now();
      const outcome = await client.interrupt(to);
      ended(to, from);
      return outcome;
    },
    keys: (at, ...keys) => void home.sandbox.tmux('send-keys', '-t', paneOf(at), ...keys),
    screen: (at) => home.sandbox.tmux('capture-pane', '-p', '-t', paneOf(at)),
    ended,
    falseIdles: (of) => judge(state, of.project_path),
    samples: (of) => state.samples.get(of.project_path) ?? [],
    serverPid: () => state.connection.pid,
    async replaceServer() {
      if (isAlive(state.connection.pid)) process.kill(state.connection.pid, 'SIGKILL');
      await state.connection.close();
      state.connection = await launch();
    },
    async forget() {
      await state.connection.close();
      rmSync(home.env.CREWMUX_HOME ?? '', { recursive: true, force: true });
      state.connection = await launch();
    },
    async dispose() {
      state.stopped = true;
      await sampler;
      await state.connection.close().finally(() => home.dispose());
    },
  };
}

function programIn({ sandbox }: ClaudeHome): string {
  const path = join(sandbox.dir('program'), 'crewmux.mjs');
  copyFileSync('dist/crewmux.mjs', path);
  return path;
}

const connectTo = (home: ClaudeHome, { repo, program }: { repo: string; program: string }): Promise<Connection> =>
  connect({
    command: process.execPath,
    args: [program],
    cwd: process.cwd(),
    env: { ...home.env, CREWMUX_COMMAND: home.claude, CREWMUX_PROJECT_DIR: repo },
  });

interface State {
  readonly home: ClaudeHome;
  readonly repo: string;
  connection: Connection;
  readonly client: CrewClient;
  /** By the folder of the worker. */
  readonly samples: Map<string, Sample[]>;
  /** By the id of the worker. */
  readonly latest: Map<string, Sample>;
  readonly sent: Sent[];
  readonly ends: (End & { readonly cwd: string })[];
  stopped: boolean;
}

async function spawn(state: State, workers: readonly Fields[]): Promise<Spawned> {
  const configs = workers.map((config) => ({ project_path: state.repo, ...asking(config), ...config }));
  const made = await state.client.spawn(configs);
  const at = performance.now();
  for (const [i, config] of configs.entries()) {
    const { prompt } = z.looseObject({ prompt: z.string().optional() }).parse(config);
    const cwd = made.sessions[i]?.project_path;
    if (prompt !== undefined && cwd !== undefined && made.failed.length === 0)
      state.sent.push({ cwd, text: prompt, at });
  }
  return state.client.whole(made);
}

/** As they come they would ask for nothing; what holds there has tests of its own. `null` is as nobody had said it. */
const asking = ({ agent_type = 'claude' }: Fields): Fields =>
  agent_type === 'claude' || agent_type === 'codex'
    ? { sandbox: false, permission_mode: 'manual' }
    : { sandbox: false };

function firstOf({ sessions: [first], failed }: Spawned): Worker {
  if (first === undefined) throw new Error(`Not spawned: ${JSON.stringify(failed)}`);
  return first;
}

/** A slow machine may take longer over a start than a spawn waits for. */
const started = (state: State, { session_id }: Worker): Promise<Worker> =>
  eventually(`worker ${session_id} has started`, async () => {
    const seen = await state.client.look(session_id);
    return seen.status !== 'starting' && seen;
  });

async function until(
  state: State,
  wanted: { id: string; status: string },
  ceilingMs: number | undefined,
): Promise<Worker> {
  const begun = performance.now();
  const isSo = async () => {
    // The sampler asks anyway, and every question takes the processor from the agents.
    const sampled = state.latest.get(wanted.id);
    if (sampled !== undefined && (sampled.from < begun || sampled.status !== wanted.status)) return false;
    const seen = await state.client.look(wanted.id);
    return seen.status === wanted.status && seen;
  };
  return eventually(`worker ${wanted.id} is ${wanted.status}`, isSo, ceilingMs ?? 90_000).catch(
    async (error: unknown) => {
      const last = await state.client.look(wanted.id).catch(() => undefined);
      const { status, waiting_for, evidence } = last ?? {};
      const seen = JSON.stringify({ status, waiting_for, evidence });
      const screen = last?.terminal_id ? state.home.sandbox.tmux('capture-pane', '-p', '-t', paneOf(last)) : '';
      throw new Error(`${messageOf(error)}; the last look: ${seen}\n${screen.trimEnd()}`);
    },
  );
}

async function idle(state: State, { session_id }: Worker): Promise<Worker> {
  const answer = await state.client.wait([session_id]);
  const seen = await state.client.look(session_id);
  if (!answer.all_idle || answer.timed_out) throw new Error(`Not idle: ${JSON.stringify({ answer, seen }, null, 1)}`);
  return seen;
}

async function message(state: State, to: Worker, { text, more }: { text: string; more: Fields }): Promise<Outcome> {
  const outcome = await state.client.message(to, text, more);
  // A command is not a prompt: the model never hears of it.
  const isTaken = outcome.verdict === 'submitted' && more.as_command !== true;
  if (isTaken) state.sent.push({ cwd: to.project_path, text, at: performance.now() });
  return outcome;
}

function judge(state: State, cwd: string): string[] {
  const ends = state.ends.filter((end) => end.cwd === cwd);
  const spans = busySpans(cwd, state.home.model.requests, { sent: state.sent, ends });
  return falseIdles(state.samples.get(cwd) ?? [], spans);
}

// Less, and the asking takes the processor from the agents that are asked about.
const sampleMs = 50;

/** Asks for everyone's status again and again; a server that is being replaced is asked later. */
async function sample(state: State): Promise<void> {
  while (!state.stopped) {
    const from = performance.now();
    const answer = await state.connection.call('list_workers', { include_closed: true }).catch(() => undefined);
    const to = performance.now();
    const seen = listOutput.safeParse(answer);
    for (const worker of seen.data?.workers ?? []) {
      const { session_id, project_path, status, waiting_for: waitingFor, turn } = worker;
      // A closed worker whose worktree is gone is listed with its project.
      const known = status === 'closed' ? state.latest.get(session_id)?.cwd : undefined;
      const cwd = known ?? project_path;
      const one: Sample = { from, to, cwd, status, waitingFor, endedBy: turn?.ended_by };
      const kept = state.samples.get(cwd) ?? [];
      kept.push(one);
      state.samples.set(cwd, kept);
      state.latest.set(session_id, one);
    }
    await new Promise((resolve) => setTimeout(resolve, sampleMs));
  }
}
