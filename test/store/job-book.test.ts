import { expect, it } from 'vitest';
import { emptyBook } from '../../src/model/task.ts';
import { progressOf } from '../../src/model/task-progress.ts';
import { holdOf } from '../../src/model/task-state.ts';
import { foldLines } from '../../src/store/job-book.ts';

// Lines as they stand in books on disk: what comes later has to read them.
const task =
  '{"isCancelled":false,"isSkipped":false,"decisions":{},"round":0,"attempt":0,"isReused":false,"bounces":0,"failures":0,"evidence":{"claimed":false,"commits":[]},"artefacts":[],"isSeenTo":false,"kind":"job","priority":5,"dependsOn":[],"afterFrom":false,"depth":0,"isHeld":false,"files":[],"tags":[],"touchSet":["a.ts"],"copyFiles":[],"symlinkDirs":[],"setupCommands":[],"maxRetries":0,"onComplete":"none","keepWorker":false,"id":"t","title":"cart","prompt":"Write it.","project":"/p","crew":"shop","planId":"p","at":1,"state":"queued"}';
const born = `{"v":2,"tasks":[${task}]}`;
const line = (fields: object, v = 2) => JSON.stringify({ v, tasks: [{ id: 't', ...fields }] });

const starting = line({ state: 'starting', attempt: 1, reason: null, worker: null, isSeenTo: false });
const running = line({ state: 'running', worker: { id: 'w', name: 'ada' }, branch: 'ada', startedAt: 3, reason: null });
const told = line({ message: { id: 'm', text: 'Go on.' }, toldAt: 4 });
const sent = line({ message: null });
const over = line({ state: 'checking', round: 1, overAt: 9, reason: null });
const words = { why: 'touch_set', words: 'b.ts is outside', files: ['b.ts'] };
const held = line({ state: 'landing', hold: words, reason: 'b.ts is outside' });
const lifted = line({ hold: null, failures: 1, reason: null, touchSet: ['*.ts'] });
const failed = line({ state: 'failed', hold: { ...words, why: 'nothing' }, endedAt: 12 });

const readTo = (...lines: readonly string[]) => {
  const read = foldLines(emptyBook, [born, ...lines]).tasks.get('t');
  if (read === undefined) throw new Error('The line was not read.');
  return read;
};

it.each([
  ['queued', [], { is: 'queued', isBlocked: false }],
  ['starting', [starting], { is: 'starting' }],
  ['running', [starting, running, told], { is: 'running', as: 'running', toldAt: 4, message: { id: 'm' } }],
  ['landing', [starting, running, told, sent, over], { is: 'landing', isUnchecked: true, overAt: 9 }],
  ['held', [starting, running, over, held], { is: 'landing', isUnchecked: false, overAt: 9, hold: words }],
  ['ended', [starting, running, over, failed], { is: 'ended', how: 'failed', isSeenTo: false, overAt: 9 }],
])('a book on disk tells that a task is %s', (_, lines, progress) => {
  expect(progressOf(readTo(...lines))).toMatchObject(progress);
});

it('an edit of another process lifts a hold, and changes nothing else of how far a task is', () => {
  const task = readTo(starting, running, over, held, lifted);
  expect(holdOf(task)).toBeUndefined();
  expect(progressOf(task)).toEqual({ is: 'landing', isUnchecked: false, overAt: 9 });
  expect(task).toMatchObject({ failures: 1, touchSet: ['*.ts'] });
});

it('a line of a later version, and one that is torn, change nothing', () => {
  expect(readTo(starting, line({ state: 'failed' }, 3), '{"v":2,"tasks":[{"id":"t","sta')).toEqual(readTo(starting));
});
