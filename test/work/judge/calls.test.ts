import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Plan, Task } from '../../../src/model/task.ts';
import { diffInput, mergeInput } from '../../../src/wire/landing.ts';
import { messageInput } from '../../../src/wire/messages.ts';
import { approvePlanInput, cancelPlanInput, editPlanInput } from '../../../src/wire/plans.ts';
import { updateTaskInput } from '../../../src/wire/tasks.ts';
import { callsAt, checkpointView, eachOnce, nextCallsOf } from '../../../src/work/judge/calls.ts';
import { checkpointsOf } from '../../../src/work/judge/checkpoint.ts';
import { boardLines } from '../../../src/work/verbs/board.ts';
import { patchFor } from '../../../src/work/verbs/task-change.ts';
import type { TaskGiven } from '../../support/tasks.ts';
import { bookOf, job, plan, task, work, worker } from '../parts.ts';

const inputs: Readonly<Record<string, z.ZodType>> = {
  approve_plan: approvePlanInput,
  edit_plan: editPlanInput,
  cancel_plan: cancelPlanInput,
  update_task: updateTaskInput,
  diff_worker: diffInput,
  merge_worker: mergeInput,
  message_workers: messageInput,
  read_worker_logs: z.strictObject({ session_id: z.string() }),
};

/** Briefly, after a look that the tool takes it as it is. */
function brief(call: string): string {
  const [tool = ''] = call.split(' ', 1);
  const args = z.looseObject({}).parse(JSON.parse(call.slice(tool.length)));
  inputs[tool]?.parse(args);
  expect(call, 'a blank').not.toMatch(/<[^>]*>|…/);
  expect(Object.keys(inputs)).toContain(tool);
  const { action, job: of, task_id: id, checkpoint, skip } = args;
  return [tool, checkpoint, of, id, action, skip && JSON.stringify(skip)].filter(Boolean).join(' ');
}

const hold = { why: 'touch_set', words: 'b.ts', files: ['b.ts'] } as const;

describe('the calls of a checkpoint', () => {
  const at = (given: Partial<Plan>, one: Task) => {
    const of = plan([one.id], given);
    const [point] = checkpointsOf(bookOf([one], [of]), of);
    if (point === undefined) throw new Error('no checkpoint');
    for (const call of callsAt(of, point)) {
      if (!call.startsWith('approve_plan')) continue;
      expect(JSON.parse(call.slice('approve_plan'.length))).toMatchObject({ plan_id: 'p', checkpoint: point.at });
    }
    return callsAt(of, point).map(brief);
  };
  const supervisor = { mode: 'supervisor' } as const;
  it('are those that clear it', () => {
    expect(at({ mode: 'copilot', state: 'proposed' }, job())).toEqual(['approve_plan start continue', 'cancel_plan']);
    expect(at(supervisor, job({ state: 'landing', worker }))).toEqual([
      'approve_plan pre_merge t continue',
      'approve_plan pre_merge t relaunch',
      'approve_plan pre_merge t skip',
      'diff_worker',
    ]);
    expect(at({}, job({ state: 'landing', worker, hold })).slice(0, 2)).toEqual([
      'approve_plan on_error t accept',
      'approve_plan on_error t retry',
    ]);
    expect(at({ ...supervisor, onComplete: 'pr' }, job({ state: 'landed' }))).toEqual([
      'approve_plan pre_pr continue',
      'approve_plan pre_pr skip',
      'cancel_plan',
    ]);
    expect(at({ hold: { ...hold, why: 'other' } }, job({ state: 'landed' }))).toEqual([
      'approve_plan on_error retry',
      'approve_plan on_error skip',
    ]);
  });

  it('come with the reason, bounded', () => {
    const of = plan(['t']);
    const view = checkpointView(of, { at: 'on_error', job: job(), key: 'k', why: 'x'.repeat(9_000) });
    expect(view).toMatchObject({ planId: 'p', at: 'on_error', job: 't' });
    expect(view.why).toHaveLength(3_000);
  });
});

