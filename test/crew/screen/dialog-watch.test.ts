import { describe, expect, it } from 'vitest';
import { looksAfterMs } from '../../../src/crew/screen/dialog-watch.ts';
import { standsForMs } from '../../../src/crew/screen/screen-look.ts';
import {
  ended,
  failed,
  hookPrompt,
  type Loose,
  launched,
  line,
  permission,
  play,
  promptSeen,
  queuedSeen,
  sent,
  terminal,
} from '../../turn/turn-signals.ts';

describe('the screen of an agent that tells too little itself', () => {
  it.each<[string, boolean, readonly Loose[]]>([
    ['is looked at while it is idle, since a person may open a panel', true, [launched, promptSeen()]],
    ['is looked at while a turn runs, whatever is queued', true, [launched, line('a'), sent('b'), queuedSeen('b')]],
    ['is looked at while a request may be answered', true, [launched, hookPrompt(), line(), permission]],
    [
      'is looked at while it waits for a limit, since a person may open a panel',
      true,
      [launched, hookPrompt(), failed(true), ended('limit')],
    ],
    [
      'is looked at while the queue of an ended turn may be given back',
      true,
      [launched, line('a'), sent('b'), queuedSeen('b'), ended('interrupted')],
    ],
    ['is looked at while a program it left running may end', true, [launched, line(), terminal('1', true), ended()]],
  ])('%s', (_, isDue, signals) => {
    expect(looksAfterMs(play(signals), { hasHooks: true }) !== undefined).toBe(isDue);
  });

  it('is looked at more often in a turn where no hook of ours runs, or that cannot go on', () => {
    const answering = play([launched, line('a')]);
    const calm = looksAfterMs(answering, { hasHooks: true }) ?? 0;
    expect(looksAfterMs(answering, { hasHooks: false })).toBeLessThan(calm);
    const troubled = play([launched, line('a'), { ...promptSeen(0, 0, 'Reconnecting... 1/5'), at: 3_000 }]);
    expect(looksAfterMs(troubled, { hasHooks: true })).toBeLessThan(calm);
  });
});

describe('a dialog on the screen is believed', () => {
  const atOnce = standsForMs({ waitingFor: 'trust' }, { is: 'starting' }, { hasHooks: true });
  it.each([
    ['at once where no hook of ours decides it', 'question', 'working', true, false],
    ['at once where none runs', 'permission', 'working', false, false],
    ['at once where it is known that the agent waits', 'permission', 'waiting', true, false],
    ['once it has outlived the decision of a hook', 'permission', 'working', true, true],
    ['once it has outlived it, though the turn is over', 'permission', 'idle', true, true],
  ] as const)('%s', (_, waitingFor, is, hasHooks, isLater) => {
    expect(standsForMs({ waitingFor }, { is }, { hasHooks }) > atOnce).toBe(isLater);
  });
});
