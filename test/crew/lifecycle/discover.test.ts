import { expect, it } from 'vitest';
import type { ScreenReading } from '../../../src/agents/agent.ts';
import { outermost, statusAt } from '../../../src/crew/lifecycle/discover.ts';
import type { Signal } from '../../../src/model/turn.ts';

const began: Signal = { from: 'transcript', kind: 'activity', at: 5, detail: 'turn started' };
const ended: Signal = {
  from: 'transcript',
  kind: 'ended',
  how: 'completed',
  backgroundTasks: 0,
  at: 6,
  detail: 'turn completed',
};
const prompt: ScreenReading = { ready: true, draft: '', queued: [] };
const dialog: ScreenReading = {
  dialog: { waitingFor: 'permission', title: 'May I?', text: 'May I?', options: ['Yes', 'No'] },
};

it.each<[string, readonly Signal[] | undefined, ScreenReading | undefined]>([
  ['unknown', [], undefined],
  ['unknown', [], {}],
  ['unknown', undefined, prompt],
  ['idle', [], prompt],
  ['working', [began], prompt],
  ['working', [began], undefined],
  ['idle', [began, ended], prompt],
  ['idle', [began, ended], undefined],
  ['waiting', [began], dialog],
  ['waiting', undefined, dialog],
])('an agent in sight is %s by what its transcript and its screen say', (status, transcript, screen) => {
  expect(statusAt({ state: undefined, transcript, screen })).toBe(status);
});

it('an agent’s own word is believed over a prompt in sight', () => {
  const state = { pid: 1, signal: { from: 'agent', kind: 'state', status: 'busy', at: 1, detail: 'busy' } } as const;
  expect(statusAt({ state, transcript: [ended], screen: prompt })).toBe('working');
});

it('an agent that another one in its pane has started is not counted', () => {
  const rows = [
    { pid: 1, parent: 0 },
    { pid: 2, parent: 1 },
    { pid: 3, parent: 2 },
    { pid: 4, parent: 3 },
  ];
  const of = (pid: number) => ({ self: { pid } });
  expect(outermost([of(2), of(4)], rows)).toEqual([of(2)]);
  expect(outermost([of(4)], rows)).toEqual([of(4)]);
});
