import { expect, it } from 'vitest';
import { workFacts } from '../../../src/crew/queries/work.ts';
import type { WorkerRecord } from '../../../src/model/worker.ts';
import { workerRecord } from '../../support/records.ts';
import { agent, hookPrompt, launched, play, ready } from '../../turn/turn-signals.ts';

const seen = { turn: undefined, conversation: undefined, attention: [], isMine: true, isOthers: false };
const pane = workerRecord({ paneId: '%1' });

it.each<[string, Partial<WorkerRecord>, Partial<typeof seen>, boolean]>([
  ['whose start failed', { phase: 'closed' }, {}, true],
  ['whose server ended while it was made, as its successor notes it', { phase: 'dead' }, {}, true],
  ['whose server ended while it was made, and nobody noted it', { phase: 'spawning' }, { isMine: false }, true],
  ['that we are making', { phase: 'spawning' }, {}, false],
  ['that another server is making', { phase: 'spawning' }, { isMine: false, isOthers: true }, false],
  ['that runs', { ...pane }, {}, false],
  ['that runs, and whose server has ended', { ...pane }, { isMine: false }, false],
  ['that was closed', { ...pane, phase: 'closed' }, {}, false],
  ['that has died', { ...pane, phase: 'dead' }, {}, false],
])('a worker %s was unborn or not', (_, record, more, isUnborn) => {
  expect(workFacts(workerRecord(record), { ...seen, ...more }).isUnborn).toBe(isUnborn);
});

it('the facts of a worker are those of its view, with its task and its last word', () => {
  const turn = play([launched, ready, agent('idle'), hookPrompt(), agent('busy')]);
  const record = workerRecord({
    ...pane,
    ...{ task: { id: 't1', attempt: 2 }, said: { as: 'blocked', at: 9_000 }, branch: 'ada', mainRepoPath: '/repo' },
    alarm: { status: 'blocked', message: 'no key', at: 9_000 },
  });
  expect(workFacts(record, { ...seen, turn })).toMatchObject({
    ...{ id: record.id, crew: 'crew', repoPath: '/repo', branch: 'ada', task: { id: 't1', attempt: 2 } },
    ...{ status: 'working', isIdle: false, isUnborn: false, isOthers: false, lastWords: '', turns: 1 },
    turn: { id: `${record.id}-1.1`, startedAt: turn.turn?.startedAt },
    ...{ said: { as: 'blocked', at: 9_000 }, alarm: { status: 'blocked' } },
  });
});

it('a worker with a kept message is not idle', () => {
  const turn = play([launched, ready, agent('idle')]);
  expect(workFacts(pane, { ...seen, turn })).toMatchObject({ status: 'idle', isIdle: true, turns: 0 });
  expect(workFacts({ ...pane, kept: ['m'] }, { ...seen, turn })).toMatchObject({ status: 'idle', isIdle: false });
});
