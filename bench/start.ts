// From starting the program to its answer to initialize, against a node that does nothing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { makeSandbox } from '../test/support/sandbox.ts';
import { percentile, type Row, timed } from './measure.ts';

const rounds = 30;
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
};

export async function measureStart(): Promise<Row[]> {
  const sandbox = makeSandbox();
  const start = async (args: readonly string[], talk: boolean) => {
    const child = spawn(process.execPath, args, { env: sandbox.env, stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = once(child, 'exit');
    if (talk) {
      child.stdin.write(`${JSON.stringify(initialize)}\n`);
      await once(child.stdout, 'data');
    } else await ended;
    return { child, ended };
  };
  const bare: number[] = [];
  const ours: number[] = [];
  try {
    for (let i = 0; i < rounds; i++) {
      bare.push(await timed(() => start(['-e', '0'], false)));
      let server: Awaited<ReturnType<typeof start>> | undefined;
      ours.push(
        await timed(async () => {
          server = await start(['dist/crewmux.mjs'], true);
        }),
      );
      server?.child.stdin.end();
      await server?.ended;
    }
  } finally {
    sandbox.dispose();
  }
  const ratio = percentile(ours, 0.5) / percentile(bare, 0.5);
  return [
    { what: 'node -e 0', unit: 'ms', samples: bare },
    { what: 'start -> initialize answered', unit: 'ms', samples: ours },
    { what: 'start -> initialize, as a multiple of node -e 0', unit: 'x', samples: [ratio], target: { p50: 2.5 } },
  ];
}
