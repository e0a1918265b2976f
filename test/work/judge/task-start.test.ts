import { describe, expect, it } from 'vitest';
import type { Plan, Task } from '../../../src/model/task.ts';
import type { Facts } from '../../../src/work/judge/facts.ts';
import { nextStep } from '../../../src/work/judge/next-step.ts';
import { taskStep } from '../../../src/work/judge/task-step.ts';
import type { TaskGiven } from '../../support/tasks.ts';
import { facts, job, plan, stepOf, task, work, worker } from '../parts.ts';

/** Accounts whose limits are over then. */
const limitedAt = (times: Readonly<Record<string, number>>): Facts['accounts'] => {
  const limits = Object.entries(times).map(([type, until]) => [type, { until, dueAt: until + 10_000 }] as const);
  return new Map([['/p', { usual: 'claude', others: ['codex'], limits: new Map(limits) }]]);
};
const starts = { do: 'note', set: { progress: { is: 'starting' } } };

describe('the start of a task', () => {
  it('goes by priority before age', () => {
    const old = task({ id: 'old', at: 1 });
    const young = task({ id: 'young', at: 2 });
    const urgent = task({ id: 'urgent', at: 3, priority: 9 });
    const first = (...tasks: Task[]) => {
      const step = nextStep(facts({ tasks }));
      return step !== undefined && 'task' in step ? step.task.id : undefined;
    };
    expect(first(young, old, urgent)).toBe('urgent');
    expect(first(young, old)).toBe('old');
  });

  it('goes by the order of the plan among jobs of the same priority', () => {
    const [a, b] = [job({ id: 'a' }), job({ id: 'b' })];
    expect(nextStep(facts({ tasks: [a, b], plans: [plan(['b', 'a'])] }))).toMatchObject({ ...starts, task: b });
  });

  it('of a blocked task never holds up a ready one', () => {
    const tasks = [task({ id: 'bad', state: 'failed' }), task({ id: 'b', priority: 10, dependsOn: ['bad'] })];
    const blocked = task({ id: 'b', priority: 10, dependsOn: ['bad'], state: 'blocked' });
    const reason = 'bad has failed, and this depends on it';
    expect(nextStep(facts({ tasks: [...tasks, task({ id: 'r' })] }))).toMatchObject({
      set: { progress: { is: 'queued', isBlocked: true }, reason },
    });
    const ready = task({ id: 'r' });
    const all = facts({ tasks: [task({ id: 'bad', state: 'failed' }), { ...blocked, reason }, ready] });
    expect(nextStep(all)).toMatchObject({ ...starts, task: ready });
  });

  const queued = task({ id: 'q', dependsOn: ['d'] });
  it.each<[string, TaskGiven, Partial<Parameters<typeof facts>[0]>, object | undefined]>([
    ['waits for what it depends on', queued, { tasks: [task({ id: 'd', state: 'landing' })] }, undefined],
    ['comes after what has landed', queued, { tasks: [task({ id: 'd', state: 'landed' })] }, starts],
    ['comes after what is done', queued, { tasks: [task({ id: 'd', state: 'done' })] }, starts],
    [
      'comes after what was left out',
      queued,
      { tasks: [task({ id: 'd', state: 'running', isSkipped: true })] },
      starts,
    ],
    [
      'is blocked by what was cancelled',
      queued,
      { tasks: [task({ id: 'd', state: 'cancelled' })] },
      {
        set: { progress: { is: 'queued', isBlocked: true }, reason: 'd has been cancelled, and this depends on it' },
        tell: 'task_waiting',
      },
    ],
    [
      'is blocked by what is blocked itself',
      queued,
      { tasks: [task({ id: 'd', state: 'blocked' })] },
      { set: { progress: { is: 'queued', isBlocked: true }, reason: 'd is blocked, and this depends on it' } },
    ],
    [
      'is free again when what it depends on is tried again',
      { ...queued, state: 'blocked', reason: 'd has failed' },
      { tasks: [task({ id: 'd', state: 'running' })] },
      { set: { progress: { is: 'queued', isBlocked: false }, reason: null } },
    ],
    ['waits for room', task(), { room: 0 }, undefined],
    [
      'waits for the limit of its account, and says until when',
      task(),
      { accounts: limitedAt({ claude: 60_000 }) },
      {
        set: { reason: 'The account of claude has reached a usage limit; this starts after 1970-01-01T00:01:00.000Z.' },
        tell: 'task_waiting',
      },
    ],
    [
      'of another agent starts meanwhile',
      task({ agentType: 'codex' }),
      { accounts: limitedAt({ claude: 60_000 }) },
      starts,
    ],
    [
      'of a role that may name its agent starts',
      task({ role: 'reviewer' }),
      { accounts: limitedAt({ claude: 60_000 }) },
      starts,
    ],
    [
      'of any agent starts with another',
      task({ agentType: 'any' }),
      { accounts: limitedAt({ claude: 60_000 }) },
      starts,
    ],
    [
      'of any agent waits for the first of all that would do',
      task({ agentType: 'any' }),
      { accounts: limitedAt({ claude: 60_000, codex: 30_000 }) },
      {
        set: { reason: expect.stringMatching(/^The accounts of claude and codex have .* 1970-01-01T00:00:30.000Z\.$/) },
      },
    ],
    [
      'says the limit once',
      task({ reason: 'The account of claude has reached a usage limit; this starts after 1970-01-01T00:01:00.000Z.' }),
      { accounts: limitedAt({ claude: 60_000 }) },
      undefined,
    ],
    ['waits for its time', task({ notBefore: 1_001 }), {}, undefined],
    ['comes at its time', task({ notBefore: 1_000 }), {}, starts],
    ['waits for a word where a worker entered it', task({ isHeld: true, from: worker }), {}, undefined],
    [
      'needs no word where subtasks start by themselves',
      task({ isHeld: true, from: worker }),
      { startsSubtasks: true },
      starts,
    ],
    ['waits for a word where its manager holds it', task({ isHeld: true }), { startsSubtasks: true }, undefined],
    [
      'waits for the worker that entered it',
      task({ afterFrom: true, from: worker }),
      { works: [work({ isIdle: false })] },
      undefined,
    ],
    ['comes after the worker that entered it', task({ afterFrom: true, from: worker }), { works: [work()] }, starts],
    [
      'waits for no worker that is gone',
      task({ afterFrom: true, from: worker }),
      { works: [work({ isIdle: false, status: 'dead' })] },
      starts,
    ],
    ['is not begun twice', task(), { busy: ['t'] }, undefined],
    [
      'of a worker that was told again needs room alone',
      task({ worker, message: { id: 'm', text: 'go' } }),
      { works: [work()] },
      { set: { progress: { is: 'running', as: 'running' } } },
    ],
    [
      'is cancelled before it begins',
      task({ isCancelled: true }),
      {},
      { set: { progress: { is: 'ended', how: 'cancelled' }, endedAt: 1_000 }, tell: 'task_ended' },
    ],
  ])('%s', (_, one, more, expected) => {
    const step = stepOf(one, more);
    if (expected === undefined) expect(step).toBeUndefined();
    else expect(step).toMatchObject(expected);
  });
});

