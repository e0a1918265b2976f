// Waits for the file that answers a request, and for reasons to wait no longer.
import { hiddenHoldMs } from '../agents/agent.ts';
import { hasOnlooker } from '../backends/tmux/onlookers.ts';
import { watchFolder } from '../jsonl/tail.ts';
import type { Clock } from '../model/clock.ts';
import type { RequestAnswer } from '../model/request.ts';
import { answerName, answerRequest, isParked, readAnswer, requestsDir } from '../store/requests.ts';
import { pause } from '../system/clock.ts';
import { oneProcess } from '../system/process-table.ts';
import type { Asking } from './hook.ts';

/** The guarantee behind the watch; also how soon a hook notices that its agent is gone. */
const lookEveryMs = 2_000;

export interface Awaited extends Pick<Asking, 'place' | 'question' | 'order' | 'env' | 'parentPid'> {
  readonly id: string;
  readonly clock: Clock;
}

/** The first answer, whoever gave it; ours lets go of the request when nobody is left to be told. */
export async function awaitAnswer(awaited: Awaited): Promise<RequestAnswer> {
  const { place, id, clock } = awaited;
  const hint = hints();
  const stop = watchFolder(requestsDir(place.workerDir), clock, (name) => {
    if (name === undefined || name === answerName(id)) hint.give();
  });
  const agentPid = await parentOf(awaited.parentPid);
  try {
    for (;;) {
      const answer = await readAnswer(place.workerDir, id);
      if (answer !== undefined) return answer;
      if (await isOver(awaited, agentPid)) return await letGo(awaited);
      await hint.within(lookEveryMs);
    }
  } finally {
    stop();
  }
}

/** The agent has ended, or its own dialog is due. */
async function isOver(awaited: Awaited, agentPid: number | undefined): Promise<boolean> {
  const { parentPid, place, id } = awaited;
  if (await isDialogDue(awaited)) return true;
  if (!(await isParked(place.workerDir, id))) return true;
  // The shell outlives an agent that was killed, and then belongs to somebody else.
  return agentPid !== undefined && (await parentOf(parentPid)) !== agentPid;
}

/** Where the wait hides the agent's own dialog, it gives way to a person who looks, and after a while to anybody. */
async function isDialogDue({ question, order, clock, env }: Awaited): Promise<boolean> {
  if (!question.hidesDialog) return false;
  return clock.now() - order.at >= hiddenHoldMs || (question.when === 'asking' && (await hasOnlooker(env)));
}

async function letGo({ place, id, clock }: Awaited): Promise<RequestAnswer> {
  const none: RequestAnswer = { at: clock.now(), by: 'none', decision: 'let-go' };
  // Where the whole state is gone there is nothing left to write down.
  return (await answerRequest(place.workerDir, id, none).catch(() => ({ answer: none }))).answer;
}

const parentOf = async (pid: number): Promise<number | undefined> => (await oneProcess(pid))?.parent;

/** Hints that come while nobody listens are kept for whoever listens next. */
function hints() {
  let isGiven = false;
  let wake = new AbortController();
  return {
    give() {
      isGiven = true;
      wake.abort();
    },
    async within(ceilingMs: number) {
      if (!isGiven) await pause(ceilingMs, wake.signal);
      isGiven = false;
      wake = new AbortController();
    },
  };
}
