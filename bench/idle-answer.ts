// From the end-of-turn line on disk to the answer of wait_idle_workers.
import { statSync } from 'node:fs';
import type { Row } from './measure.ts';
import { openStand, type Stand, spawnCrowd, type Worker } from './stand.ts';

const rounds = 100;

export async function measureIdleAnswer(workers: number): Promise<Row[]> {
  const stand = await openStand();
  try {
    const crowd = await spawnCrowd(stand, workers);
    const samples: number[] = [];
    for (let i = 0; i < rounds; i++) {
      const worker = crowd[i % crowd.length];
      if (worker !== undefined) samples.push(await oneTurn(stand, worker));
    }
    const what = `turn's last line on disk -> wait_idle_workers answers, ${workers} worker${workers === 1 ? '' : 's'}`;
    return [{ what, unit: 'ms', samples, target: { p50: 10, p99: 60 } }];
  } finally {
    await stand.dispose();
  }
}

async function oneTurn(stand: Stand, worker: Worker): Promise<number> {
  await stand.message(worker.session_id, 'SLEEP 0.25');
  await stand.wait([worker.session_id]);
  const answeredAt = performance.timeOrigin + performance.now();
  return answeredAt - statSync(worker.transcript_path ?? '').mtimeMs;
}