describe('the start of a job', () => {
  const a = job({ id: 'a' });
  const at = job({ id: 'b', state: 'running', worker });
  const error = job({ id: 'b', state: 'failed', reason: 'red' });
  it.each<[string, Partial<Plan>, readonly Task[], boolean]>([
    ['waits for the approval of its plan', { state: 'proposed', mode: 'copilot' }, [a, at], false],
    ['goes while its plan is paused at another job', { state: 'paused' }, [a, at], true],
    ['waits for a place in its plan', { maxParallel: 1 }, [a, at], false],
    ['takes a place in its plan', { maxParallel: 2 }, [a, at], true],
    ['waits while a supervisor looks at an error', { mode: 'supervisor' }, [a, error], false],
    ['goes on past an error of an autopilot', {}, [a, error], true],
    [
      'goes on once the supervisor has seen the error',
      { mode: 'supervisor' },
      [a, { ...error, decisions: { 'on_error:0.0': { action: 'continue', at: 0 } } }],
      true,
    ],
  ])('%s', (_, given, tasks, goes) => {
    const step = taskStep(facts({ tasks, plans: [plan(['a', 'b'], given)] }), a);
    expect(step?.do).toBe(goes ? 'note' : undefined);
  });

  it('never comes where its plan cannot be read', () => {
    expect(stepOf(a)).toBeUndefined();
    expect(stepOf(job({ state: 'landing', worker }), { works: [work()] })).toBeUndefined();
  });
});
