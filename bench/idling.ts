// What a server costs that has many workers and nothing to do.
import type { Row } from './measure.ts';
import { childrenOf, cpuSeconds, endedChildrenFaults, residentMegabytes } from './process.ts';
import { openStand, spawnCrowd } from './stand.ts';

const workers = 50;
const seconds = 20;

export async function measureIdling(): Promise<Row[]> {
  const stand = await openStand();
  try {
    await spawnCrowd(stand, workers);
    const { pid } = stand.server;
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    // The looks that follow a last turn by two seconds are no part of idling.
    await pause(6_000);
    const cpu = cpuSeconds(pid);
    const faults = endedChildrenFaults(pid);
    const known = new Set(childrenOf(pid));
    const fresh = new Set<string>();
    const memory: number[] = [];
    for (let i = 0; i < seconds * 20; i++) {
      await pause(50);
      for (const child of childrenOf(pid)) if (!known.has(child)) fresh.add(child);
      memory.push(residentMegabytes(pid));
    }
    const share = ((cpuSeconds(pid) - cpu) / seconds) * 100;
    const started = fresh.size + (endedChildrenFaults(pid) > faults ? 1 : 0);
    return [
      { what: `idle server, ${workers} workers: processor`, unit: '% of a core', samples: [share], target: { p50: 1 } },
      { what: `idle server, ${workers} workers: memory`, unit: 'MB', samples: memory, target: { p99: 150 } },
      { what: `idle server, ${workers} workers: processes started`, unit: '', samples: [started], target: { p99: 0 } },
    ];
  } finally {
    await stand.dispose();
  }
}
