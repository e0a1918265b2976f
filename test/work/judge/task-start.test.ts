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
      'of a role with an agent of its own starts meanwhile',
      task({ role: 'reviewer' }),
      { accounts: limitedAt({ claude: 60_000 }), roles: new Map([['t', { agentType: 'codex' }]]) },
      starts,
    ],
    [
      'of a role without an agent waits for the limit of the usual one',
      task({ role: 'reviewer' }),
      { accounts: limitedAt({ claude: 60_000 }), roles: new Map([['t', {}]]) },
      { set: { reason: expect.stringMatching(/^The account of claude has /) }, tell: 'task_waiting' },
    ],
    [
      'of any agent waits for the limit of the agent that its role names',
      task({ role: 'reviewer', agentType: 'any' }),
      { accounts: limitedAt({ claude: 60_000 }), roles: new Map([['t', { agentType: 'claude' }]]) },
      { set: { reason: expect.stringMatching(/^The account of claude has /) } },
    ],
    [
      'of any agent starts with another where its role names none',
      task({ role: 'reviewer', agentType: 'any' }),
      { accounts: limitedAt({ claude: 60_000 }), roles: new Map([['t', {}]]) },
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

describe('max_parallel of a role', () => {
  const one = task({ id: 't', role: 'tester' });
  const at = (id: string, given: TaskGiven) => task({ id, role: 'tester', worker, ...given });
  const most = (maxParallel: number) => ({ roles: new Map([['t', { maxParallel }]]) });
  const reason = 'The role tester has max_parallel 1, and as many of its tasks are at work.';
  const waits = { set: { reason }, tell: 'task_waiting' };
  it.each<[string, TaskGiven, Partial<Parameters<typeof facts>[0]>, object | undefined]>([
    ['holds a task in the queue, and says why', one, { ...most(1), tasks: [at('a', { state: 'running' })] }, waits],
    ['is said once', { ...one, reason }, { ...most(1), tasks: [at('a', { state: 'running' })] }, undefined],
    ['counts one that starts', one, { ...most(1), tasks: [at('a', { state: 'starting' })] }, waits],
    ['counts one that waits for somebody', one, { ...most(1), tasks: [at('a', { state: 'waiting' })] }, waits],
    ['counts one that is to land', one, { ...most(1), tasks: [at('a', { state: 'landing' })] }, waits],
    ['counts no task that is queued', one, { ...most(1), tasks: [task({ id: 'a', role: 'tester' })] }, starts],
    ['counts no task that has ended', one, { ...most(1), tasks: [at('a', { state: 'done' })] }, starts],
    ['counts no other role', one, { ...most(1), tasks: [at('a', { state: 'running', role: 'devops' })] }, starts],
    ['leaves a place free', one, { ...most(2), tasks: [at('a', { state: 'running' })] }, starts],
    ['binds no role that names none', one, { tasks: [at('a', { state: 'running' })] }, starts],
    [
      'holds back a prompt for a worker that is there already',
      { ...one, worker, message: { id: 'm', text: 'go' } },
      { ...most(1), works: [work()], tasks: [at('a', { state: 'running' })] },
      waits,
    ],
    [
      'comes before the limit of an account',
      one,
      { ...most(1), accounts: limitedAt({ claude: 60_000 }), tasks: [at('a', { state: 'running' })] },
      waits,
    ],
  ])('%s', (_, given, more, expected) => {
    const step = stepOf(given, more);
    if (expected === undefined) expect(step).toBeUndefined();
    else expect(step).toMatchObject(expected);
  });

  it('holds up no task of another role', () => {
    const other = task({ id: 'o', at: 1, role: 'devops' });
    const tasks = [at('a', { state: 'running' }), { ...one, reason }, other];
    expect(nextStep(facts({ tasks, busy: ['a'], ...most(1) }))).toMatchObject({ ...starts, task: other });
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