describe('the calls of a task', () => {
  const bad = task({ id: 'bad', state: 'failed' });
  const between = task({ id: 'b', state: 'blocked', dependsOn: ['bad'] });
  const calls = (one: Task, of?: Plan) => {
    const all = one.planId === undefined ? [one, bad, between] : [one, { ...bad, planId: 'p' }, between];
    return nextCallsOf(one, { book: bookOf(all), work: one.worker && work(), plan: of }).map(brief);
  };
  const at = (given: TaskGiven): Task => task({ worker, ...given });
  it.each<[string, Task, readonly string[]]>([
    ['held', task({ isHeld: true }), ['update_task t start', 'update_task t cancel']],
    ['queued', task(), []],
    ['blocked', task({ state: 'blocked', dependsOn: ['bad'] }), ['update_task bad retry', 'update_task t cancel']],
    [
      'blocked through another',
      task({ state: 'blocked', dependsOn: ['b'] }),
      ['update_task bad retry', 'update_task t cancel'],
    ],
    ['waiting', at({ state: 'waiting' }), ['message_workers', 'update_task t cancel']],
    ['bounced', at({ state: 'bounced' }), ['read_worker_logs', 'message_workers', 'update_task t cancel']],
    ['failed', at({ state: 'failed' }), ['update_task t retry', 'read_worker_logs']],
    ['held in landing', at({ state: 'landing', hold }), ['update_task t retry', 'update_task t cancel']],
    [
      'done with commits',
      at({ state: 'done', evidence: { claimed: true, commits: ['c'] } }),
      ['diff_worker', 'merge_worker'],
    ],
    ['done without', at({ state: 'done' }), []],
    ['done, proposed', at({ state: 'done', onComplete: 'pr', evidence: { claimed: true, commits: ['c'] } }), []],
    ['cancelled', at({ state: 'cancelled' }), ['update_task t retry', 'read_worker_logs']],
    ['landed', at({ state: 'landed' }), []],
  ])('%s are %j', (_, one, expected) => expect(calls(one)).toEqual(expected));

  it('that a pause holds lets the project go on', () => {
    const book = { ...bookOf([]), pausedAt: 5 };
    for (const one of [task(), at({ state: 'landing' })])
      expect(nextCallsOf(one, { book, work: undefined, plan: undefined }).map(brief)).toEqual(['update_task resume']);
  });

  it.each<[string, Task, readonly string[]]>([
    [
      'blocked',
      job({ state: 'blocked', dependsOn: ['bad'] }),
      ['approve_plan on_error bad retry', 'approve_plan on_error bad skip'],
    ],
    ['bounced', job({ worker, state: 'bounced' }), ['read_worker_logs', 'message_workers', 'edit_plan ["t"]']],
    ['waiting', job({ worker, state: 'waiting' }), ['message_workers', 'edit_plan ["t"]']],
    ['failed', job({ state: 'failed' }), ['retry', 'relaunch', 'skip'].map((one) => `approve_plan on_error t ${one}`)],
    ['left out after a failure', job({ state: 'failed', isSkipped: true }), []],
    ['left out', job({ state: 'cancelled', isSkipped: true }), []],
  ])('of a plan, %s', (_, one, expected) => expect(calls(one, plan(['t', 'bad']))).toEqual(expected));
});

it('each call stands once, and one approval names all jobs that it could be about', () => {
  const approve = (job: unknown, action = 'retry') =>
    `approve_plan ${JSON.stringify({ plan_id: 'p', checkpoint: 'on_error', action, job })}`;
  const logs = 'read_worker_logs {"session_id":"w"}';
  const whole = 'approve_plan {"plan_id":"p","action":"continue"}';
  expect(
    eachOnce([
      [approve('a'), whole],
      [approve('a'), approve('b', 'skip'), logs],
      [approve('c'), logs],
    ]),
  ).toEqual([[approve(['a', 'c']), whole], [approve('b', 'skip'), logs], []]);
});

