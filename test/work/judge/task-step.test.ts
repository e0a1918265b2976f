import { describe, expect, it } from 'vitest';
import type { Work } from '../../../src/crew/api.ts';
import type { Task } from '../../../src/model/task.ts';
import { atWork } from '../../../src/model/task-progress.ts';
import { overLimit } from '../../../src/work/judge/over-limit.ts';
import type { TaskGiven } from '../../support/tasks.ts';
import { ended, need, stepOf, task, work, worker } from '../parts.ts';

const running = (given: TaskGiven = {}) => task({ state: 'running', worker, attempt: 1, startedAt: 0, ...given });

describe('a task that is started', () => {
  const tag = { id: 't', attempt: 1 };
  const starting = task({ state: 'starting', attempt: 1 });
  it.each<[string, Task, readonly Work[], object | undefined]>([
    ['is started where nobody has', starting, [], { do: 'start' }],
    [
      'is started where only an earlier start has a worker',
      { ...starting, attempt: 2 },
      [work({ task: tag })],
      { do: 'start' },
    ],
    ['is not started at once after a refusal', { ...starting, notBefore: 2_000 }, [], undefined],
    [
      'has the worker that a killed driver has started',
      starting,
      [work({ task: tag })],
      {
        set: { progress: { is: 'running', as: 'running' }, worker, branch: 'ada', startedAt: 1_000 },
        tell: 'task_started',
      },
    ],
    ['waits until that worker is up', starting, [work({ task: tag, status: 'starting' })], undefined],
    ['waits while the worker is of another server', starting, [work({ task: tag, isOthers: true })], undefined],
    [
      'is started anew where a killed driver got no worker up',
      starting,
      [work({ task: tag, status: 'dead', isUnborn: true })],
      { set: { progress: { is: 'queued', isBlocked: false } } },
    ],
    [
      'stops where it is cancelled meanwhile',
      { ...starting, isCancelled: true },
      [work({ task: tag })],
      { do: 'stop' },
    ],
  ])('%s', (_, one, works, expected) => {
    const step = stepOf(one, { works });
    if (expected === undefined) expect(step).toBeUndefined();
    else expect(step).toMatchObject(expected);
  });
});

