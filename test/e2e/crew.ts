// The built server with scripted agents behind it, and a real MCP client before it.
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { defined } from '../../src/model/defined.ts';
import { attention } from '../../src/wire/attention.ts';
import { messageOutcome } from '../../src/wire/messages.ts';
import { list } from '../../src/wire/parts.ts';
import { spawnOutput } from '../../src/wire/starting.ts';
import { worker } from '../../src/wire/worker.ts';
import { type Connection, connect, type Fields, type Person } from '../support/mcp.ts';
import { eventually, makeSandbox, type Sandbox } from '../support/sandbox.ts';

export type Worker = z.infer<typeof worker>;
export type Spawned = Omit<z.infer<typeof spawnOutput>, 'sessions'> & { readonly sessions: readonly Worker[] };
export type Outcome = z.infer<typeof messageOutcome>;

const listed = z.object({ workers: list(worker), attention: list(attention) });
const messaged = z.object({
  results: z.record(z.string(), messageOutcome),
  all_idle: z.boolean().optional(),
  timed_out: z.boolean().optional(),
});
const waited = z.object({
  idle_session_ids: list(z.string()),
  all_idle: z.boolean(),
  waiting_on: list(z.string()),
  timed_out: z.boolean(),
  last_words: z.record(z.string(), z.string()).optional(),
  waited_seconds: z.number(),
  attention: list(attention),
  cursor: z.string(),
});
const closed = z.object({
  results: z.record(
    z.string(),
    z.looseObject({ success: z.boolean(), worktree: z.string(), warning: z.string().optional() }),
  ),
});
const logs = z.object({ messages: z.array(z.object({ role: z.string(), content: z.string() })) });
const outcomes = z.object({ results: z.record(z.string(), z.object({ outcome: z.string(), detail: z.string() })) });

/** The bundle that is tested, whole: server and agent. */
export const bundle = resolve(process.env.CREWMUX_BUILT ?? 'dist/crewmux.mjs');
export const agentCommand: readonly string[] = [process.execPath, bundle, 'scripted-agent'];

export interface Server {
  readonly connection: Connection;
  call<Output>(tool: string, output: z.ZodType<Output>, args?: Fields): Promise<Output>;
  spawn(...workers: Fields[]): Promise<Spawned>;
  /** Spawns one worker and fails if it is not there. */
  one(config?: Fields): Promise<Worker>;
  look(id: string): Promise<Worker>;
  /** Resolves once the worker is seen in this status. */
  until(id: string, status: Worker['status']): Promise<Worker>;
  message(to: Worker, text: string, more?: Fields): Promise<Outcome>;
  wait(workers: readonly Worker[], more?: Fields): Promise<z.infer<typeof waited>>;
  interrupt(of: Worker): Promise<string>;
  close(of: Worker, force?: boolean): Promise<z.infer<typeof closed>['results'][string]>;
  /** What was said last by the assistant. */
  lastWords(of: Worker): Promise<string>;
}

export interface Stand {
  readonly sandbox: Sandbox;
  readonly repo: string;
  /** Starts another server on the same home; ended with the stand. */
  serve(env?: Readonly<Record<string, string>>, person?: Person): Promise<Server>;
  /** What the worker's agent would start: the worker's own tools, with the token of a launch. */
  toolsOf(worker: Pick<Worker, 'session_id'>, launch?: number): Promise<Connection>;
  /** Lets everybody go on who plays `HOLD name`. */
  release(name: string): void;
  keys(at: Worker, ...keys: string[]): void;
  screen(at: Worker): string;
  dispose(): Promise<void>;
}

export function openStand(): Stand {
  const sandbox = makeSandbox();
  const repo = sandbox.repo('project');
  const servers: Server[] = [];
  const desks: Connection[] = [];
  return {
    sandbox,
    repo,
    async serve(env = {}, person) {
      const connection = await connect({
        command: process.execPath,
        args: [bundle],
        cwd: repo,
        env: { ...sandbox.env, CREWMUX_COMMAND: agentCommand.join(' '), CREWMUX_PROJECT_DIR: repo, ...env },
        ...defined({ person }),
      });
      const server = serverOn(connection, repo);
      servers.push(server);
      return server;
    },
    async toolsOf({ session_id }, launch = 1) {
      const badge = join(sandbox.dir('crewmux'), 'workers', session_id, 'launches', String(launch), 'badge.json');
      const connection = await connect({
        command: process.execPath,
        args: [bundle, 'worker'],
        cwd: repo,
        env: { ...sandbox.env, CREWMUX_WORKER_TOKEN_FILE: badge },
      });
      desks.push(connection);
      return connection;
    },
    release: (name) => writeFileSync(join(sandbox.dir('home/.claude/scripted'), name), ''),
    keys: (at, ...keys) => void sandbox.tmux('send-keys', '-t', paneOf(at), ...keys),
    screen: (at) => sandbox.tmux('capture-pane', '-p', '-t', paneOf(at)),
    async dispose() {
      try {
        await Promise.all(desks.map((desk) => desk.close()));
        await Promise.all(servers.map(({ connection }) => connection.close()));
      } finally {
        sandbox.dispose();
      }
    },
  };
}

export const paneOf = (of: Worker): string => (of.terminal_id ?? '').replace(/^tmux:/, '');

function serverOn(connection: Connection, repo: string): Server {
  const call: Server['call'] = async (tool, output, args) => output.parse(await connection.call(tool, args));
  const look: Server['look'] = async (id) => {
    const { workers } = await call('list_workers', listed, { include_closed: true, fields: 'full' });
    const found = workers.find((one) => one.session_id === id);
    if (found === undefined) throw new Error(`No worker ${id} in the list`);
    return found;
  };
  const spawn: Server['spawn'] = async (...workers) => {
    const configs = workers.map((config) => ({ project_path: repo, ...config }));
    const made = await call('spawn_workers', spawnOutput, { workers: configs });
    // Whatever changed meanwhile, a spawn is tested by what it answered itself.
    const whole = async (one: (typeof made.sessions)[number]) => ({ ...(await look(one.session_id)), ...one });
    return { ...made, sessions: await Promise.all(made.sessions.map(whole)) };
  };
  return {
    connection,
    call,
    spawn,
    look,
    async one(config = {}) {
      const { sessions, failed } = await spawn({ skip_permissions: true, ...config });
      if (sessions[0] === undefined) throw new Error(`Not spawned: ${JSON.stringify(failed)}`);
      return sessions[0];
    },
    until: (id, status) =>
      eventually(`worker ${id} is ${status}`, async () => {
        const seen = await look(id);
        return seen.status === status && seen;
      }),
    async message({ session_id }, text, more = {}) {
      const asked = { session_ids: [session_id], message: text, ...more };
      const { results } = await call('message_workers', messaged, asked);
      return messageOutcome.parse(results[session_id]);
    },
    wait: (workers, more = {}) =>
      call('wait_idle_workers', waited, {
        session_ids: workers.map(({ session_id }) => session_id),
        timeout: 60,
        ...more,
      }),
    async interrupt({ session_id }) {
      const { results } = await call('interrupt_workers', outcomes, { session_ids: [session_id] });
      return results[session_id]?.outcome ?? 'missing';
    },
    async close({ session_id }, force = false) {
      const { results } = await call('close_workers', closed, { session_ids: [session_id], force });
      const result = results[session_id];
      if (result === undefined) throw new Error(`No result for ${session_id}`);
      return result;
    },
    async lastWords({ session_id }) {
      const { messages } = await call('read_worker_logs', logs, { session_id });
      return messages.findLast(({ role }) => role === 'assistant')?.content ?? '';
    },
  };
}
