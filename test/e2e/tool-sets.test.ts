import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { tools } from '../../src/tools/index.ts';
import { openStand, type Stand } from './crew.ts';

let stand: Stand;
beforeEach(() => {
  stand = openStand();
});
afterEach(() => stand.dispose());

const namesOf = (...sets: readonly string[]) =>
  tools.filter(({ set }) => set !== undefined && sets.includes(set)).map(({ name }) => name);

it('only the tools of the chosen sets are listed and answer, and an error of another names the setting', async () => {
  const config = join(stand.sandbox.root, 'config.json');
  writeFileSync(config, JSON.stringify({ tools: { sets: ['core', 'plans'] } }));
  const { connection } = await stand.serve({ CREWMUX_CONFIG: config });
  const listed = (await connection.client.listTools()).tools.map(({ name }) => name);
  expect(listed).toEqual(namesOf('core', 'plans'));
  expect(connection.client.getInstructions()).toContain('create_plan');
  expect(listed.length).toBeLessThanOrEqual(40);
  await expect(connection.call('crew_status')).resolves.toMatchObject({ attention: [] });
  await expect(connection.call('merge_worker', { session_id: 'ada' })).rejects.toMatchObject({
    code: 'unknown_tool',
    message: 'merge_worker is in the set "git", and the setting tools.sets has only core, plans.',
    hint: expect.stringContaining('tools.sets'),
  });
  await expect(connection.call('merge_workers')).rejects.toMatchObject({
    message: 'No tool named "merge_workers".',
    hint: expect.not.stringContaining('merge_worker,'),
  });
});

it("a project's file takes no tool away before a person agrees to it", async () => {
  mkdirSync(join(stand.repo, '.crewmux'));
  writeFileSync(join(stand.repo, '.crewmux/config.json'), JSON.stringify({ tools: { sets: ['git'] } }));
  const { connection } = await stand.serve();
  const listed = (await connection.client.listTools()).tools.map(({ name }) => name);
  expect(listed).toEqual(namesOf('core', 'git', 'plans', 'admin'));
});
