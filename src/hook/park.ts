// Parks a question in a file and waits for its answer.
import { hiddenHoldMs } from '../agents/agent.ts';
import { hasOnlooker } from '../backends/tmux/onlookers.ts';
import { defined } from '../model/defined.ts';
import { newNonce } from '../model/ids.ts';
import type { OpenRequest, RequestAnswer } from '../model/request.ts';
import { awaitAnswer } from '../store/await-answer.ts';
import { answerRequest, isParked, parkRequest } from '../store/requests.ts';
import { systemClock } from '../system/clock.ts';
import { oneProcess } from '../system/process-table.ts';
import type { HookCall } from './asking.ts';
import { type Why, whyOf } from './next.ts';

const clock = systemClock;

/** Resolves when somebody has answered, or nobody is left who could use an answer. Time alone never answers. */
export async function park(asking: HookCall, why: Why): Promise<void> {
  const { place, question, hook, order } = asking;
  const request = requestOf(asking, why);
  const { id, suggestions } = request;
  await parkRequest(place.workerDir, request);
  await asking.signal(order.at, {
    decision: 'parked',
    request_id: id,
    ...whyOf(why),
    ...defined({ suggestions }),
  });
  const agentPid = await parentOf(asking.parentPid);
  const isOver = () => hasEnded(asking, id, agentPid);
  const answer = await awaitAnswer({ workerDir: place.workerDir, requestId: id, clock, isOver });
  const given = answer ?? (await letGo(asking, id));
  asking.say(hook.say(question, given));
  await asking.signal(clock.now(), endOf(asking, id, given));
}

function requestOf({ place, question, order }: HookCall, why: Why): OpenRequest {
  const { kind, tool, input, cwd, suggestions } = question;
  return {
    id: newNonce(),
    workerId: place.workerId,
    launch: place.launch,
    kind,
    from: 'hook',
    at: order.at,
    tool: { name: tool, input, cwd },
    ...why,
    ...defined({ suggestions }),
  };
}

/** The agent has ended, the request is gone, or the agent's own dialog is due. */
async function hasEnded(asking: HookCall, id: string, agentPid: number | undefined): Promise<boolean> {
  if (await isDialogDue(asking)) return true;
  if (!(await isParked(asking.place.workerDir, id))) return true;
  // The shell outlives a killed agent, and then has another parent.
  return agentPid !== undefined && (await parentOf(asking.parentPid)) !== agentPid;
}

/** A wait that hides the agent's own dialog gives way to a person who looks, and after a while to anybody. */
async function isDialogDue({ question, order, env }: HookCall): Promise<boolean> {
  if (!question.hidesDialog) return false;
  return clock.now() - order.at >= hiddenHoldMs || (question.when === 'asking' && (await hasOnlooker(env)));
}

async function letGo({ place }: HookCall, id: string): Promise<RequestAnswer> {
  const none: RequestAnswer = { at: clock.now(), by: 'none', decision: 'let-go' };
  // The whole state may be gone, and then nothing is left to write to.
  return (await answerRequest(place.workerDir, id, none).catch(() => ({ answer: none }))).answer;
}

/** While the agent asks, letting go hands the question to its own dialog; before a tool it is a refusal. */
function endOf({ question }: HookCall, request_id: string, { by, decision, edits }: RequestAnswer) {
  if (decision === 'let-go' && question.when === 'asking') return { decision: 'handed-over', request_id };
  const mode = edits === true ? 'acceptEdits' : undefined;
  return {
    decision: 'answered',
    request_id,
    by,
    answer: decision === 'let-go' ? 'deny' : decision,
    ...defined({ mode }),
  };
}

const parentOf = async (pid: number): Promise<number | undefined> => (await oneProcess(pid))?.parent;
