import { expect, test } from 'vitest';
import type { TurnState } from '../../src/turn/reduce-turn.ts';
import { agent, ended, hookPrompt, type Loose, launched, line, play, ready } from './turn-signals.ts';

const asks = (requestId = 'q1'): Loose => ({ from: 'worker', kind: 'asks', requestId, text: 'Cents?', options: [] });
const asksOn = (requestId = 'q1'): Loose => ({ from: 'worker', kind: 'asks-on', requestId });
const asked = (requestId = 'q1'): Loose => ({ from: 'worker', kind: 'asked', requestId });
const shown = ({ is, waitingFor, questions }: TurnState) =>
  `${is}${waitingFor === undefined ? '' : `/${waitingFor}`} ${questions.map((one) => one.requestId).join('+')}`.trim();

const byState = [launched, ready, agent('busy'), hookPrompt()];
const byTranscript = [launched, ready, line()];

test.each<[string, readonly Loose[], string]>([
  ['a worker whose tool waits for an answer waits', [...byState, asks()], 'waiting/question q1'],
  ['the same without a state file', [...byTranscript, asks()], 'waiting/question q1'],
  ['a state file that says busy once more answers nothing', [...byState, asks(), agent('busy')], 'waiting/question q1'],
  ['an answer lets it work', [...byState, asks(), asked()], 'working'],
  ['a tool that waits no more lets it work, and the question stands', [...byState, asks(), asksOn()], 'working q1'],
  [
    'then it is idle at the end of its turn, and the question stands',
    [...byState, asks(), asksOn(), agent('idle')],
    'idle q1',
  ],
  ['a turn that ended left no tool that waits', [...byState, asks(), agent('idle')], 'idle q1'],
  ['not in the next turn either', [...byState, asks(), agent('idle'), agent('busy')], 'working q1'],
  ['nor where only the transcript tells', [...byTranscript, asks(), ended(), line('more')], 'working q1'],
  ['a permission comes first', [...byState, asks(), agent('waiting', 'permission')], 'waiting/permission q1'],
  ['of two questions the open one counts', [...byState, asks(), asks('q2'), asked()], 'waiting/question q2'],
  ['asking the same twice is one question', [...byState, asks(), asks()], 'waiting/question q1'],
  ['a new launch has asked nothing', [...byState, asks(), launched], 'starting'],
])('%s', (_, signals, state) => {
  expect(shown(play(signals))).toBe(state);
});

test('the evidence is what it asks', () => {
  expect(play([...byState, asks()]).evidence).toMatchObject({ source: 'us', detail: 'asks its manager: Cents?' });
});
