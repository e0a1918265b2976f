// Questions of a worker that nobody has answered go on with it, in the launch that continues its conversation.
import { readWhole } from '../../jsonl/slice.ts';
import { appendQuestion, earlierSignalsPath, questionSignal, signalsPath } from '../../store/question-line.ts';
import { noteQuestion, type WorkerQuestion } from '../../turn/worker-question.ts';

/** No tool waits for them any more: an answer comes as a message. Both are folders of launches. */
export async function carryQuestions({ from, to }: { readonly from: string; readonly to: string }): Promise<void> {
  const lines = [...(await readWhole(earlierSignalsPath(from))), ...(await readWhole(signalsPath(from)))];
  const none: readonly WorkerQuestion[] = [];
  for (const { requestId, at, text, options } of lines
    .flatMap((line) => questionSignal(line) ?? [])
    .reduce(noteQuestion, none)) {
    await appendQuestion(to, { from: 'worker', kind: 'asks', at, requestId, text, options });
    await appendQuestion(to, { from: 'worker', kind: 'asks-on', at, requestId });
  }
}
