import { describe, expect, it } from 'vitest';
import type { Task } from '../../src/model/task.ts';
import { spanOf } from '../../src/model/task-state.ts';
import { taskOf } from '../support/tasks.ts';

const ada = { id: 'a', name: 'ada' };
const mine = taskOf({ id: 'mine', worker: ada, startedAt: 50, endedAt: 70 });
const spanBeside = (own: Task, ...others: readonly Task[]) =>
  spanOf(own, { tasks: new Map([own, ...others].map((one) => [one.id, one])) });

describe('reports are about a task', () => {
  it('from the start of the worker that was started for it', () => {
    const bea = taskOf({ id: 'bea', worker: { id: 'b', name: 'bea' }, startedAt: 60 });
    expect(spanBeside(mine, bea)).toEqual({ from: 0, until: Number.POSITIVE_INFINITY });
  });

  it('from its own beginning, where its worker was there before', () => {
    expect(spanBeside({ ...mine, isReused: true })).toMatchObject({ from: 50 });
    expect(spanBeside(mine, taskOf({ id: 'before', worker: ada, startedAt: 10 }))).toMatchObject({ from: 50 });
  });

  it('until its worker begins another', () => {
    const others = [90, 80].map((startedAt) => taskOf({ id: `at ${startedAt}`, worker: ada, startedAt }));
    expect(spanBeside(mine, ...others)).toEqual({ from: 0, until: 80 });
  });
});
