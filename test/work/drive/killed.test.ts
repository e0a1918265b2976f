import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { Book, Plan } from '../../../src/model/task.ts';
import { stateOf, type TaskState } from '../../../src/model/task-progress.ts';
import { job, plan } from '../parts.ts';
import { endOf, type Killing, offencesOf, type Simulated, Simulation } from '../simulation.ts';

const folder = mkdtempSync(join(tmpdir(), 'crewmux-killed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const jobs = [job({ id: 'a' }), job({ id: 'b', dependsOn: ['a'] })];
const simulated = (given: Partial<Plan>): Simulated => ({
  ...{ plan: plan(['a', 'b'], given), tasks: jobs, seed: 1, order: 1, limit: 2, kills: 0, folder, isPlain: true },
  // The first work of a fails its tests, and its second turn asks for a permission.
  trouble: (what) => what === 'red a:1' || what === 'asks a:2',
});

type Moment = Parameters<NonNullable<Simulated['killAt']>>[0];
const at =
  (state: TaskState, killing: Killing = 'undone') =>
  ({ book, acts }: Moment) => {
    const task = book.tasks.get('a');
    return acts.length === 0 && task !== undefined && stateOf(task) === state ? killing : undefined;
  };
const during =
  (act: Moment['acts'][number], killing: Killing) =>
  ({ acts }: Moment) =>
    acts.includes(act) ? killing : undefined;
const paused = ({ book }: { readonly book: Book }) =>
  book.plans.get('p')?.state === 'paused' ? ('undone' as const) : undefined;

const supervisor = { mode: 'supervisor' } as const;
it.each<[string, Simulated['killAt'], Partial<Plan>]>([
  ['starting, before its worker is there', during('start', 'undone'), {}],
  ['starting, when its worker was never up', during('start', 'unborn'), {}],
  ['starting, when its worker is up', during('start', 'happened'), {}],
  ['running', at('running'), {}],
  ['waiting', at('waiting'), {}],
  ['checking, before the look', during('check', 'undone'), {}],
  ['checking, after the look', during('check', 'happened'), {}],
  ['landing, before the branch is moved', during('land', 'undone'), {}],
  ['landing, when the branch is moved or the tests have failed', during('land', 'happened'), {}],
  [
    'landing, when the branch is moved for the second time',
    ({ book, acts }) => (book.tasks.get('a')?.bounces === 1 && acts.includes('land') ? 'happened' : undefined),
    {},
  ],
  ['bounced, and its worker was not told', during('send', 'undone'), {}],
  ['bounced, and its worker was told', during('send', 'happened'), {}],
  ['bounced, and its worker has not begun', at('bounced'), {}],
  ['closing, before its worker is closed', during('close', 'undone'), {}],
  ['closing, when its worker is closed', during('close', 'happened'), {}],
  ['at a checkpoint', paused, supervisor],
  ['landing its plan, before the base is moved', during('finish', 'undone'), supervisor],
  ['landing its plan, when the base is moved', during('finish', 'happened'), supervisor],
  ['proposing its plan, when that is open', during('finish', 'happened'), { onComplete: 'pr' }],
])('a driver that is killed %s leaves nothing to mend', async (_, killAt, given) => {
  const whole = await new Simulation(simulated(given)).run();
  const torn = await new Simulation({ ...simulated(given), ...(killAt && { killAt }) }).run();
  expect(torn.killed).toBe(1);
  expect(offencesOf(torn)).toEqual([]);
  expect(endOf(torn)).toEqual(endOf(whole));
  expect(endOf(torn)).toMatchObject({ plan: 'completed', lane: ['a:1#', 'a:2#', 'b:1#'] });
  expect(torn.world.agents.filter(({ status }) => status === 'idle' || status === 'working')).toEqual([]);
});
