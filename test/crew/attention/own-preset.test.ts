import { afterAll, beforeAll, expect, it } from 'vitest';
import { setPermissions } from '../../../src/tools/set-permissions.ts';
import { permissionsOutput } from '../../../src/wire/permissions.ts';
import { openRestingCrew, type Resting, type RestingCrew } from '../../support/resting-crew.ts';

let crew: RestingCrew;
let rita: Resting;
beforeAll(async () => {
  crew = await openRestingCrew();
  rita = await crew.worker({ record: { preset: 'review', role: 'reviewer' } });
});
afterAll(() => crew.dispose());

const rules = (more: object = {}) =>
  crew.call(setPermissions, permissionsOutput, { scope: `worker:${rita.id}`, ...more });

it('the preset that a worker was started with denies edits, another takes its place, and none takes it away', async () => {
  expect(await rules()).toMatchObject({
    rules: { preset: 'review' },
    in_effect: { deny: expect.arrayContaining(['Edit']) },
  });
  expect((await rules({ preset: 'fix' })).in_effect.deny).not.toContain('Edit');
  const freed = await rules({ preset: 'none' });
  expect([freed.rules.preset, freed.in_effect.deny]).toEqual([undefined, []]);
});
