// What each sequence of signals means: starts, turns, dialogs.

import type { Signal } from '../../src/model/turn.ts';
import type { TurnState } from '../../src/turn/reduce-turn.ts';
import {
  activity,
  agent,
  ended,
  failed,
  hookPrompt,
  type Loose,
  launched,
  launchedWithPrompt,
  line,
  permission,
  question,
  ready,
  stopped,
  trust,
} from './turn-signals.ts';

export interface Row {
  readonly title: string;
  readonly signals: readonly (Loose | Signal)[];
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
    title: 'a Stop hook does not make an idle of before the prompt count',
    signals: [launched, ready, agent('idle'), hookPrompt(), stopped()],
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
];
