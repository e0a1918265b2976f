import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { defined } from '../../../src/model/defined.ts';
import { planModes } from '../../../src/model/plan-mode.ts';
import { type Book, completions, type Plan, type Task } from '../../../src/model/task.ts';
import { stateOf } from '../../../src/model/task-progress.ts';
import { hasEnded, holdOf } from '../../../src/model/task-state.ts';
import type { BookChange } from '../../../src/store/job-book.ts';
import { restingTask } from '../../../src/work/drive/job-tasks.ts';
import { editPatch } from '../../../src/work/verbs/plan-edit.ts';
import { endOf, offencesOf, type Simulated, Simulation } from '../simulation.ts';

const folder = mkdtempSync(join(tmpdir(), 'crewmux-jobs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const jobShape = fc.record({
  needs: fc.array(fc.nat(11), { maxLength: 3 }),
  priority: fc.integer({ min: 4, max: 6 }),
  touches: fc.boolean(),
  hasRole: fc.boolean(),
  maxRetries: fc.nat(2),
});

const shape = fc.record({
  jobs: fc.array(jobShape, { minLength: 1, maxLength: 12 }),
  mode: fc.constantFrom(...planModes),
  onComplete: fc.constantFrom(...completions),
  maxParallel: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
  limit: fc.integer({ min: 1, max: 5 }),
  roleMost: fc.option(fc.integer({ min: 1, max: 2 }), { nil: undefined }),
  seed: fc.nat(1_000_000),
  order: fc.nat(1_000_000),
  trouble: fc.constantFrom(0, 0.05, 0.15),
});
type Shape = typeof shape extends fc.Arbitrary<infer T> ? T : never;

function simulated({ jobs, mode, onComplete, maxParallel, limit, roleMost, seed, order, trouble }: Shape): Simulated {
  const ids = jobs.map((_, at) => `j${at}`);
  const tasks = jobs.map(({ needs, priority, touches, hasRole, maxRetries }, at): Task => {
    const dependsOn = [...new Set(needs.filter((one) => one < at))].map((one) => `j${one}`);
    return {
      ...restingTask,
      ...{ id: `j${at}`, kind: 'job', title: `job ${at}`, prompt: `do ${at}`, project: '/p', crew: 'crew', at: 0 },
      ...{ planId: 'p', dependsOn, priority, maxRetries, touchSet: touches ? ['src/'] : [] },
      ...(hasRole && { role: 'tester' }),
    };
  });
  const plan: Plan = {
    ...{ id: 'p', name: 'plan', mode, project: '/p', crew: 'crew', base: { ref: 'main', sha: 'a' }, branch: 'lane' },
    ...{ onComplete, jobs: ids, at: 0, isCancelled: false, decisions: {}, round: 0 },
    state: mode === 'copilot' ? 'proposed' : 'running',
    ...(maxParallel !== undefined && { maxParallel }),
  };
  return { plan, tasks, seed, order, limit, trouble, kills: 0, folder, ...defined({ roleMost }) };
}

const runs = (numRuns: number) => ({ numRuns: Number(process.env.CREWMUX_RUNS ?? numRuns) });

