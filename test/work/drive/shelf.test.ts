import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/system/clock.ts';
import { openShelf } from '../../../src/work/drive/shelf.ts';
import { makeSandbox } from '../../support/sandbox.ts';

it('a book that could not be opened is opened when what was in the way is gone', async () => {
  const sandbox = makeSandbox();
  const home = sandbox.dir('state');
  writeFileSync(join(home, 'tasks'), '');
  const shelf = openShelf(home, { clock: systemClock, onTrouble: () => undefined });
  await expect(shelf.open('shop')).rejects.toThrow();
  rmSync(join(home, 'tasks'));
  expect((await shelf.open('shop')).crew).toBe('shop');
  await shelf.close();
  sandbox.dispose();
});
