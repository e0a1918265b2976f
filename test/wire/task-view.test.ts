import { expect, it } from 'vitest';
import { inward, outward } from '../../src/wire/spoken.ts';
import { taskView } from '../../src/wire/task-view.ts';
import { type TaskView, task } from '../../src/wire/tasks.ts';
import { type TaskGiven, taskOf } from '../support/tasks.ts';

const viewOf = (wish: TaskGiven): TaskView =>
  taskView(taskOf(wish), { names: (id) => (id === 't0' ? 'api' : undefined), nextCalls: ['wait_tasks'] });

it('a fresh task shows no field at rest', () => {
  expect(viewOf({})).toEqual({
    taskId: 't1',
    brings: 'commit',
    title: 'Cart',
    state: 'queued',
    kind: 'task',
    priority: 5,
    dependsOn: [],
    projectPath: '/project',
    attempts: 0,
    evidence: { claimed: false, commits: [] },
    nextCalls: ['wait_tasks'],
    createdAt: '2026-01-01T00:00:00.000Z',
  });
});

const ada = { id: 'aaaa0001', name: 'ada' };
const shown = { sessionId: 'aaaa0001', name: 'ada' };
const noon = Date.UTC(2026, 0, 1, 12);

it.each<[string, TaskGiven, Partial<Record<keyof TaskView, unknown>>]>([
  ['a job has a name for a title', { kind: 'job', title: 'page' }, { name: 'page', title: undefined }],
  ['a job depends on names', { kind: 'job', dependsOn: ['t0', 'gone'] }, { dependsOn: ['api', 'gone'] }],
  ['a task depends on ids', { dependsOn: ['t0'] }, { dependsOn: ['t0'] }],
  ['its author', { from: ada, afterFrom: true }, { from: shown, waitForMe: true }],
  ['held until somebody lets it start', { isHeld: true }, { held: true }],
  ['not held once it is over', { isHeld: true, state: 'cancelled' }, { held: undefined }],
  ['its worker and branch', { worker: ada, branch: 'cart' }, { worker: shown, branch: 'cart' }],
  ['left out', { isSkipped: true }, { skipped: true }],
  ['bounces', { bounces: 2 }, { bounces: 2 }],
  ['launches and what came after them', { attempt: 2, repeats: 3 }, { attempts: 5 }],
  ['lists', { files: ['a'], tags: ['b'], touchSet: ['c/'], artefacts: ['/d'] }, { files: ['a'], touchSet: ['c/'] }],
  ['when', { startedAt: noon, endedAt: noon }, { startedAt: '2026-01-01T12:00:00.000Z' }],
  ['a reason', { reason: 'its turn failed' }, { reason: 'its turn failed' }],
  [
    'a hold is a reason',
    { state: 'landing', hold: { why: 'touch_set', words: 'it left it', files: [] } },
    { reason: 'it left it' },
  ],
  [
    'how far the work is proven',
    { evidence: { claimed: true, commits: ['c1'], checkedAt: 'c1', landedAt: 'c2' } },
    { evidence: { claimed: true, commits: ['c1'], checkedAt: 'c1', landedAt: 'c2' } },
  ],
])('shows %s', (_, wish, view) => {
  const seen = viewOf(wish);
  for (const [name, value] of Object.entries(view)) expect(Object(seen)[name]).toEqual(value);
  expect(inward(task, task.strict().parse(outward(task, seen)))).toEqual(seen);
});
