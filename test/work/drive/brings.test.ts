import { describe, expect, it } from 'vitest';
import { planModes } from '../../../src/model/plan-mode.ts';
import type { DecisionAction, Task } from '../../../src/model/task.ts';
import { stateOf } from '../../../src/model/task-progress.ts';
import { isStuck } from '../../../src/model/task-state.ts';
import { deniesEditing, rulesFor } from '../../../src/permissions/rule-book.ts';
import { foldLines } from '../../../src/store/job-book.ts';
import { bringsBy, commitWarnings } from '../../../src/work/drive/brings.ts';
import { performTask } from '../../../src/work/drive/perform.ts';
import { nextCallsOf } from '../../../src/work/judge/calls.ts';
import { actionsAt, checkpointsOf, shownState, stopsAll } from '../../../src/work/judge/checkpoint.ts';
import { shownTask } from '../../../src/work/judge/facts.ts';
import { planStep } from '../../../src/work/judge/plan-step.ts';
import { taskPrompt } from '../../../src/work/judge/words.ts';
import { patchFor } from '../../../src/work/verbs/task-change.ts';
import { stubCrew } from '../../support/stub-crew.ts';
import type { TaskGiven } from '../../support/tasks.ts';
import { bookOf, ended, facts, job, plan, stepOf, task, work, worker } from '../parts.ts';

const hold = { why: 'nothing', words: 'left nothing: All is well.', files: [] } as const;
const empty = job({
  state: 'failed',
  worker,
  hold,
  reason: hold.words,
  round: 1,
  failures: 1,
  overAt: 30,
  isSeenTo: true,
});
const after = job({ id: 'after', dependsOn: ['t'] });
const decided = (action: DecisionAction, prompt?: string) => ({
  decisions: { 'on_error:1.1': { action, at: 0, ...(prompt && { prompt }) } },
});

describe('what a task brings', () => {
  const of = (given: Parameters<typeof bringsBy>[1], denies = false) =>
    bringsBy({ deniesEditing: async ({ role }) => denies && role === 'scout' }, given);
  it('is as somebody has said, else words for a review and where its rules deny editing, else a commit', async () => {
    const one = { kind: 'job', project: '/p' } as const;
    expect(await of(one)).toBe('commit');
    expect(await of({ ...one, role: 'scout' }, true)).toBe('report');
    expect(await of({ ...one, role: 'builder' }, true)).toBe('commit');
    expect(await of({ ...one, role: 'scout', brings: 'commit' }, true)).toBe('commit');
    expect(await of({ ...one, brings: 'report' })).toBe('report');
    expect(await of({ ...one, kind: 'review' })).toBe('report');
  });

  it.each([
    [{ preset: 'review' }, true],
    [{ preset: 'explore' }, true],
    [{ preset: 'implement' }, false],
    [{ preset: 'test' }, false],
    [{ deny: ['Edit'] }, true],
    [{ deny: ['*'] }, true],
    [{ deny: ['Edit(./docs/**)', 'Write'] }, false],
    [{ ask: ['Edit'] }, false],
    [{}, false],
  ] as const)('is words under %o: %s', (given, expected) => {
    expect(deniesEditing(rulesFor([{ 'role:scout': given }], { role: 'scout' }))).toBe(expected);
  });

  it('of a book from before is not said, and is read', () => {
    const known = foldLines(bookOf([]), [JSON.stringify({ v: 3, tasks: [{ ...task(), brings: undefined }] })]);
    expect(known.tasks.get('t')).toEqual(task());
    const said = foldLines(known, [JSON.stringify({ v: 2, tasks: [{ id: 't', brings: 'report' }] })]);
    expect(said.tasks.get('t')).toMatchObject({ brings: 'report' });
  });

  it('is told to its worker: to commit, or that words are enough', () => {
    const told = (given: TaskGiven) => taskPrompt(job(given), plan(['t']));
    expect(told({ brings: 'commit' })).toContain('Commit your work');
    expect(told({ brings: 'report' })).toMatch(/it needs no commit\.$/);
    expect(told({ brings: 'report' })).not.toContain('Commit your work');
  });
});

describe('a look at a branch without commits', () => {
  const look = (given: TaskGiven, sinceStart: readonly string[]) => {
    const one = job({ state: 'checking', worker, branch: 'ada', attempt: 1, ...given });
    const crew = {
      ...stubCrew(() => undefined),
      branchOf: async ({ base }: { readonly base?: string }) => {
        return { branch: 'ada', commits: base === 'begun' ? sinceStart : [], behind: 0, dirtyFiles: 0 };
      },
      deniesEditing: async () => false,
    };
    const acting = {
      ...{ crew, folder: '/never', claimed: new Set<string>() },
      run: { signal: new AbortController().signal, tell: () => undefined },
      facts: () =>
        facts({
          ...{ tasks: [one], plans: [plan(['t'])] },
          works: [work({ turn: ended(), base: { ref: 'main', sha: 'begun' } })],
        }),
    };
    return performTask(acting, 'check', one);
  };
  it('tells one that has made none from one whose commits the target holds, and notes what it was to bring', async () => {
    expect(await look({}, [])).toMatchObject({ progress: { is: 'ended', how: 'failed', hold }, brings: 'commit' });
    expect(await look({}, ['c'])).toMatchObject({
      progress: { is: 'ended', how: 'done' },
      reason: 'lane holds all of its commits already',
    });
    expect(await look({ brings: 'report' }, [])).toMatchObject({
      progress: { is: 'ended', how: 'done' },
      reason: null,
    });
  });

  it('of a worker that was there before counts no commits of its earlier tasks', async () => {
    expect(await look({ isReused: true }, ['c'])).toMatchObject({ progress: { is: 'ended', how: 'failed', hold } });
  });
});

