// What can be done about the turn that runs: whether Escape would end it, and what would prove that. Pure.
import type { TurnState } from './reduce-turn.ts';

const withinTurn = new Set(['permission', 'question', 'plan_approval']);

/** Whether there is a turn that Escape would end; Escape into a start-up dialog would end the agent. */
export const hasTurnToEnd = (state: TurnState): boolean =>
  state.is === 'working' ||
  (state.is === 'waiting' && state.waitingFor !== undefined && withinTurn.has(state.waitingFor));

/**
 * A prompt is on its way and no turn runs yet: Escape would end nothing, and the turn would begin behind it.
 * The screen of an agent that has no other source does not tell: there a turn counts as running.
 */
export const isTakingPrompt = ({ is, evidence, facts }: TurnState): boolean =>
  is === 'working' &&
  evidence.source === 'us' &&
  facts.sends.length > 0 &&
  facts.transcript?.open !== true &&
  facts.screen === undefined;

/** Otherwise the number of its turn is still to come, and a new number would be no proof that it has ended. */
export const isCounted = (state: TurnState): boolean => {
  const { promptAt, end } = state.facts.witness;
  return promptAt !== undefined && end === undefined && !isTakingPrompt(state);
};
