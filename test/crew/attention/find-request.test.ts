import { expect, it } from 'vitest';
import { findQuestion, findRequest } from '../../../src/crew/attention/request-answer.ts';
import { workerRecord } from '../../support/records.ts';
import { agent, type Loose, launched, line, play } from '../../turn/turn-signals.ts';

const asks = (requestId: string): Loose => ({
  from: 'hook',
  kind: 'permission',
  waitingFor: 'permission',
  tool: 'Bash',
  input: { command: 'ls' },
  requestId,
});
const question: Loose = { from: 'worker', kind: 'asks', requestId: 'q', text: 'Cents?', options: [] };
const answer = { at: 0, by: 'person', decision: 'allow' } as const;
const found = (signals: readonly Loose[], requestId?: string, answered?: typeof answer) => {
  const turn = play([launched, line(), ...signals]);
  const named = findQuestion(turn, requestId);
  return named ?? findRequest({ record: workerRecord({ name: 'ada' }), turn, requestId, answer: answered });
};

it.each<[string, readonly Loose[], string | undefined, string | undefined]>([
  ['the only request needs no name', [asks('a')], undefined, 'a'],
  ['one of several is found by its name', [asks('a'), asks('b')], 'b', 'b'],
  ['the only question needs no name', [question], undefined, 'q'],
  ['a question is found by its name beside a request', [asks('a'), question], 'q', 'q'],
  ['a dialog of the screen alone is no request', [agent('waiting', 'dialog')], undefined, undefined],
])('%s', (_, signals, named, id) => {
  expect(found(signals, named)?.requestId).toBe(id);
});

it.each<[string, readonly Loose[], string | undefined, typeof answer | undefined, string]>([
  [
    'one of several must be named',
    [asks('a'), question],
    undefined,
    undefined,
    'ada asks 2 things at once: a (Bash), q',
  ],
  ['nothing asked is nothing to answer', [], undefined, undefined, 'ada asks nothing: it is working.'],
  ['a name that nothing has is unknown', [asks('a')], 'x', undefined, 'ada has no request "x". Open: a (Bash).'],
  ['an answered request keeps its answer', [], 'x', answer, 'Request x of ada was answered by a person ("allow")'],
])('%s', (_, signals, named, answered, words) => {
  expect(() => found(signals, named, answered)).toThrow(words);
});
