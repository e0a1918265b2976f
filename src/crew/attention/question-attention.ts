// A worker's question to its manager, with the call that answers it.
import { isoTime } from '../../model/clock.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { questionLine, type WorkerQuestion } from '../../turn/worker-question.ts';
import type { AttentionView } from '../../wire/attention.ts';

export function questionAttention(
  { id, name }: Pick<WorkerRecord, 'id' | 'name'>,
  { requestId, at, text, options, waits }: WorkerQuestion,
): AttentionView {
  const [first] = options;
  const decision =
    first === undefined ? { decision: 'text', message: '<your answer>' } : { decision: 'choose', option: first };
  const call = JSON.stringify({ session_id: id, request_id: requestId, ...decision });
  const others = first === undefined ? '' : ', or "text" with a message of your own';
  return {
    session_id: id,
    name,
    waiting_for: 'question',
    request_id: requestId,
    since: isoTime(at),
    title: `${name} asks: ${questionLine(text)}`,
    detail: `${text}\n\n${waits ? 'It waits for the answer.' : 'It does not hold its call for the answer any more; the answer is delivered as a message.'}`,
    ...(options.length === 0 ? {} : { options }),
    answer_with: `answer_worker ${call}${others}`,
  };
}
