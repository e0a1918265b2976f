// What is known of a limit, by who said what in which order.
import { describe, expect, test } from 'vitest';
import type { Limit } from '../../src/turn/judge.ts';
import { agent, hookPrompt, type Loose, launched, line, play, ready } from './turn-signals.ts';

const minute = 60_000;
const reset = 10 * minute;
const hook = (resetsAt?: number): Loose => ({
  from: 'hook',
  kind: 'failed',
  error: 'by hook',
  limit: true,
  ...(resetsAt === undefined ? {} : { resetsAt }),
});
const ended = (resetsAt?: number): Loose => ({
  from: 'transcript',
  kind: 'ended',
  how: 'limit',
  backgroundTasks: 0,
  detail: 'by line',
  ...(resetsAt === undefined ? {} : { resetsAt }),
});
const allowance = (spentUntil: number): Loose => ({ from: 'transcript', kind: 'allowance', spentUntil });
const goesOn = (isSo: boolean): Loose => ({ from: 'transcript', kind: 'goes-on-later', isSo });
const dialog: Loose = {
  from: 'screen',
  kind: 'dialog',
  dialog: { waitingFor: 'limit', title: 'What now?', text: 'Limit resets Jan 2, 5am (UTC)', options: ['Stop'] },
};
const turn = [launched, ready, hookPrompt(), line()];

describe('the limit a worker waits for', () => {
  test.each<[what: string, signals: readonly Loose[], limit: Limit | undefined]>([
    ['has no time where none is told', [hook(), agent('idle')], { detail: 'by hook' }],
    ['has the time of the hook’s words', [hook(reset), agent('idle')], { detail: 'by hook', resetsAt: reset }],
    [
      'has the count of the line after the hook',
      [hook(reset), ended(reset + 9)],
      { detail: 'by line', resetsAt: reset + 9 },
    ],
    [
      'keeps that count when the hook is late',
      [ended(reset + 9), hook(reset)],
      { detail: 'by hook', resetsAt: reset + 9 },
    ],
    ['keeps the hook’s time where the line has none', [hook(reset), ended()], { detail: 'by line', resetsAt: reset }],
    [
      'has the counted second of the told minute',
      [allowance(reset + 9_000), ended(reset)],
      { detail: 'by line', resetsAt: reset + 9_000 },
    ],
    [
      'has the told minute where another is counted',
      [allowance(reset + minute), ended(reset)],
      { detail: 'by line', resetsAt: reset },
    ],
    ['has the counted second where no words tell', [allowance(reset), ended()], { detail: 'by line', resetsAt: reset }],
    ['has no count that was over before', [allowance(500), ended()], { detail: 'by line' }],
    [
      'may be one the agent goes on from',
      [ended(reset), goesOn(true)],
      { detail: 'by line', resetsAt: reset, goesOn: true },
    ],
    [
      'may be one it does not go on from any more',
      [ended(reset), goesOn(true), goesOn(false)],
      { detail: 'by line', resetsAt: reset },
    ],
    ['is over with the next prompt', [ended(reset), goesOn(true), line('again')], undefined],
    ['is not made by the words alone', [goesOn(true)], undefined],
    [
      'is told by its dialog where nothing else tells',
      [dialog],
      { detail: 'What now?', resetsAt: Date.UTC(1970, 0, 2, 5) },
    ],
    [
      'is told by the end of the turn before its dialog',
      [ended(reset), dialog],
      { detail: 'by line', resetsAt: reset },
    ],
  ])('%s', (_, signals, limit) => {
    expect(play([...turn, ...signals]).limit).toEqual(limit);
  });

  test('of its account keeps an idle worker waiting until nothing waits for it any more', () => {
    const parked: Loose = { from: 'us', kind: 'parked', until: reset };
    const idle = [launched, ready, agent('idle')];
    expect(play([...idle, parked])).toMatchObject({ is: 'waiting', waitingFor: 'limit', limit: { resetsAt: reset } });
    expect(play([...idle, parked, hookPrompt(), agent('busy')])).toMatchObject({ is: 'working', limit: undefined });
    expect(play([...idle, parked, { from: 'us', kind: 'parked' }])).toMatchObject({ is: 'idle', limit: undefined });
  });

  test('stands beside the state of an agent that says it is idle', () => {
    const state = play([...turn, agent('busy'), ended(reset), agent('idle')]);
    expect(state).toMatchObject({ is: 'waiting', waitingFor: 'limit', limit: { resetsAt: reset } });
  });
});
