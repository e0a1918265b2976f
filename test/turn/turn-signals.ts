// Signals in short words, and a clock to play them by.

import type { Signal } from '../../src/model/turn.ts';
import { initialTurn, reduceTurn, type TurnState } from '../../src/turn/reduce-turn.ts';

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
export const unseen: Loose = { from: 'pane', kind: 'unseen', detail: 'tmux does not answer' };
export const seen: Loose = { from: 'pane', kind: 'seen' };
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
export const callBeside: Loose = { from: 'transcript', kind: 'activity', detail: 'calls b', answers: false };
export const terminal = (id: string, runs: boolean): Loose => ({ from: 'transcript', kind: 'background', id, runs });
export const promptSeen = (queued = 0, background = 0, trouble?: string): Loose => ({
  from: 'screen',
  kind: 'prompt',
  queued,
  background,
  ...(trouble === undefined ? {} : { trouble }),
});
export const handed = (messageId: string): Loose => ({ from: 'us', kind: 'handed', messageId });
export const queuedSeen = (text: string): Loose => ({ from: 'screen', kind: 'queued', text });
export const approval: Loose = {
  from: 'screen',
  kind: 'dialog',
  dialog: { waitingFor: 'permission', title: 'Would you like to run it?', text: '', options: [] },
};
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
export const loggedOut: Loose = {
  from: 'screen',
  kind: 'dialog',
  dialog: { waitingFor: 'login', title: 'Not logged in', text: '', options: [] },
};
export const noDialog: Loose = { from: 'screen', kind: 'no-dialog' };
