// Many idle workers, spawned in as few calls as the tool allows.
import type { Stand, Worker } from './stand.ts';

const mostInOneCall = 16;

export async function spawnCrowd(stand: Stand, count: number): Promise<Worker[]> {
  const crowd: Worker[] = [];
  while (crowd.length < count) {
    const batch = Math.min(mostInOneCall, count - crowd.length);
    crowd.push(...(await stand.spawn(Array.from({ length: batch }, () => ({ prompt: 'SAY ready' })))));
  }
  await stand.wait(crowd.map((w) => w.session_id));
  return crowd;
}