describe('a task at work', () => {
  const turn = ended();
  const open = { id: 'w:1', startedAt: 10 };
  const message = { id: 'm', text: 'go' };
  const alarm = { status: 'blocked', message: 'no key', at: 15 } as const;
  const checking = { do: 'note', set: { progress: { is: 'landing', isUnchecked: true }, round: 1 } };
  const waits = (reason: string) => ({
    set: { progress: { is: 'running', as: 'waiting' }, reason },
    tell: 'task_waiting',
  });
  it.each<[string, TaskGiven, Partial<Work>, object | undefined]>([
    ['goes on while its turn does', {}, { turn: open, isIdle: false, status: 'working' }, undefined],
    ['goes on while something is kept for its worker', {}, { turn, isIdle: false }, undefined],
    ['is over with its turn', {}, { turn }, checking],
    [
      'is over where its worker says so, whatever is kept',
      {},
      { turn, isIdle: false, said: { as: 'completed', at: 15 } },
      { set: { progress: { is: 'landing', isUnchecked: true }, evidence: { claimed: true } } },
    ],
    [
      'is not over by a word of an earlier turn',
      {},
      { turn, isIdle: false, said: { as: 'completed', at: 5 } },
      undefined,
    ],
    ['is not over by the turn before it was told more', { toldAt: 30 }, { turn }, undefined],
    [
      'is over by a later end, whichever number its turn has',
      { toldAt: 30 },
      { turn: { ...turn, endedAt: 40 } },
      checking,
    ],
    ['keeps the time at which it was seen to be over', {}, { turn }, { set: { progress: { overAt: 1_000 } } }],
    ['is claimed by a report', {}, { turn, said: { as: 'report', at: 15 } }, { set: { evidence: { claimed: true } } }],
    [
      'waits with its worker',
      {},
      { turn: open, isIdle: false, status: 'waiting', attention: [need()] },
      waits('ada asks permission'),
    ],
    ['does not wait for what is answered', {}, { turn: open, isIdle: false, status: 'waiting' }, undefined],
    [
      'says once that it waits',
      { state: 'waiting', reason: 'ada asks permission' },
      { turn: open, isIdle: false, status: 'waiting', attention: [need()] },
      undefined,
    ],
    [
      'goes on when it was answered',
      { state: 'waiting', reason: 'x' },
      { turn: open, isIdle: false, status: 'working' },
      { set: { progress: { is: 'running', as: 'running' }, reason: null } },
    ],
    ['stops at the word blocked', {}, { turn, alarm }, waits('ada reports that it is blocked: no key')],
    [
      'stops at the word needs_review',
      {},
      { turn, alarm: { ...alarm, status: 'needs_review' } },
      waits('ada asks for a review: no key'),
    ],
    [
      'waits after an interruption',
      {},
      { turn: ended('interrupted') },
      waits('ada was interrupted, and waits for a message'),
    ],
    [
      'fails with its turn',
      {},
      { turn: ended('error'), lastError: 'overloaded' },
      {
        set: { progress: { is: 'ended', how: 'failed' }, reason: 'its turn ended with overloaded', endedAt: 1_000 },
        tell: 'task_ended',
      },
    ],
    [
      'fails at a limit of its agent',
      {},
      { turn: ended('limit') },
      { set: { progress: { is: 'ended', how: 'failed' } } },
    ],
    [
      'is tried again after a failed turn, within two seconds',
      { maxRetries: 1 },
      { turn: ended('error') },
      { set: { progress: { is: 'running', as: 'running', toldAt: 1_000 }, failures: 1, notBefore: 2_000 } },
    ],
    [
      'fails with its agent',
      {},
      { status: 'dead', isIdle: false, endDetail: 'exit 1' },
      { set: { progress: { is: 'ended', how: 'failed' }, reason: 'its agent ended: exit 1' } },
    ],
    [
      'waits for an agent that crashed and is about to come back',
      {},
      { status: 'dead', isIdle: false, isReturning: true, turn: ended('error') },
      undefined,
    ],
    [
      'is judged by what is there once its agent is back after a crash',
      {},
      { lostTurnAt: 50 },
      { set: { progress: { is: 'landing', isUnchecked: true } } },
    ],
    ['goes by the newer turn of an agent that is back', {}, { lostTurnAt: 50, turn: open, isIdle: false }, undefined],
    ['is not judged by a crash before it was told', { toldAt: 60 }, { lostTurnAt: 50 }, undefined],
    ['tells what it has to tell', { message }, { turn }, { do: 'send' }],
    ['tells it in its time', { message, notBefore: 1_001 }, { turn }, undefined],
    [
      'tells an agent that is gone under another id, since it may have been told and do nothing',
      { message, toldAt: 30 },
      { turn, status: 'dead' },
      { do: 'note', set: { progress: { as: 'running', message: { id: `${message.id}-again` }, toldAt: 30 } } },
    ],
    [
      'and changes the id once',
      { message: { ...message, id: 'm-again' }, toldAt: 30 },
      { turn, status: 'dead' },
      { do: 'send' },
    ],
    [
      'fails with an agent that ended in the turn of what it was told',
      { message },
      { turn: open, status: 'dead' },
      { set: { progress: { is: 'ended', how: 'failed' } } },
    ],
    [
      'is stopped at its time limit',
      { timeoutMinutes: 1, startedAt: -59_000 },
      { turn: open, isIdle: false },
      { do: 'stop', task: { reason: 'its 1 minutes are over' } },
    ],
    ['is left to the server that has its worker', {}, { turn, isOthers: true }, undefined],
    ['is stopped when cancelled', { isCancelled: true }, { turn: open, isIdle: false }, { do: 'stop' }],
    [
      'is over again after a bounce',
      { state: 'bounced', round: 1, toldAt: 15 },
      { turn },
      { set: { progress: { is: 'landing', isUnchecked: true }, round: 2 } },
    ],
    ['stays bounced until its worker begins', { state: 'bounced', toldAt: 30 }, { turn }, undefined],
    [
      'runs again once its worker has begun',
      { state: 'bounced', toldAt: 15 },
      { turn: open, isIdle: false },
      { set: { progress: { is: 'running', as: 'running' } } },
    ],
  ])('%s', (_, given, seen, expected) => {
    const step = stepOf(running(given), { works: [work(seen)] });
    if (expected === undefined) expect(step).toBeUndefined();
    else expect(step).toMatchObject(expected);
  });

  it('says once that it waits, however long the reason is', () => {
    const works = [work({ turn, alarm: { ...alarm, message: 'x'.repeat(2_000) } })];
    const step = stepOf(running(), { works });
    if (step?.do !== 'note') throw new Error('no note');
    const { progress = atWork, reason } = step.set;
    expect(reason).toHaveLength(500);
    expect(stepOf({ ...running({ reason: reason ?? '' }), progress }, { works })).toBeUndefined();
  });

  it('fails, and says so, where its worker is not known any more', () => {
    expect(stepOf(running())).toMatchObject({ set: { progress: { is: 'ended', how: 'failed' } }, tell: 'task_ended' });
  });

  it.each([
    [{ timeoutMinutes: 2 }, { turns: 9 }, undefined],
    [{ timeoutMinutes: 1 }, { turns: 9 }, 'its 1 minutes are over'],
    [{ maxTurns: 9 }, { turns: 9 }, undefined],
    [{ maxTurns: 8 }, { turns: 9 }, 'it has begun more than 8 turns'],
    [{ maxCostUsd: 1 }, { turns: 1, costUsd: 1 }, 'it has cost 1 USD, and its max_cost_usd is 1'],
    [{ maxCostUsd: 1 }, { turns: 1, costUsd: 0.99 }, undefined],
    [{ maxCostUsd: 1 }, { turns: 1 }, undefined],
  ])('with %j at %j is over its limit: %s', (given, seen, expected) => {
    expect(overLimit({ now: 60_000 }, running(given), seen)).toBe(expected);
  });

  it('is over the limit of the settings where it names none', () => {
    const settings = { now: 60_000, taskTimeoutMinutes: 1 };
    expect(overLimit(settings, running(), { turns: 1 })).toBe('its 1 minutes are over');
    expect(overLimit(settings, running({ timeoutMinutes: 2 }), { turns: 1 })).toBeUndefined();
    const facts = { works: [work({ turn: open, isIdle: false })], taskTimeoutMinutes: 1 };
    expect(stepOf(running(), { ...facts, now: 60_000 })).toMatchObject({ do: 'stop' });
    expect(stepOf(running(), { ...facts, now: 59_999 })).toBeUndefined();
  });

  it.each<[given: TaskGiven, seen: Partial<Work>, reason: string | undefined]>([
    [{ maxTurns: 2 }, { turns: 1 }, undefined],
    [{}, { turns: 2, budget: { maxTurns: 2 } }, 'it needs another turn, and its max_turns of 2 have begun'],
    [{ maxTurns: 3 }, { turns: 2, budget: { maxTurns: 2 } }, undefined],
    [{ maxTurns: 2 }, { turns: 2 }, 'it needs another turn, and its max_turns of 2 have begun'],
    [{ maxTurns: 2 }, { turns: 2, turn: { id: 'w:2', startedAt: 60 } }, undefined],
    [{ maxTurns: 2 }, { turns: 2, status: 'dead' }, 'it needs another turn, and its max_turns of 2 have begun'],
    [{ maxCostUsd: 1 }, { costUsd: 0.5 }, undefined],
    [{ maxCostUsd: 1 }, { costUsd: 1 }, 'it has cost 1 USD, and its max_cost_usd is 1'],
  ])('with %j sends no prompt to a worker at %j: %s', (given, seen, reason) => {
    const progress = { ...atWork, toldAt: 50, message: { id: 'm', text: 'Again' } };
    const step = stepOf(running({ ...given, progress }), { works: [work(seen)] });
    if (reason === undefined) expect(step).toMatchObject({ do: 'send' });
    else expect(step).toMatchObject({ do: 'stop', task: { reason } });
  });
});
