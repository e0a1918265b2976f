import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findBubblewrap } from '../../../src/worktree/landing/sandbox-probe.ts';
import { makeSandbox, type Sandbox } from '../../support/sandbox.ts';

let box: Sandbox;
beforeAll(() => {
  box = makeSandbox();
});
afterAll(() => box.dispose());

/** The PATH of a folder with a bubblewrap that counts its runs. */
function program(folder: string, script: string): { PATH: string; runs: () => number } {
  const file = join(box.dir(folder), 'bwrap');
  const count = `${file}.runs`;
  writeFileSync(file, `#!/bin/sh\necho x >>'${count}'\n${script}\n`);
  chmodSync(file, 0o755);
  const runs = () => (existsSync(count) ? readFileSync(count, 'utf8').split('\n').length - 1 : 0);
  return { PATH: box.dir(folder), runs };
}

it('one that runs is found by its path, and is run once', async () => {
  const { PATH, runs } = program('good', 'exit 0');
  const found = { program: join(PATH, 'bwrap') };
  expect(await Promise.all([findBubblewrap({ PATH }), findBubblewrap({ PATH })])).toEqual([found, found]);
  expect(await findBubblewrap({ PATH })).toEqual(found);
  expect(runs()).toBe(1);
});

it('one that does not run is told with its own words', async () => {
  const { PATH } = program('bad', 'echo "bwrap: No permissions" >&2; exit 1');
  expect(await findBubblewrap({ PATH })).toEqual({
    missing: `${join(PATH, 'bwrap')} does not work here: bwrap: No permissions`,
  });
});

it('one that only a relative folder of the PATH leads to does not count', async () => {
  const { PATH, runs } = program('near', 'exit 0');
  const near = join('..', '..', '..', '..', '..', '..', PATH);
  expect(await findBubblewrap({ PATH: `${near}::.:/nowhere` })).toEqual({ missing: 'bwrap is not on the PATH' });
  expect(runs()).toBe(0);
});
