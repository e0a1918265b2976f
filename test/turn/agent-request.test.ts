// What stays open of what was asked, whoever speaks meanwhile.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  activity,
  agent,
  approval,
  callBeside,
  ended,
  hookPrompt,
  type Loose,
  launched,
  line,
  notice,
  permission,
  play,
  promptSeen,
  ready,
} from './turn-signals.ts';

const held = (requestId: string, more: { readonly hidden?: true; readonly besides?: true } = {}): Loose => ({
  from: 'hook',
  kind: 'permission',
  waitingFor: 'permission',
  tool: 'Bash',
  input: {},
  requestId,
  ...more,
});
const answered = (requestId: string): Loose => ({
  from: 'hook',
  kind: 'answered',
  requestId,
  by: 'manager',
  decision: 'allow',
});
const handedOver = (requestId: string): Loose => ({ from: 'hook', kind: 'handed-over', requestId });
const ruled: Loose = { from: 'hook', kind: 'ruled', tool: 'Bash', decision: 'allow' };
const untaken = (requestId: string): Loose => ({ from: 'us', kind: 'untaken', requestId });

const begun = [launched, ready, hookPrompt(), line()];
const openIn = (signals: readonly Loose[]) => play(signals).requests.map(({ requestId }) => requestId ?? 'unheld');

interface Row {
  readonly title: string;
  readonly signals: readonly Loose[];
  readonly is: string;
  readonly open: readonly string[];
}

const rows: readonly Row[] = [
  {
    title: 'a held request is waited on before the agent says that it waits',
    signals: [...begun, agent('busy'), held('a')],
    is: 'waiting',
    open: ['a'],
  },
  {
    title: 'one of a background agent is waited on though the agent is idle',
    signals: [...begun, agent('idle'), held('a')],
    is: 'waiting',
    open: ['a'],
  },
  {
    title: 'and stays so whatever the conversation before it does',
    signals: [...begun, held('a', { besides: true }), agent('busy'), ended(), agent('idle'), notice, agent('busy')],
    is: 'waiting',
    open: ['a'],
  },
  {
    title: 'let go of, it is where the agent says that it waits, and over when it says so no more',
    signals: [...begun, held('a', { besides: true }), handedOver('a'), agent('waiting', 'permission'), agent('idle')],
    is: 'idle',
    open: [],
  },
  {
    title: 'what a rule decides is not waited on',
    signals: [...begun, agent('busy'), ruled],
    is: 'working',
    open: [],
  },
  {
    title: 'several are all kept, whatever goes on beside them',
    signals: [
      ...begun,
      agent('busy'),
      held('a'),
      agent('waiting', 'permission'),
      activity,
      held('b'),
      activity,
      notice,
    ],
    is: 'waiting',
    open: ['a', 'b'],
  },
  {
    title: 'one answered of two leaves the other',
    signals: [...begun, agent('busy'), held('a'), held('b'), agent('waiting', 'permission'), answered('a')],
    is: 'waiting',
    open: ['b'],
  },
  {
    title: 'an answer told is not an answer taken where the agent says that it waits',
    signals: [...begun, agent('busy'), held('a'), agent('waiting', 'permission'), answered('a')],
    is: 'waiting',
    open: [],
  },
  {
    title: 'an agent that goes on has been answered',
    signals: [...begun, agent('busy'), held('a'), agent('waiting', 'permission'), answered('a'), agent('busy')],
    is: 'working',
    open: [],
  },
  {
    title: 'a hook that dies with a request leaves it to the screen',
    signals: [...begun, agent('busy'), held('a'), agent('waiting', 'permission'), handedOver('a')],
    is: 'waiting',
    open: ['a'],
  },
  {
    title: 'without a state file the answer told is work again',
    signals: [...begun, held('a'), answered('a')],
    is: 'working',
    open: [],
  },
  {
    title: 'without a state file a held request outlives its calls, its words and its prompt in sight',
    signals: [...begun, held('a'), callBeside, activity, promptSeen()],
    is: 'waiting',
    open: ['a'],
  },
  {
    title: 'without a state file an interrupted turn has answered everything',
    signals: [...begun, held('a'), ended('interrupted')],
    is: 'idle',
    open: [],
  },
  {
    title: 'handed over, it is open until its dialog has gone',
    signals: [...begun, held('a'), handedOver('a'), approval],
    is: 'waiting',
    open: ['a'],
  },
  {
    title: 'a dialog beside a hook is no sign that the hook has gone, not even before the state file is read',
    signals: [...begun, held('a'), approval, agent('waiting', 'permission')],
    is: 'waiting',
    open: ['a'],
  },
  {
    title: 'and then it is not',
    signals: [...begun, held('a'), handedOver('a'), approval, promptSeen()],
    is: 'working',
    open: [],
  },
];

describe('what was asked', () => {
  it.each(rows)('$title', ({ signals, is, open }) => {
    expect(play(signals).is).toBe(is);
    expect(openIn(signals)).toEqual(open);
  });

  it('is told once more, as nobody’s, by the shell of a hook that was killed', () => {
    const state = play([...begun, { ...held('a'), at: 2_000 }, { ...permission, at: 2_000 }]);
    expect(state.requests.map(({ requestId }) => requestId)).toEqual([undefined]);
  });

  it('stays with the hook where the dialog stands beside it, and is let go of where the hook hid it', () => {
    const isHeld = (asked: Loose) => play([...begun, asked, approval]).requests.map((one) => one.held === true);
    expect(isHeld(held('a'))).toEqual([true]);
    expect(isHeld(held('a', { hidden: true }))).toEqual([false]);
  });

  it('is asked for again when the agent did not take the answer', () => {
    const state = play([...begun, held('a'), agent('waiting', 'permission'), answered('a'), untaken('a')]);
    expect(state).toMatchObject({ is: 'waiting', waitingFor: 'permission', requests: [] });
    expect(state.facts.asked).toEqual([]);
  });

  it('is never idle while our hook holds it', () => {
    const any = fc.constantFrom<Loose>(
      activity,
      callBeside,
      notice,
      line(),
      permission,
      promptSeen(),
      agent('waiting'),
    );
    fc.assert(
      fc.property(fc.array(any, { maxLength: 12 }), (signals) => {
        expect(play([...begun, held('a'), ...signals]).is).toBe('waiting');
      }),
    );
  });
});
