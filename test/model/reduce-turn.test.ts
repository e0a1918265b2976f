import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { initialTurn, reduceTurn, type TurnState } from '../../src/model/reduce-turn.ts';
import type { Signal } from '../../src/model/turn.ts';

type Loose = Signal extends infer S ? (S extends Signal ? Omit<S, 'at'> : never) : never;

/** Plays signals one ms apart from 1,000 on; a number in the list sets the clock. */
function play(signals: readonly (Loose | Signal)[], from: TurnState = initialTurn(1_000)): TurnState {
  let at = 1_000;
  let state = from;
  for (const signal of signals) {
    at += 1;
    state = reduceTurn(state, { at, ...signal });
  }
  return state;
}

const launched: Loose = { from: 'us', kind: 'launched', withPrompt: false };
const launchedWithPrompt: Loose = { from: 'us', kind: 'launched', withPrompt: true };
const ready: Loose = { from: 'hook', kind: 'ready', reason: 'startup', agentSessionId: 'u' };
const agent = (
  status: 'idle' | 'busy' | 'waiting' | 'background' | 'unknown',
  waitingFor?: 'permission' | 'dialog',
): Loose => ({
  from: 'agent',
  kind: 'state',
  status,
  detail: `status ${status}`,
  ...(waitingFor === undefined ? {} : { waitingFor }),
});
const absent: Loose = { from: 'agent', kind: 'absent' };
const hookPrompt = (text = 'go'): Loose => ({ from: 'hook', kind: 'prompt', text });
const stopped = (backgroundTasks = 0): Loose => ({ from: 'hook', kind: 'stopped', backgroundTasks });
const failed = (limit = false): Loose => ({ from: 'hook', kind: 'failed', error: 'API Error: 400', limit });
const permission: Loose = {
  from: 'hook',
  kind: 'permission',
  waitingFor: 'permission',
  tool: 'Bash',
  input: { command: 'ls' },
};
const question: Loose = {
  from: 'hook',
  kind: 'permission',
  waitingFor: 'question',
  tool: 'AskUserQuestion',
  input: {},
};
const line = (text = 'go'): Loose => ({ from: 'transcript', kind: 'prompt', text, origin: 'person' });
const notice: Loose = { from: 'transcript', kind: 'prompt', text: 'task done', origin: 'notice' };
const activity: Loose = { from: 'transcript', kind: 'activity', detail: 'assistant text' };
const ended = (how: 'completed' | 'interrupted' | 'error' | 'limit' = 'completed', backgroundTasks = 0): Loose => ({
  from: 'transcript',
  kind: 'ended',
  how,
  backgroundTasks,
  detail: `turn ${how}`,
});
const marker = (goesOn = false): Loose => ({ from: 'transcript', kind: 'stop-marker', goesOn });
const enqueued = (text: string): Loose => ({ from: 'transcript', kind: 'enqueued', text });
const dequeued = (absorbed: boolean, text?: string): Loose => ({
  from: 'transcript',
  kind: 'dequeued',
  absorbed,
  ...(text === undefined ? {} : { text }),
});
const sent = (text: string): Loose => ({ from: 'us', kind: 'sent', messageId: text, text });
const givenUp = (text: string): Loose => ({ from: 'us', kind: 'given-up', messageId: text });
const gone: Loose = { from: 'pane', kind: 'gone', detail: 'exit code 1' };
const trust: Loose = {
  from: 'screen',
  kind: 'dialog',
  dialog: { waitingFor: 'trust', title: 'Accessing workspace', text: '', options: ['No, exit', 'Yes'] },
};

interface Row {
  readonly title: string;
  readonly signals: readonly Loose[];
  readonly is: TurnState['is'];
  readonly waitingFor?: TurnState['waitingFor'];
  readonly endedBy?: 'completed' | 'interrupted' | 'error' | 'limit';
}