describe('a wish about a task', () => {
  const wish = (one: Task, given: object) => patchFor(one, { taskId: 't', action: 'start', ...given }, 9);
  it.each<[Task, object, object]>([
    [task({ isHeld: true }), { action: 'start', priority: 9 }, { isHeld: false, reason: null, priority: 9 }],
    [task({ state: 'running' }), { action: 'cancel' }, { isCancelled: true }],
    [
      task({ state: 'failed', failures: 2 }),
      { action: 'retry' },
      { isCancelled: false, decisions: { 'on_error:0.2': { action: 'retry', at: 9 } } },
    ],
    [
      task({ state: 'cancelled' }),
      { action: 'retry', prompt: 'so' },
      { isCancelled: false, decisions: { 'on_error:0.0': { action: 'relaunch', at: 9, prompt: 'so' } } },
    ],
    [
      task({ state: 'landing', hold }),
      { action: 'retry' },
      { isCancelled: false, decisions: { 'on_error:0.0': { action: 'retry', at: 9 } } },
    ],
    [task(), { action: 'prioritise', priority: 0 }, { priority: 0 }],
    [task({ state: 'blocked' }), { action: 'edit', edit: { prompt: 'so', title: 'T' } }, { prompt: 'so', title: 'T' }],
    [task(), { action: 'edit', edit: { start: false, env: {} } }, { isHeld: true, env: {} }],
    [job(), { action: 'edit', edit: { preset: 'test', copyFiles: [] } }, { preset: 'test', copyFiles: [] }],
    [
      task({ isHeld: true }),
      { action: 'start', edit: { model: 'fast', role: 'tester' } },
      { isHeld: false, reason: null, model: 'fast', role: 'tester' },
    ],
  ])('of %j to %j is granted', (one, given, patch) => expect(wish(one, given)).toEqual(patch));

  it.each<[Task, object, string]>([
    [task(), { action: 'start' }, 't is queued and needs no start.'],
    [task({ isHeld: true, state: 'cancelled' }), { action: 'start' }, 't is cancelled and needs no start.'],
    [task({ state: 'landed' }), { action: 'cancel' }, 't has ended: landed.'],
    [
      task({ state: 'running' }),
      { action: 'retry' },
      't is running, and only what has failed or was cancelled is tried again.',
    ],
    [job({ state: 'cancelled', isSkipped: true }), { action: 'retry' }, 't was left out of its plan.'],
    [task(), { action: 'prioritise' }, 't got no priority.'],
    [
      task({ state: 'running' }),
      { action: 'edit', edit: { prompt: 'so' } },
      't is running, so its prompt is with its worker.',
    ],
    [
      task({ message: { id: 'm', text: 'x' } }),
      { action: 'edit', edit: { prompt: 'so' } },
      't is queued, so its prompt is with its worker.',
    ],
    [task(), { action: 'edit' }, 't got nothing to change.'],
    [job(), { action: 'edit', edit: { title: 'T' } }, 't is a job, which has title from its plan.'],
    [job(), { action: 'edit', edit: { dependsOn: [] } }, 't is a job, which has depends_on from its plan.'],
  ])('of %j to %j is refused: %s', (one, given, words) => expect(() => wish(one, given)).toThrow(words));
});

it('the board shows what has not ended, and the checkpoint that is open', () => {
  const tasks = [
    job({ id: 'a', state: 'landed', worker }),
    job({ id: 'b', state: 'landing', worker, hold, reason: 'b.ts\nmore' }),
    task({ id: 's', state: 'waiting', reason: 'it asks' }),
    task({ id: 'over', state: 'done' }),
  ];
  expect(boardLines(bookOf(tasks, [plan(['a', 'b']), plan([], { id: 'q', state: 'completed' })]))).toEqual([
    'plan cart: running, 1 of 2 jobs done',
    '  ! b: b.ts',
    '  landing        b (ada): b.ts',
    'waiting        s: it asks',
  ]);
  expect(boardLines({ ...bookOf([]), pausedAt: 5 })).toEqual([
    'paused since 1970-01-01T00:00:00.005Z: no task starts, and nothing lands',
  ]);
});
