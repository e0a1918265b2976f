// Waits for the file that answers a question.

import { watchFolder } from '../jsonl/tail.ts';
import type { RequestAnswer } from '../model/request.ts';
import { answerName, readAnswer, requestsDir } from '../store/requests.ts';
import { pause } from '../system/clock.ts';
import { dirOf, type Me } from './me.ts';

/** The guarantee behind the watch. */
const lookEveryMs = 2_000;
const progressEveryMs = 15_000;

export interface Patience {
  readonly waitMs: number;
  readonly signal: AbortSignal;
  readonly tell: (message: string) => void;
}

/** The first answer, whoever gave it; undefined when time is up or the caller has gone. */
export async function awaitAnswer(
  me: Me,
  requestId: string,
  { waitMs, signal, tell }: Patience,
): Promise<RequestAnswer | undefined> {
  const dir = dirOf(me, me.workerId);
  let wake = new AbortController();
  const rouse = () => wake.abort();
  const stop = watchFolder(requestsDir(dir), me.clock, (name) => {
    if (name === undefined || name === answerName(requestId)) rouse();
  });
  signal.addEventListener('abort', rouse);
  const endAt = me.clock.now() + waitMs;
  let tellAt = me.clock.now() + progressEveryMs;
  try {
    for (;;) {
      const { signal: roused } = wake;
      const answer = await readAnswer(dir, requestId);
      const now = me.clock.now();
      if (answer !== undefined || signal.aborted || now >= endAt) return answer;
      if (now >= tellAt) {
        tell('waiting for an answer');
        tellAt += progressEveryMs;
      }
      await pause(Math.min(lookEveryMs, endAt - now), roused);
      wake = new AbortController();
    }
  } finally {
    stop();
    signal.removeEventListener('abort', rouse);
  }
}