const rows: readonly Row[] = [
  { title: 'a launch that has not been heard of is starting', signals: [launched], is: 'starting' },
  {
    title: 'a dialog before the agent shows itself is waited on',
    signals: [launched, trust],
    is: 'waiting',
    waitingFor: 'trust',
  },
  {
    title: 'a start-up dialog is over once the agent shows itself',
    signals: [launchedWithPrompt, trust, ready],
    is: 'working',
  },
  { title: 'a ready agent nobody asked anything is idle', signals: [launched, ready, agent('idle')], is: 'idle' },
  {
    title: 'a first prompt not yet taken up is not idle',
    signals: [launchedWithPrompt, ready, agent('idle')],
    is: 'working',
  },
  { title: 'a state file that says busy is believed', signals: [launched, ready, agent('busy')], is: 'working' },
  {
    title: 'the turn is over when the state file says idle after the prompt',
    signals: [launched, ready, agent('idle'), hookPrompt(), agent('busy'), stopped(), agent('idle')],
    is: 'idle',
    endedBy: 'completed',
  },
  {
    title: 'an idle that was said before the prompt proves nothing',
    signals: [launched, ready, agent('idle'), hookPrompt()],
    is: 'working',
  },
  {
    title: 'the transcript alone does not make a busy agent idle',
    signals: [launched, ready, agent('busy'), hookPrompt(), line(), ended()],
    is: 'working',
  },
  {
    title: 'Esc before the first byte leaves an interrupted turn with no line and no hook',
    signals: [launched, ready, hookPrompt(), agent('busy'), agent('idle')],
    is: 'idle',
    endedBy: 'interrupted',
  },
  {
    title: 'Esc mid-stream is told by the transcript',
    signals: [launched, ready, hookPrompt(), line(), activity, agent('idle'), ended('interrupted')],
    is: 'idle',
    endedBy: 'interrupted',
  },
  {
    title: 'an API error ends the turn',
    signals: [launched, ready, hookPrompt(), agent('busy'), failed(), agent('idle')],
    is: 'idle',
    endedBy: 'error',
  },
  {
    title: 'a spent usage limit is waited on',
    signals: [launched, ready, hookPrompt(), agent('busy'), failed(true), agent('idle')],
    is: 'waiting',
    waitingFor: 'limit',
    endedBy: 'limit',
  },
  {
    title: 'a permission dialog is waited on with what the hook told',
    signals: [launched, ready, hookPrompt(), agent('busy'), permission, agent('waiting', 'permission')],
    is: 'waiting',
    waitingFor: 'permission',
  },
  {
    title: 'a question is told apart from a permission by the hook',
    signals: [launched, ready, hookPrompt(), agent('busy'), question, agent('waiting', 'permission')],
    is: 'waiting',
    waitingFor: 'question',
  },
  {
    title: 'a waiting state that no hook explains is a dialog',
    signals: [launched, ready, agent('waiting')],
    is: 'waiting',
    waitingFor: 'dialog',
  },
  {
    title: 'an answered permission is work again',
    signals: [launched, ready, hookPrompt(), permission, agent('waiting', 'permission'), agent('busy')],
    is: 'working',
  },
  {
    title: 'a later dialog does not inherit an answered permission',
    signals: [
      launched,
      ready,
      hookPrompt(),
      question,
      agent('waiting', 'permission'),
      agent('busy'),
      agent('waiting', 'dialog'),
    ],
    is: 'waiting',
    waitingFor: 'dialog',
  },
  {
    title: 'Stop with a background agent still running is not idle',
    signals: [launched, ready, hookPrompt(), agent('busy'), stopped(1), agent('idle'), line(), ended('completed', 1)],
    is: 'working',
  },
  {
    title: 'the turn that follows a background task ends it',
    signals: [
      launched,
      ready,
      hookPrompt(),
      stopped(1),
      ended('completed', 1),
      agent('idle'),
      notice,
      agent('busy'),
      stopped(0),
      ended(),
      agent('idle'),
    ],
    is: 'idle',
    endedBy: 'completed',
  },
  {
    title: 'a background shell keeps the worker from idle',
    signals: [launched, ready, hookPrompt(), stopped(1), agent('background')],
    is: 'working',
  },
  {
    title: 'a background shell ended by hand is told by the state file',
    signals: [launched, ready, hookPrompt(), stopped(1), agent('background'), agent('idle')],
    is: 'idle',
  },
  {
    title: 'a state the decoder does not know is never idle',
    signals: [launched, ready, hookPrompt(), stopped(), agent('unknown')],
    is: 'working',
  },
  {
    title: 'a turn that ended before our last message does not make the worker idle',
    signals: [launched, ready, hookPrompt('a'), line('a'), ended(), agent('idle'), sent('b')],
    is: 'working',
  },
  {
    title: 'a message is proved by the prompt hook and its turn then counts',
    signals: [launched, ready, agent('idle'), sent('b'), hookPrompt('b'), agent('busy'), stopped(), agent('idle')],
    is: 'idle',
    endedBy: 'completed',
  },
  {
    title: 'a message that was given up no longer holds the worker busy',
    signals: [launched, ready, agent('idle'), sent('b'), givenUp('b')],
    is: 'idle',
  },
  {
    title: 'somebody else’s prompt does not prove our message',
    signals: [
      launched,
      ready,
      agent('idle'),
      sent('b'),
      hookPrompt('typed by hand'),
      agent('busy'),
      stopped(),
      agent('idle'),
    ],
    is: 'working',
  },
  {
    title: 'a queued message outlives the end of the running turn',
    signals: [
      launched,
      ready,
      hookPrompt('a'),
      agent('busy'),
      sent('b'),
      enqueued('b'),
      stopped(),
      ended(),
      agent('idle'),
    ],
    is: 'working',
  },
  {
    title: 'a queued message taken into the running turn ends with it',
    signals: [
      launched,
      ready,
      hookPrompt('a'),
      agent('busy'),
      sent('b'),
      enqueued('b'),
      dequeued(true),
      stopped(),
      ended(),
      agent('idle'),
    ],
    is: 'idle',
  },
  {
    title: 'two queued messages that merge into one turn are both taken up',
    signals: [
      launched,
      ready,
      hookPrompt('a'),
      enqueued('b'),
      enqueued('c'),
      stopped(),
      dequeued(false),
      dequeued(false),
      hookPrompt('b'),
      hookPrompt('c'),
      agent('busy'),
      stopped(),
      agent('idle'),
    ],
    is: 'idle',
  },
  {
    title: 'without a state file the end line of the transcript is the end',
    signals: [launched, ready, hookPrompt(), line(), activity, stopped(), ended()],
    is: 'idle',
    endedBy: 'completed',
  },
  {
    title: 'without a state file a Stop hook is not the end',
    signals: [launched, ready, hookPrompt(), line(), activity, stopped()],
    is: 'working',
  },
  {
    title: 'without a state file our stop-hook marker ends the turn',
    signals: [launched, ready, line(), activity, marker()],
    is: 'idle',
  },
  {
    title: 'a stop-hook marker with a hook that continues the turn is not the end',
    signals: [launched, ready, line(), activity, marker(true)],
    is: 'working',
  },
  {
    title: 'a line after the marker opens the turn again',
    signals: [launched, ready, line(), activity, marker(), activity],
    is: 'working',
  },
  {
    title: 'a dead process is gone whatever else is said',
    signals: [launched, ready, gone, agent('idle'), line()],
    is: 'gone',
  },
  {
    title: 'a process that died in its turn ends that turn as an error',
    signals: [launched, ready, hookPrompt(), agent('busy'), gone],
    is: 'gone',
    endedBy: 'error',
  },
  {
    title: 'an agent that said goodbye under a wrapper is gone',
    signals: [launched, ready, agent('idle'), { from: 'hook', kind: 'ended', reason: 'prompt_input_exit' }, absent],
    is: 'gone',
  },
  {
    title: 'clearing the conversation is no goodbye',
    signals: [launched, ready, agent('idle'), { from: 'hook', kind: 'ended', reason: 'clear' }, ready],
    is: 'idle',
  },
  {
    title: 'when the state file vanishes the transcript decides',
    signals: [launched, ready, hookPrompt(), line(), agent('busy'), absent, activity],
    is: 'working',
  },
];

