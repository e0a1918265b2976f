// The verbs on which tasks and plans stand, on the real crew and the real log.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Crew } from '../../../src/crew/api.ts';
import { cursorOf } from '../../../src/crew/queries/changes.ts';
import { openRestingCrew, type RestingCrew } from '../../support/resting-crew.ts';

let stand: RestingCrew;
let crew: Crew;
beforeAll(async () => {
  stand = await openRestingCrew();
  crew = stand.crew;
});
afterAll(() => stand.dispose());

const shownSince = async (cursor: string) => (await crew.changes({ cursor, includeSnapshots: false })).events;

it('a place is the real folder, its crew and its repository; a worktree and a subfolder are of the same crew', async () => {
  const { repo } = stand;
  mkdirSync(join(repo, 'sub'));
  const main = await crew.place({ project: 'auto' });
  expect(main).toEqual({ project: repo, crew: expect.stringMatching(/^crew-project-/), repoPath: repo });
  expect(await crew.place({ project: join(repo, 'sub') })).toEqual({ ...main, project: join(repo, 'sub') });
  const { worktreePath } = await stand.worker();
  expect(await crew.place({ project: worktreePath })).toEqual({ ...main, project: worktreePath });
  const bare = stand.sandbox.dir('plain');
  const outside = await crew.place({ project: bare });
  expect(outside).toEqual({ project: bare, crew: expect.not.stringContaining(main.crew) });
  await expect(crew.place({ project: join(repo, 'none') })).rejects.toThrow();
});

it('events of tasks and plans are shown to the crew they are of, and to no other', async () => {
  const cursor = crew.cursor();
  const { crew: own } = await crew.place({ project: 'auto' });
  let heard = 0;
  const stop = crew.onChange(() => {
    heard += 1;
  });
  await crew.tell([
    { type: 'plan_created', subject: 'p1', crew: own, data: { plan_id: 'p1', name: 'cart' } },
    { type: 'task_created', subject: 't9', crew: 'crew-of-others', data: { task_id: 't9' } },
  ]);
  stop();
  expect(heard).toBeGreaterThan(0);
  expect(await shownSince(cursor)).toEqual([
    {
      ...{ seq: expect.any(Number), ts: expect.any(String), type: 'plan_created', worker_id: 'p1' },
      data: { plan_id: 'p1', name: 'cart', crew: own },
    },
  ]);
  await crew.tell([]);
  expect(crew.cursor()).not.toBe(cursor);
  expect(await shownSince(crew.cursor())).toEqual([]);
  expect(crew.cursor()).toBe(cursorOf(Number.parseInt(crew.cursor().slice(1), 36)));
});

it('a landing of a plan is shown by the crew that it names, though no worker landed', async () => {
  const cursor = crew.cursor();
  const { crew: own } = await crew.place({ project: 'auto' });
  await stand.append({ type: 'landed', workerId: 'p1', data: { plan_id: 'p1', crew: own } });
  await stand.append({ type: 'landed', workerId: 'p2', data: { plan_id: 'p2', crew: 'crew-of-others' } });
  await stand.append({ type: 'landed', workerId: 'p3', data: {} });
  expect((await shownSince(cursor)).map(({ worker_id }) => worker_id)).toEqual(['p1']);
});

it('work shows workers that have a task though they have ended, and of the others only who lives', async () => {
  const tasked = await stand.worker({ record: { crew: 'crew-w', task: { id: 't1', attempt: 1 } } });
  await stand.worker({ record: { crew: 'crew-w' } });
  await stand.worker({ record: { crew: 'crew-x', task: { id: 't2', attempt: 1 } } });
  await crew.checkIdle({ workers: [] });
  const tasks = new Set(['t1', 't2']);
  expect(crew.work({ crews: ['crew-w'], tasks })).toMatchObject([
    { id: tasked.id, status: 'dead', task: { id: 't1', attempt: 1 }, isIdle: false },
  ]);
  expect(crew.work({ crews: ['crew-w', 'crew-x'], tasks })).toHaveLength(2);
  await stand.note(tasked, { phase: 'closed', said: { as: 'report', at: 5 } });
  await crew.checkIdle({ workers: [] });
  expect(crew.work({ crews: ['crew-w'], tasks })).toMatchObject([{ status: 'closed', said: { as: 'report', at: 5 } }]);
});

it('crews are a line each, of whatever project and manager, without their closed workers', async () => {
  const mainRepoPath = '/elsewhere/shop';
  const manager = { pid: 1, processStart: 'long ago' };
  await stand.worker({ record: { crew: 'crew-lines', mainRepoPath, manager } });
  await stand.worker({ record: { crew: 'crew-lines', mainRepoPath, name: 'bert', phase: 'closed' } });
  await stand.worker({ record: { crew: 'crew-over', phase: 'closed' } });
  const lines = await crew.crews();
  const found = lines.filter((line) => ['crew-lines', 'crew-over'].includes(line.crew));
  expect(found).toEqual([
    { crew: 'crew-lines', path: mainRepoPath, workers: { dead: 1 }, needs: [expect.stringMatching(/: dead$/)] },
  ]);
});
