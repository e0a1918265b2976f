// What a look at the screen changes in what is known, where nothing else tells.

import type { ScreenSignal } from '../model/turn.ts';
import type { PermissionAsked } from './asked.ts';
import { shown } from './first-shown.ts';
import type { TurnFacts } from './turn-facts.ts';

/** A request is not drawn at once, and one that a rule answers is never drawn. */
const drawnWithinMs = 1_500;
/** A queued prompt leaves the screen a moment before its turn begins. */
const takenUpWithinMs = 1_500;

/** What keeps a turn from going on is drawn for a moment longer than it is so. */
const drawnForMs = 500;

/** The notice that nobody is logged in; an agent that shows it calls itself idle. */
export const loggedOut = ({ dialog }: TurnFacts): TurnFacts['dialog'] =>
  dialog?.dialog.waitingFor === 'login' ? dialog : undefined;

/** The prompt in sight: no dialog is open, and what the screen does not show as still to come is not. */
export function notePromptSeen(
  facts: TurnFacts,
  { at, queued, background, trouble }: Extract<ScreenSignal, { kind: 'prompt' }>,
): TurnFacts {
  const { asked, dialog, transcript, witness } = facts;
  // What our hook holds is not drawn.
  const isOpen = (one: PermissionAsked) => one.held === true || (dialog === undefined && at <= one.at + drawnWithinMs);
  // What an interrupted turn had queued goes back into the prompt box, and no line tells.
  const isOver = transcript?.open !== true && at > (transcript?.at ?? 0) + takenUpWithinMs;
  const isOld = facts.trouble === undefined && transcript !== undefined && at < transcript.at + drawnForMs;
  const isDropped = queued === 0 && isOver && facts.queued.length > 0;
  return {
    ...facts,
    dialog: undefined,
    asked: asked.filter(isOpen),
    queued: isDropped ? [] : facts.queued,
    returned: isDropped && witness.end?.how === 'interrupted' ? facts.queued : facts.returned,
    // In a turn that runs, one that has just been left is not drawn yet.
    terminals: background === 0 && transcript?.open !== true ? [] : facts.terminals,
    trouble: isOld || trouble === undefined ? undefined : { at: facts.trouble?.at ?? at, detail: trouble },
  };
}

/** The rest that a screen showed before we typed says nothing of the time after. */
export const stirred = (facts: TurnFacts, at: number): TurnFacts =>
  facts.screen?.rests === true ? { ...facts, screen: { at, rests: false, detail: 'a message was typed' } } : facts;

type Still<Kind> = Extract<ScreenSignal, { kind: Kind }>;

export const noteStirs = (facts: TurnFacts, signal: Still<'stirs'>): TurnFacts => ({
  ...facts,
  ...(signal.isTurn === true ? shown(facts, signal) : {}),
  screen: { at: signal.at, rests: false, detail: signal.detail },
});

export const noteRests = (facts: TurnFacts, signal: Still<'rests'>): TurnFacts => ({
  ...facts,
  ...shown(facts, signal),
  screen: { at: signal.at, rests: true, detail: 'its prompt is in sight and the screen stands still' },
  dialog: undefined,
});