describe('a plan, whatever its shape and whatever happens first', () => {
  it('comes to rest with its ends met, in order, within its limits and with every approval', async () => {
    await fc.assert(
      fc.asyncProperty(shape, async (given) => {
        const done = await new Simulation(simulated(given)).run();
        expect(offencesOf(done)).toEqual([]);
        for (const commits of done.world.landed.values()) expect(new Set(commits).size).toBe(commits.length);
      }),
      runs(80),
    );
  });

  it('keeps all this while somebody cancels, leaves out and tries again', async () => {
    await fc.assert(
      fc.asyncProperty(shape, async (given) => {
        const done = await new Simulation({ ...simulated(given), steer }).run();
        expect(offencesOf(done)).toEqual([]);
        for (const commits of done.world.landed.values()) expect(new Set(commits).size).toBe(commits.length);
      }),
      runs(80),
    );
  });

  it('lands nothing that was not checked, while somebody talks to the workers that wait to land', async () => {
    await fc.assert(
      fc.asyncProperty(shape, async (given) => {
        const done = await new Simulation({ ...simulated(given), talks: 0.1, kills: 0.05 }).run();
        expect(offencesOf(done)).toEqual([]);
      }),
      runs(80),
    );
  });

  it('lands whole on a red base after one decision, and sends nobody back, however often its driver is killed', async () => {
    await fc.assert(
      fc.asyncProperty(shape, async (given) => {
        const calm: Shape = { ...given, trouble: 0 };
        const done = await new Simulation({ ...simulated(calm), kills: 0.15, isRed: true, isPlain: true }).run();
        expect(offencesOf(done)).toEqual([]);
        const tasks = [...done.book.tasks.values()];
        expect(tasks.filter((task) => stateOf(task) !== 'landed' || task.bounces > 0)).toEqual([]);
        const decided = tasks.flatMap(({ decisions }) => Object.keys(decisions));
        expect(decided.filter((key) => key.startsWith('on_error'))).toHaveLength(1);
        expect(done.book.plans.get('p')?.state).toBe('completed');
      }),
      runs(80),
    );
  });

  it('comes to rest on a red base too, whatever goes wrong beside it and whatever is decided', async () => {
    await fc.assert(
      fc.asyncProperty(shape, async (given) => {
        const done = await new Simulation({ ...simulated(given), steer, kills: 0.05, isRed: true }).run();
        expect(offencesOf(done)).toEqual([]);
      }),
      runs(80),
    );
  });

  it('comes to the same end when its driver is killed again and again', async () => {
    let killed = 0;
    await fc.assert(
      fc.asyncProperty(shape, fc.nat(1_000_000), async (given, order) => {
        const whole = await new Simulation(simulated(given)).run();
        const torn = await new Simulation({ ...simulated({ ...given, order }), kills: 0.15 }).run();
        killed += torn.killed;
        expect(offencesOf(torn)).toEqual([]);
        expect(endOf(torn)).toEqual(endOf(whole));
      }),
      runs(80),
    );
    expect(killed).toBeGreaterThan(0);
  });

  it('comes to the same end when its project is paused now and then, and begins and lands nothing meanwhile', async () => {
    let paused = 0;
    const pause = ({ pausedAt }: Book): BookChange => {
      paused += pausedAt === undefined ? 1 : 0;
      return { pausedAt: pausedAt === undefined ? 5 : null };
    };
    await fc.assert(
      fc.asyncProperty(shape, async (given) => {
        const whole = await new Simulation(simulated(given)).run();
        const held = await new Simulation({ ...simulated(given), steer: pause, kills: 0.05 }).run();
        expect(offencesOf(held)).toEqual([]);
        expect(endOf(held)).toEqual(endOf(whole));
      }),
      runs(10),
    );
    expect(paused).toBeGreaterThan(0);
  });
});

function steer({ tasks, plans }: Book, dice: () => number): BookChange | undefined {
  const open = [...tasks.values()].filter((task) => !hasEnded(task));
  const task = open[Math.floor(dice() * open.length)];
  if (task === undefined) return undefined;
  const kind = dice();
  if (holdOf(task)?.why === 'touch_set' && kind < 0.5)
    return { tasks: [editPatch(task, { name: task.title, touchSet: [] }, () => task)] };
  if (kind < 0.1 && plans.get('p')?.state !== 'completed') return { plans: [{ id: 'p', isCancelled: true }] };
  if (kind < 0.4) return { tasks: [{ id: task.id, isCancelled: true }] };
  if (kind < 0.7) return { tasks: [{ id: task.id, isCancelled: true, isSkipped: true }] };
  return { tasks: [{ id: task.id, priority: Math.floor(dice() * 11) }] };
}
