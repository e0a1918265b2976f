import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../../src/system/clock.ts';
import { processStart } from '../../../src/system/process.ts';
import { openLease } from '../../../src/work/drive/lease.ts';
import { makeSandbox, type Sandbox } from '../../support/sandbox.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = makeSandbox();
});
afterEach(() => sandbox.dispose());

it('a lease that is closed while it is being taken is let go of, and nothing begins under it', async () => {
  const path = join(sandbox.dir('locks'), 'lease');
  const me = { pid: process.pid, processStart: (await processStart(process.pid)) ?? '' };
  let taken = 0;
  const lease = openLease({
    ...{ path, me, clock: systemClock, isWanted: () => true, onTrouble: () => undefined },
    onTaken: () => {
      taken += 1;
    },
  });
  await lease.close();
  expect(existsSync(path)).toBe(false);
  expect(taken).toBe(0);
});
