// From starting the program to its answers to initialize and tools/list, against a node that does nothing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { makeSandbox } from '../test/support/sandbox.ts';
import { percentile, type Row, timed } from './measure.ts';

const rounds = 30;
const initialize = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
};

export async function measureStart(): Promise<Row[]> {
  const sandbox = makeSandbox();
  const bare: number[] = [];
  const greeted: number[] = [];
  const listed: number[] = [];
  const start = (args: readonly string[]) => {
    const child = spawn(process.execPath, args, { env: sandbox.env, stdio: ['pipe', 'pipe', 'inherit'] });
    return { stdin: child.stdin, stdout: child.stdout, ended: once(child, 'exit') };
  };
  try {
    for (let i = 0; i < rounds; i++) {
      bare.push(await timed(() => start(['-e', '0']).ended));
      const from = performance.now();
      const { stdin, stdout, ended } = start(['dist/crewmux.mjs']);
      const lines = createInterface({ input: stdout });
      const send = (message: object) => stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
      send(initialize);
      await once(lines, 'line');
      greeted.push(performance.now() - from);
      send({ method: 'notifications/initialized' });
      send({ id: 2, method: 'tools/list' });
      await once(lines, 'line');
      listed.push(performance.now() - from);
      stdin.end();
      await ended;
    }
  } finally {
    sandbox.dispose();
  }
  const ratio = (samples: readonly number[]) => [percentile(samples, 0.5) / percentile(bare, 0.5)];
  return [
    { what: 'node -e 0', unit: 'ms', samples: bare },
    { what: 'start -> initialize answered', unit: 'ms', samples: greeted },
    { what: 'start -> initialize, by node -e 0', unit: 'x', samples: ratio(greeted), target: { p50: 2.5 } },
    { what: 'start -> tools/list answered', unit: 'ms', samples: listed },
    { what: 'start -> tools/list, by node -e 0', unit: 'x', samples: ratio(listed), target: { p50: 3 } },
  ];
}
