import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openHome } from '../../src/store/home.ts';
import { enterSalvage, madeSalvages } from '../../src/store/salvage-book.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';

let box: Sandbox;
beforeEach(() => {
  box = makeSandbox();
});
afterEach(() => box.dispose());

it('every salvage that was entered is told, whatever stands between them, to its owner alone', async () => {
  const home = await openHome(box.dir('crewmux'));
  const path = join(home.root, 'salvages.jsonl');
  expect(await madeSalvages(home)).toEqual([]);
  const [one, two] = ['1', '2'].map((at) => ({ ref: `refs/crewmux/salvage/${at}`, sha: at.repeat(40) }));
  if (one === undefined || two === undefined) throw new Error('never');
  await enterSalvage(home, one);
  appendFileSync(path, '{"v":1,"ref":"torn\n{"v":2,"later":true}\n');
  await enterSalvage(home, two);
  expect(await madeSalvages(home)).toEqual([one, two]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
