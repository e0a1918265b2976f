// When Escape would end a turn, and when the turn has yet to begin.
import { expect, it } from 'vitest';
import type { Signal } from '../../src/model/turn.ts';
import { initialTurn, reduceTurn, type TurnState } from '../../src/turn/reduce-turn.ts';
import { isCounted, isTakingPrompt } from '../../src/turn/running.ts';

const heard = (...signals: readonly Signal[]): TurnState => signals.reduce(reduceTurn, initialTurn(1));
const launched: Signal = { from: 'us', kind: 'launched', withPrompt: true, at: 1 };
const ready: Signal = { from: 'hook', kind: 'ready', reason: 'startup', agentSessionId: 'u', at: 2 };
const agent = (status: 'idle' | 'busy', at: number): Signal => ({
  ...{ from: 'agent', kind: 'state', status, detail: status, at },
});
const sent: Signal = { from: 'us', kind: 'sent', messageId: 'm', text: 'x', at: 5 };
const prompt: Signal = { from: 'hook', kind: 'prompt', text: 'x', at: 6 };
const givenUp: Signal = { from: 'us', kind: 'given-up', messageId: 'm', at: 7 };
const stirs: Signal = { from: 'screen', kind: 'stirs', detail: 'it draws', at: 4 };

it.each([
  { title: 'a message to an idle agent is on its way', now: heard(ready, agent('idle', 3), sent), taking: true },
  { title: 'so is the prompt of the launch', now: heard(launched, ready, agent('idle', 3)), taking: true },
  { title: 'so is one to an agent without a state file', now: heard(ready, sent), taking: true },
  { title: 'an agent that has it takes it no more', now: heard(ready, agent('idle', 3), sent, prompt), taking: false },
  { title: 'nor does one that is not given it', now: heard(ready, agent('idle', 3), sent, givenUp), taking: false },
  { title: 'beside a running turn Escape ends that', now: heard(ready, agent('busy', 3), sent), taking: false },
  { title: 'where only the screen tells, a turn may run', now: heard(ready, stirs, sent), taking: false },
])('$title', ({ now, taking }) => {
  expect(isTakingPrompt(now)).toBe(taking);
});

const prompted: Signal = { from: 'transcript', kind: 'prompt', origin: 'person', text: 'x', at: 5 };
const ended: Signal = {
  ...{ from: 'transcript', kind: 'ended', how: 'completed', backgroundTasks: 0, at: 6, detail: 'turn completed' },
};
const begun: Signal = { from: 'transcript', kind: 'activity', at: 8, detail: 'turn started' };
const next: Signal = { ...prompted, at: 9 };

it.each([
  { title: 'a turn whose prompt was read', now: heard(ready, prompted), counted: true },
  { title: 'the turn after another', now: heard(ready, prompted, ended, begun, next), counted: true },
  { title: 'no turn that has begun and whose prompt is still to come', now: heard(ready, prompted, ended, begun) },
  { title: 'not the first one so begun', now: heard(ready, begun) },
  { title: 'no prompt on its way', now: heard(ready, agent('idle', 3), sent) },
])('counted is $title', ({ now, counted = false }) => {
  expect(isCounted(now)).toBe(counted);
});
