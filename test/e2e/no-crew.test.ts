import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStand, type Stand } from './crew.ts';

let stand: Stand;
beforeEach(() => {
  stand = openStand();
});
afterEach(() => stand.dispose());

it('a worker that has crewmux among its own servers finds no tools there, and leads no crew', async () => {
  const { connection } = await stand.serve({ CREWMUX_WORKER: '0123abcd' });
  expect((await connection.client.listTools()).tools).toEqual([]);
  expect(connection.client.getInstructions()).toContain('You are a worker');
  await expect(connection.call('spawn_workers', { workers: [] })).rejects.toThrow(/No tool named/);
});
