// How much of a crew's state is left on the disk after many messages. `KEPT_MESSAGES` names another number of them.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from './measure.ts';
import { openStand, spawnCrowd, type Worker } from './stand.ts';

const workers = 8;
const messages = Number(process.env.KEPT_MESSAGES ?? 14_536);
/** What is long gets shorter once a worker has rested for a while. */
const restMs = 130_000;

const bytesIn = (dir: string): number =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' }).reduce((sum, name) => {
    const facts = statSync(join(dir, name), { throwIfNoEntry: false });
    return sum + (facts?.isFile() ? facts.size : 0);
  }, 0);

export async function measureKept(): Promise<Row[]> {
  const stand = await openStand();
  try {
    const crowd = await spawnCrowd(stand, workers);
    const words = 'Look at the cart again. '.repeat(20);
    const each = Math.ceil(messages / workers);
    const talk = async ({ session_id: id }: Worker) => {
      for (let i = 0; i < each; i += 1) await stand.message(id, `SAY ${i} ${words}`);
    };
    await Promise.all(crowd.map(talk));
    const home = stand.sandbox.dir('crewmux');
    const before = bytesIn(home);
    await new Promise((resolve) => setTimeout(resolve, restMs));
    const megabytes = (bytes: number) => [bytes / 1024 / 1024];
    const what = `state after ${each * workers} messages to ${workers} workers`;
    return [
      { what: `${what}, at once`, unit: 'MB', samples: megabytes(before) },
      { what: `${what}, at rest`, unit: 'MB', samples: megabytes(bytesIn(home)), target: { p50: 5 } },
    ];
  } finally {
    await stand.dispose();
  }
}
