// What `crewmux keep` costs while it waits for a schedule, with the process that would drive for it.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { connect } from '../test/support/mcp.ts';
import { makeSandbox } from '../test/support/sandbox.ts';
import type { Row } from './measure.ts';
import { childrenOf, cpuSeconds, residentMegabytes } from './process.ts';

const built = resolve('dist/crewmux.mjs');
const seconds = 60;
const yearly = { action: 'add', cron: '0 0 1 1 *', task: { title: 'Yearly', prompt: 'SAY hello' } };

export async function measureKeeping(): Promise<Row[]> {
  const sandbox = makeSandbox();
  const repo = sandbox.repo('project');
  const env = { ...sandbox.env, CREWMUX_PROJECT_DIR: repo };
  const server = await connect({ command: process.execPath, args: [built], cwd: repo, env });
  await server.call('schedule_task', yearly).finally(() => server.close());
  const keeper = spawn(process.execPath, [built, 'keep'], { cwd: repo, env, stdio: 'ignore' });
  const ended = new Promise((done) => keeper.once('close', done));
  try {
    const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
    await pause(6_000);
    const pids = [keeper.pid ?? 0, ...childrenOf(keeper.pid ?? 0).map(Number)];
    const used = () => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
    const [cpu, started] = [used(), performance.now()];
    await pause(seconds * 1_000);
    const share = ((used() - cpu) / ((performance.now() - started) / 1_000)) * 100;
    const memory = pids.reduce((sum, pid) => sum + residentMegabytes(pid), 0);
    return [
      {
        what: 'crewmux keep, waiting for a schedule: processor',
        unit: '% of a core',
        samples: [share],
        target: { p50: 0.2 },
      },
      { what: 'crewmux keep, waiting for a schedule: memory', unit: 'MB', samples: [memory] },
    ];
  } finally {
    keeper.kill('SIGTERM');
    await ended;
    sandbox.dispose();
  }
}
