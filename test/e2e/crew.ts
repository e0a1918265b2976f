// The built server with scripted agents behind it, and a real MCP client before it.
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defined } from '../../src/model/defined.ts';
import { type CrewClient, clientOver, paneOf, type Spawned, type Worker } from '../support/client.ts';
import { type Connection, connect, type Fields, type Person } from '../support/mcp.ts';
import { eventually, makeSandbox, type Sandbox } from '../support/sandbox.ts';

export type { Outcome, Worker } from '../support/client.ts';
export { paneOf } from '../support/client.ts';

/** The bundle that is tested, whole: server and agent. */
export const bundle = resolve(process.env.CREWMUX_BUILT ?? 'dist/crewmux.mjs');
export const agentCommand: readonly string[] = [process.execPath, bundle, 'scripted-agent'];

export interface Server extends Omit<CrewClient, 'spawn' | 'wait'> {
  readonly connection: Connection;
  spawn(...workers: Fields[]): Promise<Spawned>;
  /** Spawns one worker and fails if it is not there. */
  one(config?: Fields): Promise<Worker>;
  /** Resolves once the worker is seen in this status. */
  until(id: string, status: Worker['status']): Promise<Worker>;
  wait(workers: readonly Worker[], more?: Fields): ReturnType<CrewClient['wait']>;
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

function serverOn(connection: Connection, repo: string): Server {
  const client = clientOver(() => connection);
  const spawn: Server['spawn'] = async (...workers) =>
    client.whole(await client.spawn(workers.map((config) => ({ project_path: repo, ...config }))));
  return {
    ...client,
    connection,
    spawn,
    async one(config = {}) {
      const { sessions, failed } = await spawn({ skip_permissions: true, ...config });
      if (sessions[0] === undefined) throw new Error(`Not spawned: ${JSON.stringify(failed)}`);
      return sessions[0];
    },
    until: (id, status) =>
      eventually(`worker ${id} is ${status}`, async () => {
        const seen = await client.look(id);
        return seen.status === status && seen;
      }),
    wait: (workers, more = {}) =>
      client.wait(
        workers.map(({ session_id }) => session_id),
        { timeout: 60, ...more },
      ),
    lastWords: async (of) =>
      (await client.conversation(of)).findLast(({ role }) => role === 'assistant')?.content ?? '',
  };
}
