// Decides whether a message may be typed into a worker now. Pure.
import type { ScreenReading } from '../../agents/agent.ts';
import { advise, call, type Hint } from '../../model/advice.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';

export type Preflight =
  | { readonly may: 'type' }
  | { readonly may: 'interrupt-first' }
  | { readonly may: 'clear-first' }
  | { readonly may: 'wait'; readonly reason: string }
  | { readonly may: 'hold'; readonly reason: string; readonly hint: Hint }
  | { readonly may: 'fail'; readonly reason: string; readonly hint: Hint };

const attachHint = advise`Nothing was typed. Answer it in the pane (${call('the attach command is in list_workers', '`crewmux attach`')}), then send again.`;

const answerHint = advise`Nothing was typed. Answer it with ${call('answer_worker, as attention in crew_status shows', '`crewmux answer`')}.`;

/** What a hook of ours holds is answered by a call; everything else in the pane. */
function hintBefore({ evidence, requests }: TurnState): Hint {
  if (evidence.source === 'us') return answerHint;
  const held = requests.find(({ requestId }) => requestId !== undefined);
  return held === undefined
    ? attachHint
    : advise`Nothing was typed. Answer it with ${call(`answer_worker and request_id "${held.requestId}", as attention in crew_status shows`, '`crewmux answer`')}, or in the pane; then send again.`;
}

/** By the worker's state. */
export function byState(state: TurnState, delivery: 'queue' | 'steer' | 'interrupt'): Preflight {
  switch (state.is) {
    case 'gone':
      return {
        may: 'fail',
        reason: `its process is gone: ${state.evidence.detail}`,
        hint: 'restart_workers brings it back with the same conversation.',
      };
    case 'unknown':
      return {
        may: 'hold',
        reason: `nobody can tell what it does: ${state.evidence.detail}`,
        hint: advise`Nothing was typed. See ${call('doctor', '`crewmux doctor`')}, then send again.`,
      };
    case 'starting':
      return { may: 'wait', reason: 'it is still starting' };
    case 'waiting':
      if (state.waitingFor === 'limit') return { may: 'type' };
      return {
        may: 'hold',
        reason: `it waits for ${state.waitingFor}: ${state.evidence.detail}`,
        hint: hintBefore(state),
      };
    case 'working':
      return delivery === 'interrupt' ? { may: 'interrupt-first' } : { may: 'type' };
    case 'idle':
      return { may: 'type' };
  }
}

/** By its screen at the moment of typing; `isNobodys` recognises a draft that no person typed. */
export function byScreen(reading: ScreenReading, isNobodys: (draft: string) => boolean): Preflight {
  const { dialog, draft } = reading;
  if (dialog !== undefined) return { may: 'hold', reason: `a dialog is open: ${dialog.title}`, hint: attachHint };
  if (draft === undefined) return { may: 'wait', reason: 'no prompt box is in sight' };
  if (draft.trim() === '') return { may: 'type' };
  if (isNobodys(draft)) return { may: 'clear-first' };
  return {
    may: 'hold',
    reason: `somebody's half-typed text is in the prompt box: "${short(draft)}"`,
    hint: 'Nothing was typed. Let the person finish, or clear the box in the pane, then send again.',
  };
}

/** A draft the agent itself put back after an early Esc: the same words as the prompt it had. */
export function isReturnedPrompt(draft: string, lastPrompt: string | undefined): boolean {
  if (lastPrompt === undefined) return false;
  const words = (text: string) => text.normalize('NFC').replace(/\s+/g, '');
  return words(draft) === words(lastPrompt);
}

/** One line, and not a long one. */
export const short = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
};
