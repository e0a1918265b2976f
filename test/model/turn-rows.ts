// What each sequence of signals means: the table of the turn state.
import { initialTurn, reduceTurn, type TurnState } from '../../src/model/reduce-turn.ts';
import type { Signal } from '../../src/model/turn.ts';

export type Loose = Signal extends infer S ? (S extends Signal ? Omit<S, 'at'> : never) : never;

/** Plays signals one ms apart from 1,000 on; a number in the list sets the clock. */
export function play(signals: readonly (Loose | Signal)[], from: TurnState = initialTurn(1_000)): TurnState {
  let at = 1_000;
  let state = from;
  for (const signal of signals) {
    at += 1;
    state = reduceTurn(state, { at, ...signal });
  }
  return state;
}

export const launched: Loose = { from: 'us', kind: 'launched', withPrompt: false };
export const launchedWithPrompt: Loose = { from: 'us', kind: 'launched', withPrompt: true };
export const ready: Loose = { from: 'hook', kind: 'ready', reason: 'startup', agentSessionId: 'u' };
export const agent = (
  status: 'idle' | 'busy' | 'waiting' | 'background' | 'unknown',
  waitingFor?: 'permission' | 'dialog',
): Loose => ({
  from: 'agent',
  kind: 'state',
  status,
  detail: `status ${status}`,
  ...(waitingFor === undefined ? {} : { waitingFor }),
});
export const absent: Loose = { from: 'agent', kind: 'absent' };
export const hookPrompt = (text = 'go'): Loose => ({ from: 'hook', kind: 'prompt', text });
export const stopped = (backgroundTasks = 0): Loose => ({ from: 'hook', kind: 'stopped', backgroundTasks });
export const failed = (limit = false): Loose => ({ from: 'hook', kind: 'failed', error: 'API Error: 400', limit });
export const permission: Loose = {
  from: 'hook',
  kind: 'permission',
  waitingFor: 'permission',
  tool: 'Bash',
  input: { command: 'ls' },
};
export const question: Loose = {
  from: 'hook',
  kind: 'permission',
  waitingFor: 'question',
  tool: 'AskUserQuestion',
  input: {},
};
export const line = (text = 'go'): Loose => ({ from: 'transcript', kind: 'prompt', text, origin: 'person' });
export const notice: Loose = { from: 'transcript', kind: 'prompt', text: 'task done', origin: 'notice' };
export const activity: Loose = { from: 'transcript', kind: 'activity', detail: 'assistant text' };
export const ended = (
  how: 'completed' | 'interrupted' | 'error' | 'limit' = 'completed',
  backgroundTasks = 0,
): Loose => ({
  from: 'transcript',
  kind: 'ended',
  how,
  backgroundTasks,
  detail: `turn ${how}`,
});
export const marker = (goesOn = false): Loose => ({ from: 'transcript', kind: 'stop-marker', goesOn });
export const enqueued = (text: string): Loose => ({ from: 'transcript', kind: 'enqueued', text });
export const dequeued = (absorbed: boolean, text?: string): Loose => ({
  from: 'transcript',
  kind: 'dequeued',
  absorbed,
  ...(text === undefined ? {} : { text }),
});
export const sent = (text: string): Loose => ({ from: 'us', kind: 'sent', messageId: text, text });
export const givenUp = (text: string): Loose => ({ from: 'us', kind: 'given-up', messageId: text });
export const gone: Loose = { from: 'pane', kind: 'gone', detail: 'exit code 1' };
export const trust: Loose = {
  from: 'screen',
  kind: 'dialog',
  dialog: { waitingFor: 'trust', title: 'Accessing workspace', text: '', options: ['No, exit', 'Yes'] },
};

export interface Row {
  readonly title: string;
  readonly signals: readonly Loose[];
  readonly is: TurnState['is'];
  readonly waitingFor?: TurnState['waitingFor'];
  readonly endedBy?: 'completed' | 'interrupted' | 'error' | 'limit';
}

export const rows: readonly Row[] = [
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
