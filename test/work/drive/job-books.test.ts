import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/system/clock.ts';
import { openJobBooks } from '../../../src/work/drive/job-books.ts';
import { makeSandbox } from '../../support/sandbox.ts';

it('a book that could not be opened is opened when what was in the way is gone', async () => {
  const sandbox = makeSandbox();
  const home = sandbox.dir('state');
  writeFileSync(join(home, 'tasks'), '');
  const jobBooks = openJobBooks(home, { clock: systemClock, onTrouble: () => undefined });
  await expect(jobBooks.open('shop')).rejects.toThrow();
  rmSync(join(home, 'tasks'));
  expect((await jobBooks.open('shop')).crew).toBe('shop');
  await jobBooks.close();
  sandbox.dispose();
});
