// What each sequence of signals means for an agent without a state file, of which the screen must tell a part.
import type { Signal } from '../../src/model/turn.ts';
import type { Row } from './turn-rows.ts';
import {
  activity,
  approval,
  callBeside,
  ended,
  givenUp,
  handed,
  hookPrompt,
  type Loose,
  launched,
  launchedWithPrompt,
  line,
  permission,
  promptSeen,
  queuedSeen,
  sent,
  terminal,
  trust,
} from './turn-signals.ts';

/** The same, told so much later. */
const later = (signal: Loose, at: number): Signal => ({ at, ...signal });

export const screenRows: readonly Row[] = [
  { title: 'an agent whose prompt is in sight is idle', signals: [launched, promptSeen()], is: 'idle' },
  {
    title: 'a prompt in sight is not idle while the first prompt has not been taken up',
    signals: [launchedWithPrompt, promptSeen()],
    is: 'working',
  },
  {
    title: 'a start-up dialog is over once the prompt is in sight',
    signals: [launched, trust, promptSeen()],
    is: 'idle',
  },
  {
    title: 'a prompt in sight while a turn runs is not idle: the box is there while an answer streams',
    signals: [launched, hookPrompt(), line(), activity, promptSeen()],
    is: 'working',
  },
  {
    title: 'a request answered at the pane is work again once its dialog has gone',
    signals: [launched, hookPrompt(), line(), permission, approval, promptSeen()],
    is: 'working',
  },
  {
    title: 'a request that has not been drawn yet is waited on though the prompt is in sight',
    signals: [launched, hookPrompt(), line(), permission, promptSeen()],
    is: 'waiting',
    waitingFor: 'permission',
  },
  {
    title: 'a request that a rule has answered is never drawn, and is not waited on for long',
    signals: [launched, hookPrompt(), line(), permission, later(promptSeen(), 3_000)],
    is: 'working',
  },
  {
    title: 'another call beside an open request does not answer it',
    signals: [launched, hookPrompt(), line(), permission, callBeside],
    is: 'waiting',
    waitingFor: 'permission',
  },
  {
    title: 'a message seen in the queue is still to come when the turn ends',
    signals: [launched, hookPrompt('a'), line('a'), sent('b'), queuedSeen('b'), givenUp('b'), ended(), promptSeen()],
    is: 'working',
  },
  {
    title: 'a queued message that has its turn ends with it',
    signals: [launched, line('a'), sent('b'), queuedSeen('b'), ended(), hookPrompt('b'), line('b'), ended()],
    is: 'idle',
    endedBy: 'completed',
  },
  {
    title: 'a queued message that the interrupted turn gave back is not waited for',
    signals: [launched, line('a'), sent('b'), queuedSeen('b'), ended('interrupted'), later(promptSeen(), 3_000)],
    is: 'idle',
    endedBy: 'interrupted',
  },
  {
    title: "a message in the agent's own queue is still to come when the turn ends",
    signals: [launched, hookPrompt('a'), line('a'), handed('b'), ended(), later(promptSeen(), 9_000)],
    is: 'working',
  },
  {
    title: "a message that has left the agent's own queue is no more to come",
    signals: [launched, line('a'), handed('b'), ended(), line('b'), givenUp('b'), ended()],
    is: 'idle',
    endedBy: 'completed',
  },
  {
    title: "a message in the agent's own queue is not waited for once the turn was interrupted",
    signals: [launched, line('a'), handed('b'), ended('interrupted')],
    is: 'idle',
    endedBy: 'interrupted',
  },
  {
    title: "a message in the agent's own queue is waited for again when a later turn has ended",
    signals: [launched, line('a'), handed('b'), ended('interrupted'), line('c'), ended()],
    is: 'working',
  },
  {
    title: 'a program left running keeps the worker from idle',
    signals: [launched, line(), terminal('1', true), ended(), promptSeen(0, 1)],
    is: 'working',
  },
  {
    title: 'a program left running that ends is no turn, and the worker is idle',
    signals: [launched, line(), terminal('1', true), ended(), terminal('1', false)],
    is: 'idle',
    endedBy: 'completed',
  },
  {
    title: 'a program that a running turn has just left is not drawn yet, and counts',
    signals: [launched, line(), terminal('1', true), promptSeen(0, 0), ended()],
    is: 'working',
  },
  {
    title: 'a turn that cannot reach its model is working still',
    signals: [launched, line(), promptSeen(0, 0, 'Reconnecting... waiting for network')],
    is: 'working',
  },
  {
    title: 'a program left running that the screen no longer counts has ended',
    signals: [launched, line(), terminal('1', true), ended(), promptSeen(0, 0)],
    is: 'idle',
  },
];
