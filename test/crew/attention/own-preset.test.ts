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
  const { all_rules, ...shown } = await rules();
  expect(shown).toMatchObject({ rules: { preset: 'review' }, in_effect: { deny: all_rules?.deny.length } });
  expect(all_rules?.deny).toContain('Edit');
  await rules({ preset: 'fix' });
  expect((await rules()).all_rules?.deny).not.toContain('Edit');
  const freed = await rules({ preset: 'none' });
  expect([freed.rules.preset, freed.in_effect.deny]).toEqual([undefined, 0]);
});

it('a change counts the rules that hold; a call that changes nothing lists them', async () => {
  const changed = await rules({ preset: 'implement', deny: ['WebFetch'] });
  expect(changed).not.toHaveProperty('all_rules');
  expect(changed.in_effect.allow).toBeGreaterThan(20);
  expect(JSON.stringify(changed).length).toBeLessThan(600);
  const { all_rules: { allow = [], ask = [], deny = [] } = {}, in_effect } = await rules();
  expect(in_effect).toEqual({ allow: allow.length, ask: ask.length, deny: deny.length });
  expect(deny).toContain('WebFetch');
});
