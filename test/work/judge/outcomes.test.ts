import { describe, expect, it } from 'vitest';
import type { Task } from '../../../src/model/task.ts';
import { atWork, ended as over, queued } from '../../../src/model/task-progress.ts';
import { askedAgain, checkedWith, failedWith, landedWith, triedWith } from '../../../src/work/judge/outcomes.ts';
import type { TaskGiven } from '../../support/tasks.ts';
import { ended, facts, job, plan, task, work, worker } from '../parts.ts';
import { landing } from '../world.ts';

const at = (one: Task, works = [work({ turn: ended() })]) => facts({ tasks: [one], works });
const running = task({ state: 'running', worker, attempt: 1, startedAt: 0, branch: 'ada' });

describe('a failure', () => {
  it('is the end without retries, and each retry comes later than the one before, up to a minute', () => {
    expect(failedWith(at(running), running, 'x')).toEqual({
      progress: over('failed'),
      reason: 'x',
      failures: 1,
      endedAt: 1_000,
    });
    const waits = [0, 1, 2, 7, 9].map((failures) => {
      const one = { ...running, failures, maxRetries: 10 };
      return (failedWith(at(one), one, 'x').notBefore ?? 0) - 1_000;
    });
    expect(waits).toEqual([1_000, 2_000, 4_000, 60_000, 60_000]);
  });

  it('is told to a worker that is there, and another is started where there is none', () => {
    const one = { ...running, maxRetries: 1 };
    const told = failedWith(at(one), one, 'overloaded');
    const text = 'Your work on "t" stopped: overloaded. Go on with it from where you were; the task was:\n\ndo t';
    expect(told.progress).toEqual({ ...atWork, toldAt: 1_000, message: { id: 't-0-1-0', text } });
    const fresh = { progress: queued, worker: null };
    expect(failedWith(at(one, []), one, 'x')).toMatchObject(fresh);
    expect(failedWith(at(one, [work({ isUnborn: true })]), one, 'x')).toMatchObject(fresh);
    expect(failedWith(at(one), one, 'x', true)).toMatchObject({ progress: { is: 'ended', how: 'failed' } });
  });

  it('never uses the id of another message for what it tells', () => {
    const one: Task = { ...job({ state: 'running', worker }), maxRetries: 10, round: 1 };
    const bounced = landedWith(at(one), one, landing({ outcome: 'conflict', target: 'lane' }));
    const afterBounce = { ...one, bounces: bounced.bounces ?? 0 };
    const again = askedAgain(at(one), one, 'so');
    const afterAgain = { ...one, failures: again.failures ?? 0 };
    const all = [bounced, failedWith(at(one), afterBounce, 'x'), again, failedWith(at(one), afterAgain, 'x')];
    const ids = all.flatMap(({ progress }) => (progress?.is === 'running' ? (progress.message?.id ?? []) : []));
    expect(new Set(ids).size).toBe(4);
  });
});

