// Adds one to the number in a file, so many times, each under the lock: counter.ts <lock> <file> <times>
import { readFileSync, writeFileSync } from 'node:fs';
import { withLock } from '../../../src/system/lock.ts';
import { me } from './me.ts';

const [lock = '', file = '', times] = process.argv.slice(2);
for (let i = 0; i < Number(times); i++) {
  await withLock(
    lock,
    async () => {
      const before = Number(readFileSync(file, 'utf8'));
      await new Promise(setImmediate);
      writeFileSync(file, String(before + 1));
    },
    { me, timeoutMs: 120_000 },
  );
}
