import { expect, it } from 'vitest';
import { emptyBook } from '../../src/model/task.ts';
import { never, type TaskStage } from '../../src/model/task-progress.ts';
import { foldLines } from '../../src/store/job-book.ts';

// Lines as they stand in books on disk: what comes later has to read them.
const task =
  '{"isCancelled":false,"isSkipped":false,"decisions":{},"round":0,"attempt":0,"isReused":false,"bounces":0,"failures":0,"evidence":{"claimed":false,"commits":[]},"artefacts":[],"isSeenTo":false,"kind":"job","priority":5,"dependsOn":[],"afterFrom":false,"depth":0,"isHeld":false,"files":[],"tags":[],"touchSet":["a.ts"],"copyFiles":[],"symlinkDirs":[],"setupCommands":[],"maxRetries":0,"onComplete":"none","keepWorker":false,"id":"t","title":"cart","prompt":"Write it.","project":"/p","crew":"shop","planId":"p","at":1,"state":"queued"}';
const born = `{"v":2,"tasks":[${task}]}`;
const line = (fields: object, v = 2) => JSON.stringify({ v, tasks: [{ id: 't', ...fields }] });

const starting = line({ state: 'starting', attempt: 1, reason: null, worker: null, isSeenTo: false });
const running = line({ state: 'running', worker: { id: 'w', name: 'ada' }, branch: 'ada', startedAt: 3, reason: null });
const message = { id: 'm', text: 'Go on.' };
const next = { message, toldAt: 4 };
const told = line(next);
const begun = line({ state: 'running', reason: null });
const sent = line({ message: null });
const over = line({ state: 'checking', round: 1, overAt: 9, reason: null });
const words = { why: 'touch_set', words: 'b.ts is outside', files: ['b.ts'] } as const;
const held = line({ state: 'landing', hold: words, reason: 'b.ts is outside' });
const lifted = line({ hold: null, failures: 1, reason: null, touchSet: ['*.ts'] });
const nothing = { ...words, why: 'nothing' } as const;
const failed = line({ state: 'failed', hold: nothing, endedAt: 12 });

const readTo = (...lines: readonly string[]) => {
  const read = foldLines(emptyBook, [born, ...lines]).tasks.get('t');
  if (read === undefined) throw new Error('The line was not read.');
  return read;
};

const isSeenTo = false;
const ofVersion2: readonly (readonly [string, readonly string[], TaskStage])[] = [
  ['queued', [], { is: 'queued', isBlocked: false }],
  ['blocked', [line({ state: 'blocked' })], { is: 'queued', isBlocked: true }],
  ['starting', [starting], { is: 'starting' }],
  ['running', [starting, running, told], { is: 'running', as: 'running', toldAt: 4, message }],
  ['told', [starting, running, told, sent], { is: 'running', as: 'running', toldAt: 4 }],
  ['at work since its start', [starting, running], { is: 'running', as: 'running', toldAt: 0 }],
  [
    'waiting',
    [starting, running, told, line({ state: 'waiting' })],
    { is: 'running', as: 'waiting', toldAt: 4, message },
  ],
  ['bounced', [starting, over, told, line({ state: 'bounced' })], { is: 'running', as: 'bounced', toldAt: 0 }],
  ['unchecked', [starting, running, told, sent, over], { is: 'landing', isUnchecked: true, overAt: 9 }],
  ['held', [starting, running, over, held], { is: 'landing', isUnchecked: false, overAt: 9, hold: words }],
  ['held no more', [starting, running, over, held, lifted], { is: 'landing', isUnchecked: false, overAt: 9 }],
  [
    'over, with no time of it',
    [starting, line({ state: 'landing' })],
    { is: 'landing', isUnchecked: false, overAt: never },
  ],
  ['failed', [starting, running, over, failed], { is: 'ended', how: 'failed', isSeenTo, hold: nothing, overAt: 9 }],
  [
    'landed',
    [starting, over, told, line({ state: 'landed', isSeenTo: true })],
    { is: 'ended', how: 'landed', isSeenTo: true },
  ],
  ['again', [failed, line({ state: 'queued', isSeenTo, hold: null }), told], { is: 'queued', isBlocked: false, next }],
  ['begun again', [failed, line({ state: 'queued' }), told, begun], { is: 'running', as: 'running', ...next }],
];

it.each(ofVersion2)('a book of version 2 tells that a task is %s', (_, lines, progress) => {
  expect(readTo(...lines).progress).toEqual(progress);
});

it.each(ofVersion2)('a book of today tells that a task is %s', (_, lines, progress) => {
  expect(readTo(line({ progress }, 3)).progress).toEqual(progress);
  expect(readTo(...lines, line({ priority: 9 }, 3), line({ isCancelled: true })).progress).toEqual(progress);
});

it('what an older server wishes of a task changes nothing of how far it is, but for a hold that it lifts', () => {
  const task = readTo(line({ progress: { is: 'landing', isUnchecked: false, overAt: 9, hold: words } }, 3), lifted);
  expect(task).toMatchObject({ failures: 1, touchSet: ['*.ts'] });
  expect(task.progress).toEqual({ is: 'landing', isUnchecked: false, overAt: 9 });
});

it.each([
  ['of a later version', line({ progress: { is: 'starting' } }, 4)],
  ['that is torn', '{"v":3,"tasks":[{"id":"t","sta'],
  ['of version 2 that names no state there is', line({ state: 'lost', attempt: 7 })],
  ['that names no progress there is', line({ progress: { is: 'lost' }, attempt: 7 }, 3)],
])('a line %s changes nothing', (_, text) => {
  expect(readTo(starting, text)).toEqual(readTo(starting));
});
