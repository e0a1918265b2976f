import { expect, it } from 'vitest';
import { noFacts, type TurnFacts } from '../../src/turn/facts.ts';
import { type StateSignal, settlingsOf } from '../../src/turn/settle.ts';

const at = 100_000;
const state = (change: Partial<StateSignal>): StateSignal => ({
  ...{ from: 'agent', kind: 'state', status: 'idle', detail: '', at },
  ...change,
});
const facts = (change: Partial<TurnFacts> = {}): TurnFacts => ({ ...noFacts(0), ...change });
const said = (status: 'busy' | 'background', when: number): TurnFacts['agent'] => ({
  ...{ at: when, detail: '', status, waitingFor: undefined },
});
const asked = (when: number, answered?: number) => [
  {
    ...({ at: when, waitingFor: 'permission', tool: 'Bash', input: {} } as const),
    ...(answered !== undefined && { answered: { at: answered, by: 'us', decision: 'allow' } }),
  },
];
const open = { at: 1, detail: '', open: true };
const closed = { ...open, open: false };

interface Row {
  readonly sentence: string;
  readonly signal: Partial<StateSignal>;
  readonly before?: Partial<TurnFacts>;
  /** What it waits for, in this order, each with its ceiling and whether that has come by then. */
  readonly later?: Partial<TurnFacts>;
  readonly waits: readonly (readonly [string, number, boolean])[];
}

const hook = 'the hook that tells what it waits for';
const shell = 'the turn that reads the output of a background shell';
const flush = 'the last lines of the transcript';

const rows: readonly Row[] = [
  { sentence: 'work is believed at once', signal: { status: 'busy' }, waits: [] },
  { sentence: 'an unknown word is believed at once, as unknown', signal: { status: 'unknown' }, waits: [] },
  {
    sentence: 'a permission waits ten seconds for its hook',
    signal: { status: 'waiting', waitingFor: 'permission' },
    waits: [[hook, 10_000, false]],
  },
  {
    sentence: 'a question waits ten seconds for its hook',
    signal: { status: 'waiting', waitingFor: 'question' },
    waits: [[hook, 10_000, false]],
  },
  {
    sentence: 'a dialog that may have no hook waits for a moment',
    signal: { status: 'waiting', waitingFor: 'dialog' },
    waits: [[hook, 300, false]],
  },
  {
    sentence: 'a permission that only the screen shows waits for a moment',
    signal: { status: 'waiting', waitingFor: 'permission', withoutHook: true },
    waits: [[hook, 300, false]],
  },
  {
    sentence: 'an open request explains a wait, however old it is',
    signal: { status: 'waiting', waitingFor: 'permission' },
    later: { asked: asked(1) },
    waits: [[hook, 10_000, true]],
  },
  {
    sentence: 'a request that was answered long ago explains nothing',
    signal: { status: 'waiting', waitingFor: 'permission' },
    later: { asked: asked(1, 2) },
    waits: [[hook, 10_000, false]],
  },
  {
    sentence: 'a request of this moment explains a wait, though it is answered already',
    signal: { status: 'waiting', waitingFor: 'permission' },
    later: { asked: asked(at - 299, at) },
    waits: [[hook, 10_000, true]],
  },
  {
    sentence: 'an idle agent whose transcript is closed is believed',
    signal: {},
    later: { transcript: closed },
    waits: [[flush, 1_000, true]],
  },
  {
    sentence: 'an idle agent whose transcript is open has not flushed its last line',
    signal: {},
    later: { transcript: open },
    waits: [[flush, 1_000, false]],
  },
  {
    sentence: 'an idle agent with a prompt newer than its transcript has not flushed the turn',
    signal: {},
    later: { transcript: closed, witness: { promptAt: 2, end: undefined } },
    waits: [[flush, 1_000, false]],
  },
  {
    sentence: 'a newer state makes the wait for the transcript pointless',
    signal: {},
    later: { transcript: open, agent: said('busy', at + 1) },
    waits: [[flush, 1_000, true]],
  },
  {
    sentence: 'rest after a background shell waits for the turn that reads its output, then for the transcript',
    signal: {},
    before: { agent: said('background', at - 1) },
    later: { agent: said('background', at - 1), transcript: closed },
    waits: [
      [shell, 1_000, false],
      [flush, 1_000, true],
    ],
  },
  {
    sentence: 'the turn after a background shell has come once the agent says anything newer',
    signal: {},
    before: { agent: said('background', at - 1) },
    later: { agent: said('busy', at + 1), transcript: open },
    waits: [
      [shell, 1_000, true],
      [flush, 1_000, true],
    ],
  },
];

it.each(rows)('$sentence', ({ signal, before, later, waits }) => {
  const settlings = settlingsOf(state(signal), facts(before));
  expect(settlings.map(({ waitsFor, ceilingMs, hasCome }) => [waitsFor, ceilingMs, hasCome(facts(later))])).toEqual(
    waits,
  );
});
