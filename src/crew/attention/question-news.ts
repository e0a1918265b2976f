// Which events the questions of a worker's own tool are worth. Pure.
import type { EventDraft } from '../../model/event.ts';
import { type OwnQuestion, questionLine } from '../../turn/own-question.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';

/** The end of the wait is no news: the question stands. */
export function questionNews(before: TurnState, after: TurnState): readonly Pick<EventDraft, 'type' | 'data'>[] {
  const [were, are] = [before.questions, after.questions];
  if (were === are) return [];
  const came = are.filter((one) => !holds(were, one));
  const went = after.is === 'gone' ? [] : were.filter((one) => !holds(are, one));
  return [
    ...went.map((one) => ({ type: 'worker_answered' as const, data: dataOf(one) })),
    ...came.map((one) => ({
      type: 'worker_waiting' as const,
      data: { ...dataOf(one), question: questionLine(one.text) },
    })),
  ];
}

const holds = (list: readonly OwnQuestion[], { requestId }: OwnQuestion): boolean =>
  list.some((one) => one.requestId === requestId);

const dataOf = ({ requestId }: OwnQuestion) => ({
  waiting_for: 'question',
  request_id: requestId,
  tool: 'ask_manager',
});
