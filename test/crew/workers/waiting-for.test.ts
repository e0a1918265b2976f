import fc from 'fast-check';
import { expect, it } from 'vitest';
import { eventsOfChange } from '../../../src/crew/workers/publish.ts';
import { type Signal, waitingKinds } from '../../../src/model/turn.ts';
import { initialTurn, reduceTurn } from '../../../src/turn/reduce-turn.ts';
import {
  absent,
  agent,
  failed,
  hookPrompt,
  type Loose,
  launched,
  line,
  ready,
  stopped,
} from '../../turn/turn-signals.ts';

const asks = waitingKinds.flatMap((kind): readonly Loose[] =>
  kind === 'permission' || kind === 'question' || kind === 'plan_approval'
    ? [
        { from: 'hook', kind: 'permission', waitingFor: kind, tool: 'Bash', input: {} },
        { from: 'hook', kind: 'permission', waitingFor: kind, tool: 'Bash', input: {}, requestId: kind },
        { from: 'hook', kind: 'answered', requestId: kind, by: 'manager', decision: 'allow' },
      ]
    : [],
);
const dialogs = waitingKinds.map(
  (waitingFor): Loose => ({
    from: 'screen',
    kind: 'dialog',
    dialog: { waitingFor, title: 't', text: '', options: [] },
  }),
);
const own: readonly Loose[] = [
  { from: 'worker', kind: 'asks', requestId: 'own', text: 'Which?', options: [] },
  { from: 'worker', kind: 'asks-on', requestId: 'own' },
  { from: 'worker', kind: 'asked', requestId: 'own' },
];
const states: readonly Loose[] = [
  agent('idle'),
  agent('busy'),
  agent('waiting'),
  agent('waiting', 'permission'),
  absent,
];
const turns: readonly Loose[] = [launched, ready, line(), hookPrompt(), stopped(), failed(true)];
const pool = [...asks, ...dialogs, ...own, ...states, ...turns, { from: 'screen', kind: 'no-dialog' } as const];

it('whatever a worker waits for, its events say so in one of the nine words', () => {
  const words: ReadonlySet<unknown> = new Set(waitingKinds);
  const told = new Set<unknown>();
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pool), { maxLength: 12 }), (signals) => {
      let state = initialTurn(1);
      for (const [index, signal] of signals.entries()) {
        const before = state;
        const heard: Signal = { ...signal, at: index + 2 };
        state = reduceTurn(before, heard);
        for (const { type, data } of eventsOfChange(before, state)) {
          if (type !== 'worker_waiting' && type !== 'worker_answered') continue;
          told.add(data.waiting_for);
          expect(words).toContain(data.waiting_for);
        }
      }
    }),
    { numRuns: 2_000 },
  );
  expect(told).toEqual(words);
});