describe('a finished turn', () => {
  const clean = { commits: [], dirtyFiles: 0 };
  const silent = [work({ lastWords: '' })];
  const asked: Task = { ...running, brings: 'report' };
  const { branch: _, ...branchless } = running;
  const nothing = 'left nothing: All is well.';
  const long = [work({ lastWords: `There is\n  nothing to do. ${'x'.repeat(400)}` })];
  it.each([
    [
      'of a report that said nothing is a failure',
      asked,
      clean,
      silent,
      {
        progress: { is: 'ended', how: 'failed' },
        reason: 'its turn ended, and it has changed nothing and said nothing',
      },
    ],
    [
      'of a report that said something is done',
      asked,
      clean,
      [work()],
      { progress: { is: 'ended', how: 'done' }, reason: null, endedAt: 1_000 },
    ],
    [
      'of a review is done',
      { ...running, kind: 'review' as const },
      clean,
      [work()],
      { progress: { is: 'ended', how: 'done' } },
    ],
    [
      'of a report is done also in a plan',
      { ...asked, planId: 'p' },
      clean,
      [work()],
      { progress: { is: 'ended', how: 'done' } },
    ],
    [
      'of a report that has committed lands in a plan',
      { ...asked, planId: 'p' },
      { commits: ['c'], dirtyFiles: 0 },
      [work()],
      { progress: { is: 'landing', isUnchecked: false } },
    ],
    [
      'that was to bring a commit and left nothing has failed, with its last words',
      running,
      clean,
      [work()],
      {
        reason: nothing,
        progress: { is: 'ended', how: 'failed', hold: { why: 'nothing', words: nothing, files: [] } },
      },
    ],
    [
      'that left nothing has failed, whatever its worker claims',
      { ...running, evidence: { claimed: true, commits: [] } },
      clean,
      [work()],
      { progress: { is: 'ended', how: 'failed' }, reason: nothing, evidence: { claimed: true } },
    ],
    [
      'that left nothing and said nothing says so',
      { ...running, planId: 'p' },
      clean,
      silent,
      { progress: { is: 'ended', how: 'failed' }, reason: 'left nothing: it said nothing' },
    ],
    [
      'that left many words names the first 200 letters, in a line',
      running,
      clean,
      long,
      { reason: `left nothing: There is nothing to do. ${'x'.repeat(176)}…` },
    ],
    [
      'that left nothing is told so where it may try again',
      { ...running, maxRetries: 1 },
      clean,
      [work()],
      {
        reason: nothing,
        progress: { is: 'running', message: { text: expect.stringContaining('has left no commit and no changed') } },
      },
    ],
    [
      'of a worker without a branch is done with its words',
      branchless,
      clean,
      [work()],
      { progress: { is: 'ended', how: 'done' } },
    ],
    [
      'of a worker whose commits are all on the target is done, and says where they are',
      { ...running, planId: 'p' },
      { ...clean, heldBy: 'lane' },
      silent,
      { progress: { is: 'ended', how: 'done' }, reason: 'lane holds all of its commits already', endedAt: 1_000 },
    ],
    [
      'of a worker that has reported is done',
      { ...asked, evidence: { claimed: true, commits: [] } },
      clean,
      silent,
      { progress: { is: 'ended', how: 'done' } },
    ],
    [
      'whose worker was heard after its end is claimed',
      asked,
      clean,
      [work({ turn: ended(), lastWords: '', said: { as: 'report', at: 15 } })],
      { progress: { is: 'ended', how: 'done' }, evidence: { claimed: true } },
    ],
    [
      'whose worker was heard to be blocked after its end waits, whatever it has done',
      { ...running, planId: 'p' },
      { commits: ['c'], dirtyFiles: 0 },
      [work({ turn: ended(), alarm: { status: 'blocked', message: 'no key', at: 15 } })],
      { progress: { is: 'running', as: 'waiting' }, reason: 'ada reports that it is blocked: no key' },
    ],
    [
      'with commits of a single task is done',
      running,
      { commits: ['c'], dirtyFiles: 0 },
      silent,
      { progress: { is: 'ended', how: 'done' }, evidence: { commits: ['c'] } },
    ],
    [
      'that left files uncommitted says so',
      running,
      { commits: [], dirtyFiles: 2 },
      silent,
      { progress: { is: 'ended', how: 'done' }, reason: '2 files in its worktree are in no commit' },
    ],
    [
      'of a task that is to be merged lands',
      { ...running, onComplete: 'merge' as const },
      { commits: ['c'], dirtyFiles: 0 },
      silent,
      { progress: { is: 'landing', isUnchecked: false } },
    ],
    [
      'of a job lands, also what is in no commit',
      { ...running, planId: 'p' },
      { commits: [], dirtyFiles: 1 },
      silent,
      { progress: { is: 'landing', isUnchecked: false } },
    ],
  ])('%s', (_, one, looked, works, expected) => {
    expect(checkedWith(at(one, works), one, looked)).toMatchObject(expected);
  });
});

