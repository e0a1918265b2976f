// Takes a lock and keeps it: holder.ts <lock>
import { withLock } from '../../../src/system/lock.ts';
import { me } from './me.ts';

await withLock(
  process.argv[2] ?? '',
  async () => {
    console.log('held');
    await new Promise((resolve) => setInterval(resolve, 2 ** 30));
  },
  { me, timeoutMs: 120_000 },
);
