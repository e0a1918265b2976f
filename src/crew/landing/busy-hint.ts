// What to do about a worker whose turn is not over, before a verb changes its branch. Pure.
import type { TurnState } from '../../turn/reduce-turn.ts';

export function busyHint(id: string, turn: Pick<TurnState, 'is' | 'waitingFor'> | undefined): string {
  const { is, waitingFor } = turn ?? {};
  const isAnswered = is === 'waiting' && waitingFor !== 'login' && waitingFor !== 'limit';
  if (!isAnswered) return 'Wait for it with wait_idle_workers, or interrupt_workers first; then run again.';
  return `It waits for an answer: make the answer_worker call that examine_worker {"session_id":"${id}"} shows, or interrupt_workers first; then run again.`;
}