describe('a landing', () => {
  const one = { ...job({ state: 'landing', worker, round: 1, evidence: { claimed: true, commits: ['c'] } }) };
  const end = (given: Parameters<typeof landing>[0], by: TaskGiven = {}, works = [work({ turn: ended() })]) =>
    landedWith(at({ ...one, ...by }, works), { ...one, ...by }, landing(given));
  it('is proven by the commit that holds the work, and by the tests that passed there', () => {
    const tests = { status: 'passed', command: 'make test', output: '' } as const;
    const landed = { progress: over('landed'), evidence: { claimed: true, commits: ['c'], landedAt: 'b' } };
    expect(end({ outcome: 'landed', target: 'lane' })).toMatchObject(landed);
    expect(end({ outcome: 'landed', target: 'lane', tests })).toMatchObject({ evidence: { checkedAt: 'b' } });
  });

  it('of what the target has already ends as done, at the commit of nobody', () => {
    const reason = 'lane holds everything of ada already; nothing was to be landed.';
    const given = end({ outcome: 'nothing', target: 'lane', reason });
    expect(given).toEqual({ progress: over('done'), reason, endedAt: 1_000 });
  });

  it('that leaves the touch set is held, with the files and the globs', () => {
    const reason = 'ada changes b.ts, outside of src/.';
    const hold = { why: 'touch_set', words: reason, files: ['b.ts'] };
    expect(end({ outcome: 'outside', target: 'lane', outside: ['b.ts'], reason })).toMatchObject({
      progress: { is: 'landing', isUnchecked: false, hold },
    });
  });

  it('whose target has moved is tried again soon', () => {
    expect(end({ outcome: 'target_moved', target: 'lane' })).toMatchObject({
      progress: { is: 'landing', isUnchecked: false },
      notBefore: 2_000,
    });
  });

  it('that fails goes back to its worker with the output, twice at most', () => {
    const tests = { status: 'failed', command: 'make test', output: 'red line', path: '/log' } as const;
    const red = { outcome: 'checks_failed', target: 'lane', tests } as const;
    const first = end(red);
    const message = { id: 't-1-0-1', text: expect.stringContaining('red line') };
    expect(first).toMatchObject({
      progress: { is: 'running', as: 'bounced', message, toldAt: 1_000 },
      bounces: 1,
      reason: 'the tests failed on lane',
      repeats: 1,
      artefacts: ['/log'],
    });
    expect(end(red, { bounces: 1 })).toMatchObject({ progress: { is: 'running', as: 'bounced' }, bounces: 2 });
    const last = end(red, { bounces: 2, maxRetries: 5 });
    expect(last).toMatchObject({ progress: { is: 'ended', how: 'failed' }, artefacts: ['/log'] });
    expect(last.reason).toBe('the tests failed on lane, also after it was sent back 2 times');
    expect(end(red, {}, [])).toMatchObject({ progress: { is: 'ended', how: 'failed' } });
    const single = landedWith(at(running), running, landing(red));
    expect(single).toMatchObject({ reason: 'the tests failed on lane; the output is in /log' });
  });

  const theirs = (owner: string) => [{ sha: 'c'.repeat(40), subject: 'Change it', owner }];
  const clash = {
    outcome: 'conflict',
    target: 'lane',
    conflicts: [
      { file: 'a.ts', ours: [], theirs: theirs('bo') },
      { file: 'b.ts', ours: [], theirs: [] },
      { file: 'c.ts', ours: [], theirs: theirs('bo') },
    ],
  } as const;

  it('that conflicts names the files, and the job that landed each of them', () => {
    expect(end(clash)).toMatchObject({
      progress: { is: 'running', as: 'bounced' },
      reason: 'its work conflicts with lane in a.ts, b.ts, c.ts',
    });
    const given = facts({
      tasks: [one, job({ id: 'page', worker: { id: 'v', name: 'bo' } })],
      plans: [plan(['t', 'page'])],
    });
    const clashes = [
      { with: 'page', files: ['a.ts', 'c.ts'] },
      { with: 'lane', files: ['b.ts'] },
    ];
    expect(triedWith(given, one, landing(clash))).toEqual({ tests: null, clashes });
  });

  it('leaves how its tests ended, and what the one before it found no more', () => {
    const tests = { status: 'timed_out', command: 'make test', output: 'slow', path: '/log' } as const;
    expect(triedWith(at(one), one, landing({ outcome: 'checks_failed', target: 'lane', tests }))).toEqual({
      tests,
      clashes: null,
    });
    expect(triedWith(at(one), one, landing({ outcome: 'target_moved', target: 'lane' }))).toEqual({ clashes: null });
  });
});
