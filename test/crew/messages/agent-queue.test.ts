import { describe, expect, it } from 'vitest';
import { servesQueue } from '../../../src/crew/messages/agent-queue.ts';
import { handedOver, unsettled } from '../../../src/crew/messages/send-journal.ts';
import {
  approval,
  ended,
  gone,
  hookPrompt,
  type Loose,
  launched,
  line,
  play,
  promptSeen,
  trust,
} from '../../turn/turn-signals.ts';

describe('the own queue of an agent', () => {
  it.each<[string, boolean, readonly Loose[]]>([
    ['does not exist before the first prompt', false, [launched, promptSeen()]],
    ['takes a message while a turn runs', true, [launched, hookPrompt(), line()]],
    ['takes a message at rest', true, [launched, line(), ended()]],
    ['takes a message while a request is open', true, [launched, line(), approval]],
    ['takes none in a start-up dialog', false, [launched, line(), ended(), trust]],
    ['takes none after an interrupt, which pauses it', false, [launched, line(), ended('interrupted')]],
    ['takes one again in the next turn', true, [launched, line(), ended('interrupted'), hookPrompt('b'), line('b')]],
    ['takes none of an agent that has ended', false, [launched, line(), gone]],
  ])('%s', (_, serves, signals) => {
    expect(servesQueue(play(signals))).toBe(serves);
  });
});

describe('of the sends that were noted', () => {
  const begin = (id: string) => JSON.stringify({ v: 1, id, at: 1, launch: 1, digest: `d${id}`, chars: 1 });
  const settle = (id: string, verdict: string) => JSON.stringify({ v: 1, id, at: 2, verdict });

  it('those handed over and not settled since lie in the own queue', () => {
    const lines = [
      ...[begin('a'), settle('a', 'handed'), begin('b'), settle('b', 'handed'), settle('b', 'submitted')],
      ...[begin('c'), settle('c', 'queued'), begin('d'), '{"v":1,"id":"d","at'],
    ];
    expect(handedOver(lines).map(({ id }) => id)).toEqual(['a']);
    expect(unsettled(lines).map(({ id }) => id)).toEqual(['d']);
  });
});