describe('reduceTurn', () => {
  it.each(rows)('$title', ({ signals, is, waitingFor, endedBy }) => {
    const state = play(signals);
    expect({ is: state.is, waitingFor: state.waitingFor }).toEqual({ is, waitingFor });
    if (endedBy !== undefined) expect(state.turn?.endedBy).toBe(endedBy);
  });

  it('ignores what a resumed transcript tells of the time before the launch', () => {
    const old: Signal = { from: 'transcript', kind: 'prompt', text: 'old', origin: 'person', at: 5 };
    expect(play([launched, ready, old]).is).toBe('idle');
  });

  it('counts a prompt told by hook and transcript as one turn', () => {
    const state = play([launched, ready, hookPrompt('a'), line('a'), activity, ended(), hookPrompt('b'), line('b')]);
    expect(state.turn?.number).toBe(2);
  });

  it('clears an early end when the same turn goes on', () => {
    const state = play([launched, ready, hookPrompt(), agent('busy'), stopped(), agent('idle'), notice, agent('busy')]);
    expect(state.turn).toMatchObject({ number: 2, endedAt: undefined });
  });

  const anySignal = fc.constantFrom<Loose>(
    ready,
    absent,
    agent('idle'),
    agent('busy'),
    agent('waiting'),
    agent('unknown'),
    hookPrompt(),
    stopped(),
    stopped(2),
    failed(),
    permission,
    line(),
    notice,
    activity,
    ended(),
    ended('interrupted'),
    marker(),
    enqueued('q'),
    dequeued(true),
    dequeued(false),
    trust,
    sent('m'),
    givenUp('m'),
    gone,
  );

  it('never says idle while one of our messages is outstanding', () => {
    fc.assert(
      fc.property(fc.array(anySignal, { maxLength: 25 }), (signals) => {
        const state = play([
          launched,
          ...signals.filter((s) => s.from !== 'us'),
          sent('unseen'),
          ...signals.filter((s) => s.from !== 'us'),
        ]);
        expect(state.is).not.toBe('idle');
      }),
    );
  });

  it('stays gone once the process is gone, and a gone worker never waits', () => {
    fc.assert(
      fc.property(fc.array(anySignal, { maxLength: 25 }), (signals) => {
        expect(play([launched, gone, ...signals]).is).toBe('gone');
      }),
    );
  });

  it('never says idle while the state file says anything but idle', () => {
    fc.assert(
      fc.property(fc.array(anySignal, { maxLength: 25 }), (signals) => {
        const state = play([launched, ...signals]);
        const said = state.facts.agent?.status;
        if (said !== undefined && said !== 'idle') expect(state.is).not.toBe('idle');
      }),
    );
  });
});