describe('a job that left nothing', () => {
  it.each(planModes)('is a checkpoint in %s, and nothing that depends on it starts', (mode) => {
    const of = plan(['t', 'after', 'beside'], { mode });
    const book = bookOf([empty, after, job({ id: 'beside' })], [of]);
    const [point] = checkpointsOf(book, of);
    expect(point).toMatchObject({ at: 'on_error', why: 't: left nothing: All is well.' });
    expect(point && actionsAt(point)).toEqual(['retry', 'relaunch', 'accept', 'skip']);
    expect(shownState(book, of)).toBe('paused');
    expect(point && stopsAll(of, point)).toBe(mode === 'supervisor');
    const blocked = { progress: { isBlocked: true }, reason: 't has failed, and this depends on it' };
    expect(stepOf(after, { tasks: [empty], plans: [of] })).toMatchObject({ set: blocked });
    const all = facts({ tasks: [empty, { ...after, state: 'blocked' }], plans: [plan(['t', 'after'], { mode })] });
    expect(planStep(all, plan(['t', 'after'], { mode }))).toMatchObject({ set: { state: 'paused' } });
  });

  const steps = (given: TaskGiven, turn = ended()) =>
    stepOf({ ...empty, ...given }, { works: [work({ turn })], plans: [plan(['t'])] });
  it('that is accepted is done, and its worker is closed after it', () => {
    const progress = { is: 'ended', how: 'done', isSeenTo: false };
    const set = { progress, reason: 'accepted, though it left nothing' };
    expect(steps(decided('accept'))).toMatchObject({ do: 'note', set, tell: 'task_ended' });
    expect(stateOf(shownTask({ ...empty, ...decided('accept') }))).toBe('failed');
    const waits = { ...empty, ...decided('accept') };
    const stays = facts({ tasks: [waits, { ...after, state: 'blocked' }], plans: [plan(['t', 'after'])] });
    expect(planStep(stays, plan(['t', 'after']))).toBeUndefined();
    expect(isStuck(bookOf([waits]), job({ ...after, state: 'blocked' }))).toBe(false);
  });

  it('is checked again where its worker has gone on before it was accepted', () => {
    const later = { ...ended(), startedAt: 40, endedAt: 50 };
    expect(steps(decided('accept'), later)).toMatchObject({
      set: { progress: { is: 'running', as: 'running' }, endedAt: null },
    });
  });

  it('is told that it left nothing, or what is said in its place, and is left out like another', () => {
    const next = (text: unknown) => ({ set: { progress: { is: 'queued', next: { message: { text } } } } });
    expect(steps(decided('retry'))).toMatchObject(next(expect.stringContaining('has left no commit')));
    expect(steps(decided('relaunch', 'Do it.'))).toMatchObject(next('Do it.'));
    expect(steps(decided('skip'))).toMatchObject({
      set: { progress: { is: 'ended', how: 'cancelled' }, isSkipped: true },
    });
    expect(steps(decided('continue'))).toBeUndefined();
  });

  it('of no plan is taken as a report by the call that it names', () => {
    const { planId: _, ...rest } = empty;
    const single: Task = { ...rest, kind: 'task' };
    const calls = nextCallsOf(single, { book: bookOf([single]), work: work(), plan: undefined });
    expect(calls[1]).toBe('update_task {"task_id":"t","action":"edit","brings":"report"}');
    const patch = patchFor(single, { taskId: 't', action: 'edit', edit: { brings: 'report' } }, 7);
    expect(patch).toEqual({ brings: 'report', decisions: { 'on_error:1.1': { action: 'accept', at: 7 } } });
    expect(stepOf({ ...single, ...decided('accept') })).toMatchObject({
      set: { progress: { is: 'ended', how: 'done' } },
    });
  });
});

it('what a task brings is edited until it has ended', () => {
  const edit = { taskId: 't', action: 'edit', edit: { brings: 'report' } } as const;
  expect(patchFor(task({ state: 'running', worker }), edit, 0)).toEqual({ brings: 'report' });
  expect(patchFor(task(), { ...edit, edit: { ...edit.edit, title: 'Other' } }, 0)).toEqual({
    brings: 'report',
    title: 'Other',
  });
  expect(() => patchFor(task({ state: 'landed' }), edit, 0)).toThrow('is landed');
});

it('a commit that is asked of workers whose rules deny editing is warned about', async () => {
  const crew = { deniesEditing: async ({ role }: { readonly role?: string | undefined }) => role === 'scout' };
  const asked = [
    { name: 'look', role: 'scout', brings: 'commit' },
    { name: 'tell', role: 'scout', brings: 'report' },
    { name: 'usual', role: 'scout' },
    { name: 'build', role: 'tester', brings: 'commit' },
  ] as const;
  expect(await commitWarnings(crew, '/p', asked)).toEqual([
    'To bring a commit, and yet held to rules that deny editing: look. It fails where it leaves none; leave brings out for a report.',
  ]);
});
