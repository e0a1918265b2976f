// A private machine to measure on: sandbox, built server, scripted agents.

import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { BriefWorker } from '../src/wire/worker.ts';
import { clientOver, type Worker } from '../test/support/client.ts';
import { type Connection, connect, type Fields } from '../test/support/mcp.ts';
import { makeSandbox, type Sandbox } from '../test/support/sandbox.ts';

export type { Worker } from '../test/support/client.ts';

const built = resolve('dist/crewmux.mjs');
export const agentCommand = [process.execPath, built, 'scripted-agent'];
/** The agent's own pauses are off, so that only ours are measured. */
export const agentEnv = { CREWMUX_SCRIPTED_PACE: '0' };

export interface Stand {
  readonly sandbox: Sandbox;
  readonly repo: string;
  readonly server: Connection;
  spawn(workers: readonly Fields[], layout?: 'auto' | 'new'): Promise<BriefWorker[]>;
  list(): Promise<readonly Worker[]>;
  wait(ids: readonly string[]): Promise<void>;
  message(id: string, text: string): Promise<void>;
  close(ids: readonly string[]): Promise<void>;
  dispose(): Promise<void>;
}

export async function openStand(config?: object): Promise<Stand> {
  const sandbox = makeSandbox();
  const repo = sandbox.repo('project');
  const env = {
    ...sandbox.env,
    CREWMUX_COMMAND: agentCommand.map((word) => `'${word}'`).join(' '),
    CREWMUX_PROJECT_DIR: repo,
    ...(config !== undefined && { ...agentEnv, CREWMUX_CONFIG: configFile(sandbox, config) }),
  };
  const server = await connect({
    command: process.execPath,
    args: [built],
    cwd: process.cwd(),
    env,
  });
  const client = clientOver(() => server);
  return {
    sandbox,
    repo,
    server,
    async spawn(workers, layout = 'auto') {
      const configs = workers.map((config) => ({ project_path: repo, env: agentEnv, ...config }));
      const made = await client.spawn(configs, { layout });
      if (made.failed.length > 0) throw new Error(`Not spawned: ${JSON.stringify(made.failed)}`);
      return [...made.sessions];
    },
    list: client.list,
    async wait(session_ids) {
      const answer = await client.wait(session_ids, { timeout: 50 });
      if (!answer.all_idle) throw new Error(`Not idle: ${JSON.stringify(answer)}`);
    },
    async message(id, text) {
      const outcome = await client.message({ session_id: id }, text);
      if (outcome.verdict !== 'submitted') throw new Error(`Not submitted: ${JSON.stringify(outcome)}`);
    },
    close: async (session_ids) => void (await server.call('close_workers', { session_ids, force: true })),
    async dispose() {
      await server.close().finally(() => sandbox.dispose());
    },
  };
}

function configFile({ root }: Sandbox, config: object): string {
  const path = join(root, 'config.json');
  writeFileSync(path, JSON.stringify(config));
  return path;
}

/** Many idle workers, in as few calls as the tool allows. */
export async function spawnCrowd(stand: Stand, count: number): Promise<readonly Worker[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const batch = Math.min(16, count - ids.length);
    const made = await stand.spawn(Array.from({ length: batch }, () => ({ prompt: 'SAY ready' })));
    ids.push(...made.map(({ session_id }) => session_id));
  }
  await stand.wait(ids);
  return stand.list();
}
