// Waits for the file that answers a request.
import { watchFolder } from '../jsonl/tail.ts';
import type { Clock } from '../model/clock.ts';
import type { RequestAnswer } from '../model/request.ts';
import { lightSleep } from '../system/pace.ts';
import { answerName, readAnswer, requestsDir } from './requests.ts';

/** The watch is a hint; this look is the guarantee behind it. */
const lookEveryMs = 2_000;

export interface AwaitedAnswer {
  readonly workerDir: string;
  readonly requestId: string;
  readonly clock: Clock;
  /** Ends the wait. */
  readonly signal?: AbortSignal;
  /** Runs at every look that finds no answer; true ends the wait. */
  readonly isOver: () => boolean | Promise<boolean>;
}

/** The first answer, whoever gave it; undefined when the wait has ended without one. */
export async function awaitAnswer(awaited: AwaitedAnswer): Promise<RequestAnswer | undefined> {
  const { workerDir, requestId, clock, signal, isOver } = awaited;
  const { wake, sleep } = lightSleep();
  const stop = watchFolder(requestsDir(workerDir), clock, (name) => {
    if (name === undefined || name === answerName(requestId)) wake();
  });
  signal?.addEventListener('abort', wake);
  try {
    for (;;) {
      const answer = await readAnswer(workerDir, requestId);
      if (answer !== undefined || signal?.aborted === true || (await isOver())) return answer;
      await sleep(lookEveryMs);
    }
  } finally {
    stop();
    signal?.removeEventListener('abort', wake);
  }
}
