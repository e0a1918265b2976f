import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openUntold } from '../../src/store/untold.ts';
import { makeSandbox } from '../support/sandbox.ts';

const sandbox = makeSandbox();
afterEach(() => sandbox.dispose());

it('the file of a reader lies in a folder for its owner alone, without those of readers that are gone', async () => {
  const who = { reader: 7, living: new Set([7, 8]) };
  expect(await openUntold(sandbox.root, who)).toBe(join(sandbox.root, 'untold/7'));
  const folder = join(sandbox.root, 'untold');
  for (const name of ['8', '8.shown', '9', '9.shown', '9.ab.tmp']) writeFileSync(join(folder, name), '');
  await openUntold(sandbox.root, who);
  expect([readdirSync(folder).toSorted(), statSync(folder).mode & 0o777]).toEqual([['8', '8.shown'], 0o700]);
});
