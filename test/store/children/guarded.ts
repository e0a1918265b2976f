// Runs a shell line that ends when this process does: guarded.ts <line>
import process from 'node:process';
import { run } from '../../../src/system/exec.ts';

const env = { PATH: process.env.PATH ?? '/usr/bin:/bin' };
await run('/bin/sh', ['-c', process.argv[2] ?? ''], {
  env,
  wholeTree: 'always',
  guard: { beforeStart: async () => {} },
});
